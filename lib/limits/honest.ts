import type { Plan } from '../specification/plan.js';
import { possibleAlgorithms, type Identification } from './identify.js';
import { models, type Model } from './models.js';
import { admitted, refused, type Seen } from './seen.js';
import { ascending } from './sorted-times.js';
import type { ClockDifferenceInterval } from './target-clock.js';

/** What was learnt of a limiter, and of the requests that were sent before the ones in question. */
export interface HonestOptions {
  readonly plan: Plan;
  readonly windowMs: number;
  readonly difference: ClockDifferenceInterval | undefined;
  readonly identification: Identification;
  /** Whether an answer's request uses the limit up. */
  readonly counts: (seen: Seen) => boolean;
  readonly before: readonly Seen[];
}

/**
 * How many of these requests a limiter of the plan's figure admits at the most, by the algorithm that was identified and
 * all that was sent before: whatever the way and the clocks leave open counts in its favour. Undefined where no
 * algorithm is known.
 */
export function mostAdmitted(requests: readonly Seen[], options: HonestOptions): number | undefined {
  const { before, counts } = options;
  const attempts = requests.filter((seen) => refused(seen) || (admitted(seen) && counts(seen)));
  const earlier = before.filter((seen) => weighs(seen, options, false)).map(({ sentAt }) => sentAt);
  const times = ascending(attempts.map(({ at }) => at));
  const numbers = played(options, earlier, (model, ahead) => {
    let number = 0;
    for (const time of times) {
      if (model.room(time + ahead) < 1 - 1e-6) continue;
      model.count(time + ahead);
      number += 1;
    }
    return number;
  });
  return numbers && Math.max(...numbers);
}

/** Milliseconds by which a limiter's own clock may lag. */
const coarsestTime = 1_000;

/** How many the figure has room for at a request, at the least. Undefined where no algorithm is known. */
export function leastRoom(look: Seen, options: HonestOptions): number | undefined {
  const { before, plan, windowMs } = options;
  const earlier = before.filter((seen) => weighs(seen, options, true)).map(({ at }) => at);
  // A limiter's time may be in whole seconds. A bucket filled in whole ticks is covered: room is rounded down.
  const moment = Math.max(
    look.sentAt - Math.min(windowMs / plan.perMinute, coarsestTime),
    ...earlier.slice(-1),
  );
  const rooms = played(options, earlier, (model, ahead) => model.room(moment + ahead));
  return rooms && Math.floor(Math.max(0, Math.min(plan.perMinute, ...rooms)));
}

/** Whether an earlier request may use the limit up (`perhaps`), or does for certain. */
function weighs(seen: Seen, { counts, identification }: HonestOptions, perhaps: boolean): boolean {
  const { countsRefusals } = identification;
  if (seen.status === null) return perhaps;
  if (refused(seen)) return perhaps ? countsRefusals !== false : countsRefusals === true;
  return admitted(seen) && counts(seen);
}

/** Asks a limiter of each algorithm that is left, at each end of what the clocks leave open, after the earlier requests. */
function played(
  { plan, windowMs, difference, identification }: HonestOptions,
  earlier: readonly number[],
  ask: (model: Model, ahead: number) => number,
): readonly number[] | undefined {
  const possible = possibleAlgorithms(identification);
  if (possible.length === 0 || difference === undefined) return undefined;
  const times = ascending(earlier);
  return possible.flatMap((name) =>
    [difference.least, difference.most].map((ahead) => {
      const model = models[name]({ limit: plan.perMinute, refill: plan.perMinute, windowMs });
      for (const time of times) model.count(time + ahead);
      return ask(model, ahead);
    }),
  );
}
