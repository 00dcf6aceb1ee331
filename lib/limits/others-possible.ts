import { compareWithModels } from './compare.js';
import type { LimitEvidence } from './evidence.js';
import type { AlgorithmName } from './models.js';
import { disagreement, ownAround } from './own-figure.js';
import { fallOf, kindOf, priceFrom } from './prices.js';
import { refused, type Seen } from './seen.js';
import { tellingRemaining, type Shown, type Telling } from './telling-remaining.js';
import { otherClients, type WindowUse } from './window-use.js';

type Watched = Pick<
  LimitEvidence,
  'plan' | 'windowMs' | 'difference' | 'earlier' | 'history' | 'recoveries' | 'strangersAt' | 'uses'
> & {
  readonly uncounted: ReadonlySet<number>;
};

/**
 * Whether anything in the run may be the doing of others on this key: then what is missing is nobody's fault for certain.
 * A limiter that is wrong in one thing, and serves the run alone, leaves none of these traces.
 */
export function othersPossible(watched: Watched): boolean {
  return othersShown(watched) || fitsNoModel(watched);
}

/** Whether answers show others on this key, whatever the algorithm. */
export function othersShown(watched: Watched): boolean {
  const uses = Object.values(watched.uses);
  return (
    uses.some((use) => use.others > 0 || fallsOf(use, watched) > use.strangers) ||
    fallsBetween(watched.history) ||
    answersDisagree(watched) ||
    lowAndRefusedAgain(watched)
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
  const price = priceFrom(history);
  return history.some((seen, index) => {
    const before = history[index - 1];
    if (!before || seen.exchange.operation !== 'listPets' || kindOf(before) !== kindOf(seen)) return false;
    return (fallOf(before, seen) ?? 0) > price(seen);
  });
}

/**
 * Whether no algorithm, applied to the suite's own requests alone and with the highest figure that was shown, explains
 * what the admitted ones were told of Remaining.
 */
function fitsNoModel({ plan, windowMs, history, difference }: Watched): boolean {
  const price = priceFrom(history);
  const limit = highestFigure({ plan, windowMs, history }, price);
  if (limit === undefined) return false;
  const alike = { plan, windowMs, difference, uncounted: new Set<number>() };
  const explains = (figure: number, name?: AlgorithmName): boolean =>
    compareWithModels(history, { ...alike, shown: { limit: figure, price } }).some(
      (one) => one.contradictions === 0 && (name ?? one.name) === one.name,
    );
  // A bucket holds parts of a request, which Remaining does not show.
  return !explains(limit) && !explains(limit + 1, 'token bucket');
}

/** The figure that is shown when most is left; undefined where none is shown. */
function highestFigure(shown: Shown, price = priceFrom(shown.history)): number | undefined {
  return tellingRemaining(shown).reduce<number | undefined>(
    (highest, one) => Math.max(highest ?? 0, leastFigure(one, price)),
    undefined,
  );
}

/** The figure that an answer shows to be there at the least. Where its request is not counted, Remaining is the limit. */
function leastFigure({ seen, remaining, limit }: Telling, price: (seen: Seen) => number): number {
  return Math.min(remaining + price(seen), limit);
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
  const requests = [...earlier, ...history];
  const price = priceFrom(requests);
  const dearest = requests.reduce((most, seen) => Math.max(most, price(seen)), 1);
  const around = ownAround({ requests, windowMs, strangersAt });
  const bounds = tellingRemaining({ plan, windowMs, history: requests }).map((one) => ({
    least: leastFigure(one, price),
    most: one.remaining + dearest * (1 + around(one.seen)),
  }));
  return disagreement(bounds) > 0;
}
