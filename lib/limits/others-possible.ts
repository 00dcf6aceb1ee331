import { compareWithModels } from './compare.js';
import type { LimitEvidence } from './evidence.js';
import { admitted, refused, type Seen } from './seen.js';
import { ascending, notAfter } from './sorted-times.js';
import { viewOf } from './told.js';
import { otherClients, type WindowUse } from './window-use.js';

type Watched = Pick<
  LimitEvidence,
  'plan' | 'windowMs' | 'difference' | 'earlier' | 'history' | 'recoveries' | 'strangersAt' | 'uses'
> & {
  readonly uncounted: ReadonlySet<number>;
};

/**
 * Whether anything in the run may be the doing of others on this key. That is enough to leave open who took what came
 * back to it and which algorithm gave it, and too little to excuse a figure: a limiter that counts wrongly looks alike.
 */
export function othersPossible(watched: Watched): boolean {
  const uses = Object.values(watched.uses);
  return (
    uses.some((use) => use.others > 0 || fallsOf(use, watched) > use.strangers) ||
    fallsBetween(watched.history) ||
    answersDisagree(watched) ||
    lowAndRefusedAgain(watched) ||
    fitsNoModel(watched)
  );
}

/**
 * Whether Remaining is lower from the first than the limit told, and one who waited as told is refused all the same. By
 * itself a limiter may apply another figure than it tells, or name too short a wait; both at once is somebody else.
 */
function lowAndRefusedAgain(watched: Watched): boolean {
  const highest = highestFigure(watched);
  const told = watched.history.find(({ told }) => told.limit !== undefined)?.told.limit ?? 0;
  const again = watched.recoveries.some(({ by, look }) => by === 'Retry-After' && refused(look));
  return again && highest !== undefined && highest < told;
}

/** Whether Remaining fell further, from one answer to the next in the same window, than such a request costs. */
function fallsBetween(history: readonly Seen[]): boolean {
  const prices = pricesOf(history);
  return history.some((seen, index) => {
    const before = history[index - 1];
    const price = prices.get(kindOf(seen));
    const fall = before && fallOf(before, seen);
    if (fall === undefined || price === undefined || kindOf(before ?? seen) !== kindOf(seen)) return false;
    return fall > price && seen.exchange.operation === 'listPets';
  });
}

/**
 * Whether no algorithm, applied to the suite's own requests alone and with the highest figure that was shown, explains
 * what the admitted ones were told of Remaining.
 */
function fitsNoModel({ plan, windowMs, history, difference }: Watched): boolean {
  const limit = highestFigure({ plan, windowMs, history });
  if (limit === undefined) return false;
  const prices = pricesOf(history);
  const price = (seen: Seen): number => prices.get(kindOf(seen)) ?? 1;
  const alike = { plan, windowMs, difference, uncounted: new Set<number>() };
  const comparisons = compareWithModels(history, { ...alike, shown: { limit, price } });
  // A bucket holds parts of a request, which Remaining does not show.
  const buckets = compareWithModels(history, { ...alike, shown: { limit: limit + 1, price } }).filter(
    ({ name }) => name === 'token bucket',
  );
  return [...comparisons, ...buckets].every(({ contradictions }) => contradictions > 0);
}

/** The figure that is shown when most is left; undefined where none is shown. */
function highestFigure({ plan, windowMs, history }: Pick<Watched, 'plan' | 'windowMs' | 'history'>) {
  const prices = pricesOf(history);
  let highest: number | undefined;
  for (const seen of history) {
    const { remaining, limit = plan.perMinute } = seen.told;
    if (!admitted(seen) || remaining === undefined || viewOf(seen.told, plan, windowMs) !== 'minute')
      continue;
    highest = Math.max(highest ?? 0, Math.min(remaining + (prices.get(kindOf(seen)) ?? 1), limit));
  }
  return highest;
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
  const prices = pricesOf(own);
  const dearest = Math.max(1, ...prices.values());
  const told = own.flatMap((seen) => {
    const { remaining, limit = plan.perMinute } = seen.told;
    if (!admitted(seen) || remaining === undefined || viewOf(seen.told, plan, windowMs) !== 'minute')
      return [];
    // The request itself is one of those around it. Where it is not counted, Remaining stays at the limit.
    const price = prices.get(kindOf(seen)) ?? 1;
    return [{ least: Math.min(remaining + price, limit), most: remaining + dearest * around(seen) }];
  });
  const least = told.reduce((highest, one) => Math.max(highest, one.least), 0);
  return told.some(({ most }) => most < least);
}

/** Requests that cost the same: some operations may be counted twice, and errors not at all. */
function kindOf({ exchange, status }: Seen): string {
  return `${exchange.operation ?? ''} ${status}`;
}

/** By how much Remaining falls with a request of each kind, most of the time. */
function pricesOf(requests: readonly Seen[]): ReadonlyMap<string, number> {
  const falls = new Map<string, Map<number, number>>();
  requests.forEach((request, index) => {
    const before = requests[index - 1];
    const fall = before && fallOf(before, request);
    if (fall === undefined || fall < 0) return;
    const times = falls.get(kindOf(request)) ?? new Map<number, number>();
    falls.set(kindOf(request), times.set(fall, (times.get(fall) ?? 0) + 1));
  });
  return new Map([...falls].map(([kind, times]) => [kind, commonest(times)]));
}

/** By how much Remaining fell, in the same window; undefined where the two can't be compared. */
function fallOf(before: Seen, { told, sentAt }: Seen): number | undefined {
  const { limit, remaining, reset } = before.told;
  if (before.at > sentAt || limit !== told.limit || remaining === undefined || told.remaining === undefined)
    return undefined;
  if (Math.abs((reset?.at ?? 0) - (told.reset?.at ?? 0)) > 1_000) return undefined;
  return remaining - told.remaining;
}

function commonest(times: ReadonlyMap<number, number>): number {
  const [first] = [...times].toSorted(([, one], [, other]) => other - one);
  return first?.[0] ?? 1;
}
