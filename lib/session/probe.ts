import type { Clock } from '../http/clock/clock.js';
import type { Plan } from '../specification/plan.js';
import type { Draw } from '../draw/seeded.js';
import type { Exchange } from '../http/exchange/exchange.js';
import type { LimitsOfRun } from '../limits/limits-of-run.js';
import type { Judgement } from '../verdict/judgement.js';
import type { Api } from './api.js';
import type { RetryUntil } from './retry-until.js';
import type { ComparedDescription } from '../description/target-description.js';
import type { Store } from './store.js';

export const profiles = ['quick', 'standard', 'thorough'] as const;
export type Profile = (typeof profiles)[number];

/** All that a probe is given. What it asks is recorded under its requirement's id. */
export interface Probe {
  readonly api: Api;
  readonly store: Store;
  readonly draw: Draw;
  readonly judgement: Judgement;
  readonly profile: Profile;
  readonly plan: Plan;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A name that no other animal of the run has. */
  readonly name: (label?: string) => string;
  /** How many of something this profile has room for. */
  readonly depth: (counts: Record<Profile, number>) => number;
  /** Requests that may go into making a counterexample small. */
  readonly shrinkBudget: () => number;
  /**
   * Asks again until `settled` says that the answer will do, for the configured consistency time: a target may show
   * with a delay what was created. The last answer is returned.
   */
  readonly retryUntil: RetryUntil;
  /** All exchanges so far. */
  readonly exchanges: readonly Exchange[];
  /** The target's clock minus ours in milliseconds, where a `Date` header told it. */
  readonly clockDifference: number | null;
  /** The target's interface description, compared with the specification; loaded once in a run. */
  readonly describedInterface: () => Promise<ComparedDescription>;
  /** The limits of the plans of this run: measured once, by whoever asks first. */
  readonly limits: () => Promise<LimitsOfRun>;
  /** True from 5 December 2030 on, by the run's date (section 9.3). */
  readonly removalDatePassed: boolean;
}
