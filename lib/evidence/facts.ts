import { removalDate } from '../specification/catalogue.js';
import { plans, type Plan } from '../specification/plan.js';
import type { RunRecord } from './record/record.js';
import type { Redact } from './redaction.js';

/** What a rule has to know of the run beside its exchanges. All of it stands in the run record, the key apart. */
export interface EvidenceFacts {
  readonly plan: Plan;
  /** Whether the user said which plan the key has. */
  readonly planGiven: boolean;
  /** The target's clock minus ours, in milliseconds. */
  readonly clockDifference: number | null;
  /** By the run's date, from 5 December 2030 on (section 9.3). */
  readonly removalDatePassed: boolean;
  /** Milliseconds after a creation in which the target need not show the animal everywhere. */
  readonly consistencyMs: number;
  /** A category that the user says the target knows. */
  readonly categoryId: bigint | undefined;
  readonly readOnly: boolean;
  /** Tells the key from other text; in exchanges that were recorded, redaction has replaced it already. */
  readonly redact: Redact;
  /** The key is a plain word or a plain number. */
  readonly keyMayBeWord: boolean;
}

/** The facts of a recorded run. */
export function factsOf({ run, target }: Pick<RunRecord, 'run' | 'target'>): EvidenceFacts {
  const { consistencyMs = 2_000, categoryId } = run.options ?? {};
  const { plan: name } = target;
  // Those of Enterprise are agreed with each client.
  const { perMinute, perDay } = name === 'enterprise' ? { perMinute: 0, perDay: 0 } : plans[name];
  return {
    plan: { name, perMinute: target.perMinute ?? perMinute, perDay: target.perDay ?? perDay },
    planGiven: target.planGiven ?? true,
    clockDifference: target.clockDifferenceMs,
    removalDatePassed: Date.parse(run.startedAt) >= removalDate,
    redact: (text) => text,
    keyMayBeWord: target.keyMayBeWord ?? false,
    consistencyMs,
    categoryId: categoryId === undefined ? undefined : BigInt(categoryId),
    readOnly: target.readOnly,
  };
}
