import type { Plan } from '../specification/plan.js';
import { algorithmNames, models, type AlgorithmName, type Model } from './models.js';
import { admitted, refused, type Seen } from './seen.js';
import { clockDifference, type ClockDifferenceInterval } from './target-clock.js';
import { viewOf } from './told.js';

export interface CompareOptions {
  readonly plan: Plan;
  readonly windowMs: number;
  readonly difference: ClockDifferenceInterval | undefined;
  /** Statuses whose requests do not use the limit up, as far as that was seen. */
  readonly uncounted: ReadonlySet<number>;
  /** Milliseconds of the models' windows, where they are not to be the specified ones. */
  readonly assumedWindowMs?: number;
  /** Compares what those that were admitted were shown, and no refusal, with another limit and other prices than 1. */
  readonly shown?: { readonly limit: number; readonly price: (seen: Seen) => number };
}

/** How well one algorithm explains what was seen. */
export interface Comparison {
  readonly name: AlgorithmName;
  readonly countsRefusals: boolean;
  /** Answers that could be compared. */
  readonly points: number;
  /** Stretches of the run in which the answers were not those that the algorithm gives. */
  readonly contradictions: number;
  /** Stretches in which Reset or Retry-After named another time than the algorithm's. They may be wrong by themselves. */
  readonly otherTimes: number;
}

/** Requests that overlap are answered in an order that nobody knows: only what they use up is taken from them. */
interface Point {
  readonly seen: Seen;
  readonly at: number;
  readonly alone: boolean;
}

/** Lets each algorithm answer the same requests at the same times, and counts where the target answered otherwise. */
export function compareWithModels(requests: readonly Seen[], options: CompareOptions): Comparison[] {
  const groups = groupsOf(pointsOf(requests, options), options.windowMs);
  const limit = options.shown?.limit ?? limitOf(requests, options);
  return algorithmNames.flatMap((name) =>
    variantsOf(name, limit, options).map(({ countsRefusals, refill }) => {
      const model = models[name]({ limit, refill, windowMs: options.assumedWindowMs ?? options.windowMs });
      const outcomes = groups.map((group) => playGroup(model, group, countsRefusals, options));
      return {
        name,
        countsRefusals,
        points: outcomes.reduce((sum, { points }) => sum + points, 0),
        contradictions: outcomes.filter(({ contradicted }) => contradicted).length,
        otherTimes: outcomes.filter(({ otherTime }) => otherTime).length,
      };
    }),
  );
}

interface ModelVariant {
  readonly countsRefusals: boolean;
  readonly refill: number;
}

/** Whether refused requests count is open; a bucket may hold less than it is refilled with. */
function variantsOf(name: AlgorithmName, limit: number, { plan }: CompareOptions): ModelVariant[] {
  const refills = name === 'token bucket' ? [...new Set([limit, plan.perMinute])] : [limit];
  return refills.flatMap((refill) => [false, true].map((countsRefusals) => ({ countsRefusals, refill })));
}

/** The limit that the target says it applies, so that a wrong figure does not hide the algorithm behind it. */
function limitOf(requests: readonly Seen[], { plan, windowMs }: CompareOptions): number {
  const told = requests.find(
    (request) => request.told.limit !== undefined && viewOf(request.told, plan, windowMs) === 'minute',
  );
  const limit = told?.told.limit ?? plan.perMinute;
  return limit > 0 ? limit : plan.perMinute;
}

function pointsOf(requests: readonly Seen[], { difference }: CompareOptions): Point[] {
  const ahead = clockDifference(difference);
  const bySending = requests.toSorted((a, b) => a.sentAt - b.sentAt);
  let latest = Number.NEGATIVE_INFINITY;
  return bySending.map((request, index) => {
    const overlaps = request.sentAt < latest || (bySending[index + 1]?.sentAt ?? Infinity) < request.at;
    latest = Math.max(latest, request.at);
    return { seen: request, at: (request.sentAt + request.at) / 2 + ahead, alone: !overlaps };
  });
}

/** Stretches without a longer pause: what is wrong in one of them is one contradiction, however many answers show it. */
function groupsOf(points: readonly Point[], windowMs: number): Point[][] {
  const groups: Point[][] = [];
  let last: Point | undefined;
  for (const point of points) {
    const current = groups.at(-1);
    if (!last || !current || point.at - last.at > windowMs / 120) groups.push([point]);
    else current.push(point);
    last = point;
  }
  return groups;
}

function playGroup(
  model: Model,
  group: readonly Point[],
  countsRefusals: boolean,
  options: CompareOptions,
): { points: number; contradicted: boolean; otherTime: boolean } {
  let points = 0;
  let wrong = 0;
  let otherTime = false;
  for (const point of group) {
    const { seen, at, alone } = point;
    if (seen.status === null) continue;
    if (alone && seen.status < 500) {
      const fits = fitsModel(model, point, options);
      if (fits !== undefined) points += 1;
      if (fits === false) wrong += 1;
    }
    const counts = refused(seen) ? countsRefusals : admitted(seen) && !options.uncounted.has(seen.status);
    const price = counts ? (options.shown?.price(seen) ?? 1) : 0;
    for (let one = 0; one < price; one += 1) model.count(at);
    otherTime ||= alone && namesOtherTime(model, point, options);
  }
  // One answer out of line in a long row is a limit that is off by one, not another algorithm.
  const bearable = points <= 5 ? 0 : Math.max(1, Math.floor(points * 0.03));
  return { points, contradicted: wrong > bearable, otherTime };
}

/** Whether the answer is the algorithm's, give or take what latency and rounding leave open; undefined: can't be told. */
function fitsModel(model: Model, { seen, at }: Point, options: CompareOptions): boolean | undefined {
  const slack = (seen.at - seen.sentAt) / 2 + 5;
  const before = model.room(at - slack);
  const after = model.room(at + slack);
  const least = Math.min(before, after);
  const most = Math.max(before, after);
  if (refused(seen)) return options.shown ? undefined : least < 1;
  if (most < 1 - 1e-6) return false;
  const { remaining } = seen.told;
  if (remaining === undefined || viewOf(seen.told, options.plan, options.windowMs) !== 'minute')
    return undefined;
  const counted = options.uncounted.has(seen.status ?? 0) ? 0 : (options.shown?.price(seen) ?? 1);
  return remaining >= Math.floor(least) - counted - 1 && remaining <= Math.ceil(most) - counted + 1;
}

/** Whether Reset or Retry-After name another time than the algorithm does, rounding either way and clocks allowed for. */
function namesOtherTime(model: Model, { seen, at }: Point, options: CompareOptions): boolean {
  const { reset, retryAfter } = seen.told;
  const { difference, plan, windowMs } = options;
  const open = difference === undefined ? 2_000 : Math.min(difference.most - difference.least, 2_000);
  if (reset !== undefined && viewOf(seen.told, plan, windowMs) === 'minute') {
    const moments = [...model.resets(at - open - 5), ...model.resets(at + open + 5)];
    if (moments.every((moment) => Math.abs(reset.at - moment) > 1_100 + open)) return true;
  }
  if (!refused(seen) || retryAfter?.form !== 'seconds') return false;
  // Right is a wait after which one is admitted, and before which none was.
  const until = at + retryAfter.seconds * 1000;
  return model.room(until + 1_000 + open) < 1 || model.room(until - 2_000 - open) >= 1;
}
