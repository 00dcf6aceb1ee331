import { judgedBy, type JudgeLimits } from '../lib/limits/limits-of-run.js';
import { judgeAdmission } from '../lib/limits/rows/admission.js';
import { judgeDay } from '../lib/limits/rows/day.js';
import { observeAlgorithm, observeBan, observeCosts } from '../lib/limits/rows/observations.js';
import { judgeRetryAfter, judgeRetryAfterAgrees } from '../lib/limits/rows/retry-after.js';
import { judgeNoEffect, judgePerCaller } from '../lib/limits/rows/side-effects.js';
import { judgeReset, judgeServedAfterRetryAfter } from '../lib/limits/rows/announced.js';
import { judgeVantagePoints } from '../lib/limits/rows/vantage-points.js';
import { requirement } from '../lib/verdict/requirement.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { NotTested } from '../lib/verdict/outcome.js';

/** One series of requests serves all of these requirements; the first one that is judged sends it. */
function limitRequirement(id: RequirementId, judge: JudgeLimits): void {
  requirement(id, {
    phase: 'limits',
    probe: ({ limits }) => limits(),
    rule({ parts: { limits } }) {
      if (!limits) return [];
      if (id !== 'LIMIT-12') return judgedBy(judge, id, limits.evidence);
      if (!limits.ban)
        throw new NotTested('a ban is provoked only on a key given for it (--observe-ban=KEY)');
      return judgedBy(judge, id, limits.ban);
    },
  });
}

limitRequirement('LIMIT-01', judgeAdmission);
limitRequirement('LIMIT-02', judgeAdmission);
limitRequirement('LIMIT-03', judgeAdmission);
limitRequirement('LIMIT-04', judgeRetryAfter);
limitRequirement('LIMIT-05', judgeServedAfterRetryAfter);
limitRequirement('LIMIT-06', judgeRetryAfterAgrees);
limitRequirement('LIMIT-07', judgeNoEffect);
limitRequirement('LIMIT-08', judgePerCaller);
limitRequirement('LIMIT-09', judgeAdmission);
limitRequirement('LIMIT-10', judgeDay);
limitRequirement('LIMIT-11', observeAlgorithm);
limitRequirement('LIMIT-12', observeBan);
limitRequirement('LIMIT-13', observeCosts);
limitRequirement('LIMIT-14', judgeReset);
limitRequirement('LIMIT-15', judgeVantagePoints);
