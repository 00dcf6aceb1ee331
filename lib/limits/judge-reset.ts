import { Inconclusive, NotApplicable } from '../verdict/outcome.js';
import type { Judgement } from '../verdict/judgement.js';
import type { LimitEvidence, Restoration } from './evidence.js';
import { isFixedWindow } from './identify.js';
import { dayUsedUp } from './day-used-up.js';
import { isFixed } from './models.js';
import { othersSeen, surroundings } from './judge-figures.js';
import { admitted, answerOf, refused } from './seen.js';
import { viewOf } from './told.js';

/** LIMIT-14: a request just after the announced Reset sees Remaining restored. */
export function judgeResetKept(judgement: Judgement, evidence: LimitEvidence): void {
  const { restorations, history, plan, windowMs } = evidence;
  if (restorations.length === 0) {
    const told = history.filter(({ told }) => told.reset !== undefined);
    if (told.length > 0 && told.every(({ told }) => viewOf(told, plan, windowMs) === 'day')) {
      throw new NotApplicable("Reset tells the day's end");
    }
    if (history.length > 0 && told.length === 0)
      throw new NotApplicable('no answer carries a Reset (see RATE-03)');
    throw new Inconclusive(evidence.stopped ?? 'no announced Reset passed during the run');
  }
  // A key that others hold over its limit from the first to the last tells nothing of windows.
  if (!history.some(admitted)) throw new Inconclusive('no request with this key was admitted');
  for (const restoration of restorations) {
    const { look } = restoration;
    if (!admitted(look) && !refused(look)) {
      judgement.leaveOpen('the request after Reset got no answer, or one of a server in trouble');
      continue;
    }
    if (refused(look) && dayUsedUp(look, evidence)) {
      judgement.leaveOpen("the day's requests were used up meanwhile");
      continue;
    }
    const problem = notRestored(restoration, evidence);
    if (problem !== undefined && othersSeen(evidence)) {
      judgement.leaveOpen('other clients use the key, and may have used the window up first');
      continue;
    }
    const claim = {
      message: problem ?? '',
      expected: 'a request after the announced Reset is served, with Remaining restored',
      received: received(restoration),
    };
    judgement.check(problem === undefined, [answerOf(restoration.announced), answerOf(look)], () => claim);
  }
}

function received({ announced, look }: Restoration): string {
  const { remaining } = look.told;
  const what = refused(look) ? '429' : `${look.status ?? 'no answer'}, Remaining ${remaining ?? 'not told'}`;
  return `${what}, ${((look.sentAt - announced.at) / 1000).toFixed(1)} s after Reset was announced`;
}

function notRestored({ look, own }: Restoration, evidence: LimitEvidence): string | undefined {
  const { plan, windowMs, identification, history } = evidence;
  const other = evidence.otherWindow();
  const fixed = other ? isFixed(other.name) : isFixedWindow(identification);
  if (refused(look)) {
    // What came back first, where it comes back bit by bit, the suite has used up itself.
    return !fixed && own > 0 && surroundings(evidence).leastRoom(look) === 0
      ? undefined
      : 'the limit has not reset at the announced Reset: 429';
  }
  const { remaining } = look.told;
  if (remaining === undefined) return undefined;
  // What refills or slides comes back bit by bit: that something has come back is all that Reset can promise.
  if (!fixed) return undefined;
  // Whole is what a fresh window has shown; whether that is the plan's figure is LIMIT-01's.
  const shown = history
    .filter(({ told }) => viewOf(told, plan, windowMs) === 'minute')
    .map(({ told }) => told.remaining ?? 0);
  const whole = Math.min(plan.perMinute, Math.max(...shown) + 1);
  // A few short is a matter of what a request costs (LIMIT-01, LIMIT-09), not of the reset.
  return remaining + 2 * own + 1 >= whole
    ? undefined
    : `Remaining is not restored after the announced Reset: ${remaining} of ${whole}`;
}
