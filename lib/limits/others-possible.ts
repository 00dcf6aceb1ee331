import { compareWithModels } from './compare.js';
import type { LimitEvidence } from './evidence.js';
import type { AlgorithmName } from './models.js';
import { fallOf, kindOf, pricesOf } from './prices.js';
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

type Shown = Pick<LimitEvidence, 'plan' | 'windowMs' | 'history'>;

/**
 * Whether anything in the run may be the doing of others on this key: then what is missing is nobody's fault for certain.
 * A limiter that is wrong in one thing, and serves the run alone, leaves none of these traces.
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
  const again = watched.recoveries.some(({ by, look }) => by === 'Retry-After' && refused(look));
  return again && isNeverShownWhole(watched);
}

/** Whether Remaining, with the request itself, was lower at every time than the limit that is told. */
export function isNeverShownWhole(shown: Shown): boolean {
  const highest = highestFigure(shown);
  const told = shown.history.find(({ told }) => told.limit !== undefined)?.told.limit ?? 0;
  return highest !== undefined && highest < told;
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
  const explains = (figure: number, name?: AlgorithmName): boolean =>
    compareWithModels(history, { ...alike, shown: { limit: figure, price } }).some(
      (one) => one.contradictions === 0 && (name ?? one.name) === one.name,
    );
  // A bucket holds parts of a request, which Remaining does not show.
  return !explains(limit) && !explains(limit + 1, 'token bucket');
}

/** The figure that is shown when most is left; undefined where none is shown. */
function highestFigure({ plan, windowMs, history }: Shown): number | undefined {
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
