import { judgeBetweenKeys } from '../lib/limits/judge-between-keys.js';
import { judgeDay } from '../lib/limits/judge-day.js';
import { judgeRefusedWithoutEffect, observeAlgorithm, observeCosts } from '../lib/limits/judge-effects.js';
import {
  judgeBurst,
  judgeFigureAdmitted,
  judgeOneLimitForAll,
  judgeOverLimitRefused,
} from '../lib/limits/judge-figures.js';
import { judgeResetKept } from '../lib/limits/judge-reset.js';
import {
  judgeAgreement,
  judgeRetryAfter,
  judgeServedAfterRetryAfter,
} from '../lib/limits/judge-retry-after.js';
import { eachDay, eachMinute } from '../lib/limits/limits-of-run.js';
import { requirement } from '../lib/requirement/requirement.js';
import { NotTested } from '../lib/verdict/outcome.js';

/** The limits of each plan. One series of requests serves all of these requirements; the first one asked for sends it. */

requirement('LIMIT-01', { phase: 'limits' }, eachMinute(judgeFigureAdmitted));
requirement('LIMIT-02', { phase: 'limits' }, eachMinute(judgeOverLimitRefused));
requirement('LIMIT-03', { phase: 'limits' }, eachMinute(judgeBurst));
requirement('LIMIT-04', { phase: 'limits' }, eachMinute(judgeRetryAfter));
requirement('LIMIT-05', { phase: 'limits' }, eachMinute(judgeServedAfterRetryAfter));
requirement('LIMIT-06', { phase: 'limits' }, eachMinute(judgeAgreement));
requirement('LIMIT-07', { phase: 'limits' }, eachMinute(judgeRefusedWithoutEffect));
requirement('LIMIT-08', { phase: 'limits' }, eachMinute(judgeBetweenKeys));
requirement('LIMIT-09', { phase: 'limits' }, eachMinute(judgeOneLimitForAll));
requirement('LIMIT-10', { phase: 'limits' }, eachDay(judgeDay));
requirement('LIMIT-11', { phase: 'limits' }, eachMinute(observeAlgorithm));
requirement('LIMIT-12', { phase: 'limits' }, async ({ limits }) => {
  const { ban } = await limits();
  if (!ban) throw new NotTested('a ban is provoked only on a key given for it (--observe-ban=KEY)');
  return ban;
});
requirement('LIMIT-13', { phase: 'limits' }, eachMinute(observeCosts));
requirement('LIMIT-14', { phase: 'limits' }, eachMinute(judgeResetKept));
