import { eachPlan, judgedBy, type JudgeLimits } from '../lib/limits/limits-of-run.js';
import { judgeAdmission } from '../lib/limits/rows/admission.js';
import { observeBan } from '../lib/limits/rows/ban.js';
import { judgeDay } from '../lib/limits/rows/day.js';
import { observeAlgorithm, observeCosts } from '../lib/limits/rows/observations.js';
import { judgeRetryAfter, judgeRetryAfterAgrees } from '../lib/limits/rows/retry-after.js';
import { judgeNoEffect, judgePerCaller } from '../lib/limits/rows/side-effects.js';
import { judgeReset, judgeServedAfterRetryAfter } from '../lib/limits/rows/announced.js';
import { judgeVantagePoints } from '../lib/limits/rows/vantage-points.js';
import { requirement } from '../lib/verdict/requirement.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { NotTested } from '../lib/verdict/outcome.js';

/** The limits of each plan. One series of requests serves all of these requirements; the first one that is judged sends it. */

/** The least favourable result of all plans that were probed. */
function judgedOfEachPlan(id: RequirementId, judge: JudgeLimits, part?: 'day'): void {
  requirement(id, {
    phase: 'limits',
    probe: ({ limits }) => limits(),
    rule: ({ parts: { limits } }) => (limits ? eachPlan(limits, id, judge, part) : []),
  });
}

judgedOfEachPlan('LIMIT-01', judgeAdmission);
judgedOfEachPlan('LIMIT-02', judgeAdmission);
judgedOfEachPlan('LIMIT-03', judgeAdmission);
judgedOfEachPlan('LIMIT-04', judgeRetryAfter);
judgedOfEachPlan('LIMIT-05', judgeServedAfterRetryAfter);
judgedOfEachPlan('LIMIT-06', judgeRetryAfterAgrees);
judgedOfEachPlan('LIMIT-07', judgeNoEffect);
judgedOfEachPlan('LIMIT-08', judgePerCaller);
judgedOfEachPlan('LIMIT-09', judgeAdmission);
judgedOfEachPlan('LIMIT-10', judgeDay, 'day');
judgedOfEachPlan('LIMIT-11', observeAlgorithm);
requirement('LIMIT-12', {
  phase: 'limits',
  probe: ({ limits }) => limits(),
  rule({ parts: { limits } }) {
    if (!limits) return [];
    if (!limits.ban) throw new NotTested('a ban is provoked only on a key given for it (--observe-ban=KEY)');
    return judgedBy(observeBan, 'LIMIT-12', limits.ban);
  },
});
judgedOfEachPlan('LIMIT-13', observeCosts);
judgedOfEachPlan('LIMIT-14', judgeReset);
judgedOfEachPlan('LIMIT-15', judgeVantagePoints);
