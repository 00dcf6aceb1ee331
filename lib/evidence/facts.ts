import { removalDate } from '../specification/catalogue.js';
import type { Plan } from '../specification/plan.js';
import type { RunRecord } from './record/record.js';
import type { Redact } from './redaction.js';

/** What a rule has to know of the run beside its exchanges. All of it stands in the run record, the key apart. */
export type EvidenceFacts = Readonly<ReturnType<typeof factsOf>>;

/** The facts of a recorded run. */
export function factsOf({ run, target }: Pick<RunRecord, 'run' | 'target'>) {
  const { consistencyMs = 2_000, categoryId } = run.options ?? {};
  const { plan: name, perMinute = 0, perDay = 0 } = target;
  // In exchanges that were recorded, redaction has replaced the key already.
  const redact: Redact = (text) => text;
  return {
    plan: { name, perMinute, perDay } satisfies Plan,
    /** Whether the user said which plan the key has. */
    planGiven: target.planGiven ?? true,
    /** The target's clock minus ours, in milliseconds. */
    clockDifference: target.clockDifferenceMs,
    /** By the run's date, from 5 December 2030 on (section 9.3). */
    removalDatePassed: Date.parse(run.startedAt) >= removalDate,
    /** Milliseconds after a creation in which the target need not show the animal everywhere. */
    consistencyMs,
    /** A category that the user says the target knows. */
    categoryId: categoryId === undefined ? undefined : BigInt(categoryId),
    readOnly: target.readOnly,
    /** The run did not get to its end. */
    isStopped: run.stopped !== undefined,
    /** Tells the key from other text. */
    redact,
    /** The key is a plain word or a plain number. */
    keyMayBeWord: target.keyMayBeWord ?? false,
  };
}
