import type { LimitEvidence } from './evidence.js';
import { admitted, type Seen } from './seen.js';
import { ascending, notAfter } from './sorted-times.js';
import { viewOf } from './told.js';
import { otherClients, type WindowUse } from './window-use.js';

type Watched = Pick<LimitEvidence, 'plan' | 'windowMs' | 'earlier' | 'history' | 'strangersAt' | 'uses'> & {
  readonly uncounted: ReadonlySet<number>;
};

/**
 * Whether anything in the run may be the doing of others on this key. That is enough to leave open who took what came
 * back to it and which algorithm gave it, and too little to excuse a figure: a limiter that counts wrongly looks alike.
 */
export function othersPossible(watched: Watched): boolean {
  const uses = Object.values(watched.uses);
  return (
    uses.some((use) => use.others > 0 || fallsOf(use, watched) > use.strangers) || answersDisagree(watched)
  );
}

/** Falls of Remaining beyond what was sent. Where operations differ in price, those of all three in turn look alike. */
function fallsOf(use: WindowUse, watched: Watched): number {
  return use.kind === 'mixed' ? 0 : otherClients(use, watched).certain;
}

/**
 * Whether two admitted answers disagree on a figure of the key's own: each leaves room for it between what it tells and
 * what it tells with all added that the suite sent in two windows, which is as much as a sliding counter holds.
 */
function answersDisagree({ plan, windowMs, earlier, history, strangersAt }: Watched): boolean {
  const own = [...earlier, ...history];
  const sent = ascending([...own.map(({ sentAt }) => sentAt), ...strangersAt]);
  const answered = ascending([...own.map(({ at }) => at), ...strangersAt]);
  const around = ({ sentAt }: Seen): number =>
    notAfter(sent, sentAt) - notAfter(answered, sentAt - 2 * windowMs);
  const price = priceOf(own);
  const told = own.flatMap((seen) => {
    const { remaining, limit = plan.perMinute } = seen.told;
    if (!admitted(seen) || remaining === undefined || viewOf(seen.told, plan, windowMs) !== 'minute')
      return [];
    // The request itself is one of those around it. Where it is not counted, Remaining stays at the limit.
    return [{ least: Math.min(remaining + price, limit), most: remaining + price * around(seen) }];
  });
  const least = told.reduce((highest, one) => Math.max(highest, one.least), 0);
  return told.some(({ most }) => most < least);
}

/** By how much Remaining falls from one answer to the next, most of the time: a request may be counted twice. */
function priceOf(requests: readonly Seen[]): number {
  const times = new Map<number, number>();
  requests.forEach(({ told, sentAt }, index) => {
    const before = requests[index - 1];
    if (!before || before.at > sentAt || before.told.limit !== told.limit) return;
    const fall = (before.told.remaining ?? 0) - (told.remaining ?? 0);
    if (fall > 0) times.set(fall, (times.get(fall) ?? 0) + 1);
  });
  const [commonest] = [...times].toSorted(([, one], [, other]) => other - one);
  return commonest?.[0] ?? 1;
}
