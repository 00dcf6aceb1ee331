import type { OperationName } from '../../evidence/recorded-exchange.js';
import type { RequirementId } from '../../specification/catalogue.js';
import type { Burst, History } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import type { Interval } from '../interval.js';
import type { AlgorithmName, Quota } from '../limiter/limiter.js';
import type { PartitionName } from './replay.js';
import { type prices, ranking } from '../tolerances.js';

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
export interface Hypothesis extends Omit<Quota, 'past' | 'clock'> {
  readonly algorithm: AlgorithmName;
  /** Windows begin at any moment, not at full minutes of the target's clock. */
  readonly otherPhase?: boolean;
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
  /** What a rejection does, if anything: it begins the window anew, puts its end off as Reset tells, gives the whole limit back, or makes the next one likely. */
  readonly rejection?: 'renews' | 'putsOff' | 'empties' | 'holds' | undefined;
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
  /** The requirements that it breaks. */
  readonly blames: readonly RequirementId[];
  /** Whether it admits more than a conforming limiter, or less. */
  readonly admits: 'more' | 'less';
  /** What it costs to assume. */
  readonly cost: number;
  readonly change: Partial<Hypothesis>;
}

export type FindingKind = keyof typeof prices;

/** What a replay could not derive from its hypothesis. */
export interface Finding {
  readonly kind: FindingKind;
  readonly burst: Burst;
  /** Those of the burst that show it. */
  readonly observations: readonly Observation[];
  /** Requests too many, or invented. */
  readonly count: number;
  /** What the hypothesis had left before the burst. */
  readonly room: Interval;
  readonly price: number;
}

/** What an explanation expects at a burst: what was left before it, and after it. */
export interface Traced {
  readonly burst: Burst;
  readonly before: Interval;
  readonly after: Interval;
}

/** A hypothesis, what it leaves unexplained, and how much that costs. */
export interface Explanation {
  readonly hypothesis: Hypothesis;
  readonly findings: readonly Finding[];
  readonly traced: readonly Traced[];
  /** Of what was admitted, rejected and remaining; and of the times that Reset named. */
  readonly behaviour: number;
  readonly times: number;
}

/** Times count up to a bound: Reset names the algorithm, and convicts nobody. */
export function totalOf({ behaviour, times }: Pick<Explanation, 'behaviour' | 'times'>): number {
  return behaviour + Math.min(times, ranking.mostTimes);
}

export function findingsOf(
  { findings }: Pick<Explanation, 'findings'>,
  ...kinds: readonly FindingKind[]
): readonly Finding[] {
  return findings.filter(({ kind }) => kinds.includes(kind));
}

/** What no limiter of the hypothesis explains, whatever other clients do. */
export const contradictions = ['excess', 'spurious rejection', 'remaining too high'] as const;
export function contradictionsIn(explanation: Pick<Explanation, 'findings'>): number {
  return findingsOf(explanation, ...contradictions).length;
}

/** What the history of one key says about its limiter. */
export interface Diagnosis {
  readonly history: History;
  /** Conforming explanations, the cheapest first. */
  readonly conforming: readonly Explanation[];
  /** The explanation that the report names: a deviation if one wins, otherwise the best conforming one. */
  readonly best: Explanation;
  /** The conforming hypothesis of the same algorithm as `best`. */
  readonly twin: Explanation;
  /** Explanations nearly as good as the best: what one of them explains convicts nobody. */
  readonly possible: readonly Explanation[];
  /** Set if the best explanation is a deviation. */
  readonly deviation: Deviation | undefined;
  /** Deviations that explain better than any conforming limiter, but not by enough to convict it. */
  readonly rivals: readonly Explanation[];
  /** Requests that must have been sent before the history begins; undefined if nothing tells. */
  readonly past: number | undefined;
  /** Requests of other clients that Remaining shows in the best explanation. */
  readonly otherTraffic: number;
}
