import type { OperationName } from '../../evidence/recorded-exchange.js';
import type { RequirementId } from '../../specification/catalogue.js';
import type { History, Observation } from '../history/history.js';
import type { AlgorithmName, Quota } from '../limiter/algorithms.js';
import { bits, type Interval } from '../tolerances.js';
import type { Burst, PartitionName } from './load.js';

/**
 * How one operation is limited, if otherwise than the others: how much of the limit a request uses; `exempt`: never rejected;
 * `capped`: also rejected while the limit that all operations share has requests left.
 */
type OperationRule = number | 'exempt' | 'capped';

/** One way in which the target's limiter could work. Without a deviation it conforms to section 8. */
export interface Hypothesis extends Quota {
  readonly algorithm: AlgorithmName;
  /** What it costs by itself. */
  readonly bits: number;
  /** The clock by whose full minutes windows begin, minus ours, if it is not the target's. */
  readonly phase?: Interval;
  readonly chargesRejected: boolean;
  /** Error statuses whose requests use nothing, or give back what they have used once they are answered. */
  readonly uncharged: ReadonlySet<number>;
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

/** A usual limiter that conforms. */
export function plainHypothesis({ plan, windowMs }: History, algorithm: AlgorithmName): Hypothesis {
  return {
    algorithm,
    bits: 0,
    limit: plan.perMinute,
    windowMs,
    chargesRejected: false,
    uncharged: new Set(),
    rules: {},
    partition: 'none',
    shownLess: 0,
    believesRemaining: true,
  };
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
  /** All of it in bits, and how much of that is for other clients who had the time. */
  readonly total: number;
  readonly atLeisure: number;
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

/** Of explanations, those that are near to the best of them, in order. */
export function nearest(
  explanations: readonly Explanation[],
  near: number = bits.near,
): readonly Explanation[] {
  const least = Math.min(...explanations.map(({ total }) => total));
  return explanations.filter(({ total }) => total - least <= near);
}
