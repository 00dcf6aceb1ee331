import { eachPlan, judgedBy } from '../lib/limits/limits-of-run.js';
import { observeBan } from '../lib/limits/probe/ban.js';
import { judgeAdmission } from '../lib/limits/rows/admission.js';
import { judgeDay } from '../lib/limits/rows/day.js';
import { observeAlgorithm, observeCosts } from '../lib/limits/rows/observations.js';
import { judgeRetryAfter, judgeRetryAfterAgrees } from '../lib/limits/rows/retry-after.js';
import { judgeNoEffect, judgePerCaller } from '../lib/limits/rows/side-effects.js';
import { judgeReset, judgeServedAfterRetryAfter } from '../lib/limits/rows/announced.js';
import { judgeVantagePoints } from '../lib/limits/rows/vantage-points.js';
import { requirement } from '../lib/requirement/requirement.js';
import { NotTested } from '../lib/verdict/outcome.js';

/** The limits of each plan. One series of requests serves all of these requirements; the first one that is judged sends it. */

requirement('LIMIT-01', { phase: 'limits' }, eachPlan(judgeAdmission));
requirement('LIMIT-02', { phase: 'limits' }, eachPlan(judgeAdmission));
requirement('LIMIT-03', { phase: 'limits' }, eachPlan(judgeAdmission));
requirement('LIMIT-04', { phase: 'limits' }, eachPlan(judgeRetryAfter));
requirement('LIMIT-05', { phase: 'limits' }, eachPlan(judgeServedAfterRetryAfter));
requirement('LIMIT-06', { phase: 'limits' }, eachPlan(judgeRetryAfterAgrees));
requirement('LIMIT-07', { phase: 'limits' }, eachPlan(judgeNoEffect));
requirement('LIMIT-08', { phase: 'limits' }, eachPlan(judgePerCaller));
requirement('LIMIT-09', { phase: 'limits' }, eachPlan(judgeAdmission));
requirement('LIMIT-10', { phase: 'limits' }, eachPlan(judgeDay, 'day'));
requirement('LIMIT-11', { phase: 'limits' }, eachPlan(observeAlgorithm));
requirement('LIMIT-12', { phase: 'limits' }, async ({ limits }) => {
  const { ban } = await limits();
  if (!ban) throw new NotTested('a ban is provoked only on a key given for it (--observe-ban=KEY)');
  return judgedBy(observeBan, 'LIMIT-12', ban);
});
requirement('LIMIT-13', { phase: 'limits' }, eachPlan(observeCosts));
requirement('LIMIT-14', { phase: 'limits' }, eachPlan(judgeReset));
requirement('LIMIT-15', { phase: 'limits' }, eachPlan(judgeVantagePoints));
