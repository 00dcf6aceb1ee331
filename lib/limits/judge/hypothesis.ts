import type { OperationName } from '../../evidence/recorded-exchange.js';
import type { RequirementId } from '../../specification/catalogue.js';
import type { Observation } from '../history/observation.js';
import type { Interval } from '../interval.js';
import type { AlgorithmName, Quota } from '../limiter/limiter.js';
import { bits } from './bits.js';
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
export interface Hypothesis extends Omit<Quota, 'clock'> {
  readonly algorithm: AlgorithmName;
  /** What it costs by itself. */
  readonly bits: number;
  /** The clock by whose full minutes windows begin, minus ours, if it is not the target's. */
  readonly phase?: Interval;
  /** The target's clock minus ours, if it is another one than Date tells. */
  readonly clock?: Interval | undefined;
  readonly chargesRejected: boolean;
  /** Error statuses whose requests use nothing. */
  readonly uncharged: ReadonlySet<number>;
  /** What they have used is given back once they are answered, and Remaining does not show it yet. */
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
  /** What a rejection does, if anything: it begins the window anew, puts its end off as Reset tells, or gives the whole limit back. */
  readonly rejection?: 'renews' | 'putsOff' | 'empties' | undefined;
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
  | 'excess'
  | 'spurious rejection'
  | 'remaining too high'
  | 'filled by others'
  | 'hidden requests'
  | 'other time';

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
  /** Milliseconds in which requests of other clients must have come. */
  readonly within?: number;
}

/** What an explanation expects at a burst: what was left before it, and after it. */
export interface Traced {
  readonly burst: Burst;
  readonly before: Interval;
  readonly after: Interval;
}

/** What a history costs, in bits: what contradicts, what others had the time for, and the moments that Reset named. */
export interface Score {
  readonly behaviour: number;
  readonly others: number;
  readonly times: number;
}

/** A hypothesis and what it leaves unexplained. */
export interface Explanation {
  readonly hypothesis: Hypothesis;
  readonly findings: readonly Finding[];
  readonly traced: readonly Traced[];
  readonly score: Score;
  /** All of it in bits. */
  readonly total: number;
}

export function totalOf({ behaviour, others, times }: Score): number {
  return behaviour + Math.min(others, bits.mostOthers) + Math.min(times, bits.mostOtherTimes);
}

export function findingsOf(
  { findings }: Pick<Explanation, 'findings'>,
  ...kinds: readonly FindingKind[]
): readonly Finding[] {
  return findings.filter(({ kind }) => kinds.includes(kind));
}

/** What no limiter of the hypothesis explains, whatever other clients do. */
export function isContradicted(explanation: Pick<Explanation, 'findings'>): boolean {
  return findingsOf(explanation, 'excess', 'spurious rejection', 'remaining too high').length > 0;
}

/** Whether more was admitted, or is said to remain, than the hypothesis allows: nobody else's requests explain that. */
export function admitsTooMuch(explanation: Pick<Explanation, 'findings'>): boolean {
  return findingsOf(explanation, 'excess', 'remaining too high').length > 0;
}
