import type { OperationName } from '../../evidence/recorded-exchange.js';
import type { RequirementId } from '../../specification/catalogue.js';
import {
  contentErrors,
  isAdmitted,
  isRejected,
  isServed,
  laggingClock,
  reportsRemaining,
  waitEnds,
  type History,
  type Observation,
} from '../history/history.js';
import type { AlgorithmName, Quota } from '../limiter/algorithms.js';
import { bits, both, exactly, tolerances, type Interval, type Steps } from '../tolerances.js';
import type { Burst, PartitionName } from './load.js';

/** How one operation is limited, if otherwise than the others. */
interface OperationRule {
  /** How much of the limit a request uses. By default 1. */
  readonly cost?: number;
  /** It is never rejected. */
  readonly exempt?: boolean;
  /** It is also rejected while the limit that all operations share has requests left. */
  readonly capped?: boolean;
}

/** One way in which the target's limiter could work. Without a deviation it conforms to section 8. */
export interface Hypothesis extends Quota {
  readonly algorithm: AlgorithmName;
  /** What it costs by itself. */
  readonly bits: number;
  /** The clock by whose full minutes windows begin, minus ours, if it is not the target's. */
  readonly phase?: Interval;
  readonly chargesRejected: boolean;
  /** Error statuses whose requests use nothing. */
  readonly uncharged: ReadonlySet<number>;
  /** What they have used is given back once they are answered: until then it counts. */
  readonly givesBackLate?: boolean;
  readonly rules: Partial<Record<OperationName, OperationRule>>;
  /** What is counted apart; `shared`: not even callers are. */
  readonly partition: PartitionName;
  /** What Remaining shows is by so much less than what the limiter really has left. */
  readonly shownLess: number;
  /** Remaining is read at all. */
  readonly believesRemaining: boolean;
  /** What becomes of overlapping requests, if they are not counted one by one: lost by the count (a race), or rejected without need (a lock). */
  readonly overlapping?: 'lost' | 'rejected';
  /** Which requests begin the window anew, and whether a rejection gives the whole limit back. */
  readonly renewedBy?: ReadonlyArray<Observation['outcome']>;
  readonly isEmptied?: boolean;
  /** A second limit over a shorter window, which no header describes. */
  readonly second?: { readonly limit: number; readonly windowMs: number };
  /** Some requests over the limit are let through. */
  readonly leaks?: boolean;
  readonly deviation?: Deviation | undefined;
}

/** In what a faulty limiter differs from a conforming one. */
export interface Deviation {
  readonly id: string;
  /** What the limiter behaves like, as the predicate of "the limiter …". */
  readonly says: string;
  /** The requirements that it violates. */
  readonly violates: readonly RequirementId[];
  /** Whether it admits more than a conforming limiter, or less. */
  readonly admits: 'more' | 'less';
  readonly bits: number;
  readonly change: Partial<Hypothesis>;
  /** Only such algorithms have it. */
  readonly only?: 'fixed window' | 'token bucket' | undefined;
}

export type FindingKind =
  'excess' | 'spurious rejection' | 'remaining too high' | 'filled by others' | 'hidden requests';

/** What a hypothesis could not derive. */
export interface Finding {
  readonly kind: FindingKind;
  readonly burst: Burst;
  /** Those of the burst that show it. */
  readonly observations: readonly Observation[];
  /** Requests too many, or invented. */
  readonly count: number;
  /** What the hypothesis had left before the burst. */
  readonly room: Interval;
  readonly bits: number;
  /** Milliseconds that other clients had the time for it, if it was them. */
  readonly within?: number;
}

/** What an explanation expects at a burst: what was left before it, and after it. */
export interface Traced {
  readonly burst: Burst;
  readonly before: Interval;
  readonly after: Interval;
  /** Whether Reset named a moment that the limiter does not know. */
  readonly isOtherTime: boolean;
}

/** A hypothesis and what it leaves unexplained. */
export interface Explanation {
  readonly hypothesis: Hypothesis;
  readonly findings: readonly Finding[];
  readonly traced: readonly Traced[];
  /** All of it in bits, and what others had the time for alone. */
  readonly total: number;
  readonly others: number;
}

export function findingsOf(
  { findings }: Pick<Explanation, 'findings'>,
  ...kinds: readonly FindingKind[]
): readonly Finding[] {
  return findings.filter(({ kind }) => kinds.includes(kind));
}

/** Requests of these findings together: too many, or invented. */
export function countOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, one) => sum + one.count, 0);
}

/** What no limiter of the hypothesis explains, whatever other clients do. */
export function isContradicted(explanation: Pick<Explanation, 'findings'>): boolean {
  return admitsTooMuch(explanation) || findingsOf(explanation, 'spurious rejection').length > 0;
}

/** Whether more was admitted, or is said to remain, than the hypothesis allows: nobody else's requests explain that. */
export function admitsTooMuch(explanation: Pick<Explanation, 'findings'>): boolean {
  return findingsOf(explanation, 'excess', 'remaining too high').length > 0;
}

/** What less usual limiters do that conform, in the order in which it is tried, and what it costs. */
export const habits: ReadonlyArray<
  readonly [cost: number, changes: (one: Explanation, history: History) => Array<Partial<Hypothesis>>]
> = [
  [bits.habit, readBefore],
  [bits.habit, otherPhase],
  [bits.hardlyRarer, freeErrors],
  // A clock that is ahead of the `Date` that it writes.
  [bits.habit, (_one, { clock }) => (laggingClock(clock) ? [{ clock: laggingClock(clock) }] : [])],
  [bits.steps, bySteps],
  [bits.inParts, byParts],
];

/** Remaining is read before the request is counted: all is left behind one. */
function readBefore(_one: Explanation, { own }: History): Array<Partial<Hypothesis>> {
  const isWhole = own.some(
    (one) => isServed(one) && one.headers.limit !== undefined && one.headers.remaining === one.headers.limit,
  );
  return isWhole ? [{ shownLess: -1 }] : [];
}

/** Windows that begin at another moment than the clock's minute. */
function otherPhase({ hypothesis }: Explanation, history: History): Array<Partial<Hypothesis>> {
  const phase = /clock|counter/u.test(hypothesis.algorithm) ? phaseTold(history) : undefined;
  return phase ? [{ phase }] : [];
}

/** Such a share of the Resets and Retry-Afters names one and the same end, if windows begin at any moment. */
const shareOfPhase = 2 / 3;

/** The clock by which windows of a minute end when most responses say that they do; undefined if they don't agree. */
function phaseTold({ own, windowMs, ...history }: History): Interval | undefined {
  const clock = laggingClock(history.clock) ?? history.clock;
  const rounded = tolerances.resetRoundingMs;
  const ends = own.flatMap((one): Interval[] => {
    const { reset, period } = one.headers;
    if (reset !== undefined && clock && period === 'minute')
      return [[reset - clock[1] - rounded, reset - clock[0] + rounded]];
    // Beside a Reset a wait tells nothing: one that is always a whole window ends when no window does.
    const wait = isRejected(one) ? waitEnds(one, clock) : undefined;
    return wait === undefined ? [] : [[wait - 2 * rounded, wait + rounded]];
  });
  for (const [first, last] of ends) {
    let phase: Interval = [-last, -first];
    const agreeing = ends.filter(([from, to]) => {
      const windows = Math.round((to + phase[0]) / windowMs) * windowMs;
      const common = both(phase, [windows - to, windows - from]);
      phase = common ?? phase;
      return common !== undefined;
    });
    if (agreeing.length >= ends.length * shareOfPhase) return phase;
  }
  return undefined;
}

/** Errors that use nothing, or give back what they have used. */
function freeErrors(_one: Explanation, { own }: History): Array<Partial<Hypothesis>> {
  const errors = [...own.entries()].filter(
    ([, one]) => isAdmitted(one) && contentErrors.has(one.status ?? 0),
  );
  // Behind one that is counted Remaining falls by more than the next request uses.
  const counted = errors.filter(([index]) => {
    const [before, next] = [own[index - 1], own[index + 1]];
    const [was = 0, is = was] = [before, next].map((one) => one?.headers.remaining);
    return was - is > Number(next !== undefined && !isRejected(next));
  });
  if (errors.length === 0 || 2 * counted.length > errors.length) return [];
  return [false, true].map((givesBackLate) => ({ uncharged: contentErrors, givesBackLate }));
}

/** Seconds after which a bucket is refilled, or a log forgets, if not evenly: a minute is divided into so many. */
const divisions = [1, 2, 3, 5, 6, 10, 12, 15, 20, 30];

/** A clock of whole seconds; and longer steps by the clock. */
export function bySteps(
  explanation: Pick<Explanation, 'hypothesis' | 'findings'>,
  { own, ...history }: History,
): Array<{ readonly steps: Steps }> {
  const { algorithm, clock = history.clock } = explanation.hypothesis;
  const [first] = own;
  const isBucket = algorithm === 'token bucket';
  const seconds = { steps: { ms: 1_000, from: clock && ([-clock[1], -clock[0]] as const) } };
  // Without Remaining a log in parts would explain each window that is too short.
  const comesBack = isBucket || (reportsRemaining(own) && algorithm === 'sliding log');
  // Longer steps show by more or less at once than comes back evenly.
  if (!clock || !comesBack || !isContradicted(explanation)) return [seconds];
  // At the end of a step, a clock that is not quite known would excuse all of it.
  const begins = [0, 0.5, 1].map((part) => -clock[0] - part * (clock[1] - clock[0]));
  if (isBucket && first) begins.push(first.sentAt, first.receivedAt);
  const longer = begins.flatMap((from) =>
    divisions.map((length) => ({ steps: { ms: length * 1_000, from: exactly(from) } })),
  );
  return [seconds, ...longer];
}

/** A sliding counter that sums parts of a window, by whole seconds or not. */
function byParts(explanation: Explanation): Array<Partial<Hypothesis>> {
  const isCounter = explanation.hypothesis.algorithm === 'sliding counter';
  return isCounter && isContradicted(explanation)
    ? divisions.map((length) => ({ partMs: length * 1_000 }))
    : [];
}
