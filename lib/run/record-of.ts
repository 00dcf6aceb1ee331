import type { Exchange } from '../evidence/exchange.js';
import { ClockDifference } from '../http/clock/clock-difference.js';
import { measurementOf, type LimitsOfRun } from '../limits/limits-of-run.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { ClassResult, RequirementResult } from '../evidence/record/requirement-result.js';
import { leftoversOf } from '../evidence/leftovers.js';
import { recordedCauses } from '../verdict/causes.js';
import { classResult, runVerdict } from '../verdict/class-verdict.js';

type Concluded = 'verdict' | 'classes' | 'causes' | 'requirements' | 'requests' | 'leftovers';

/** All of a record that stands in no exchange. The rest follows from the exchanges. */
export type RunFacts = Omit<RunRecord, Concluded>;

/** What is counted of the exchanges of a run. */
export type Counted = Pick<RunRecord, 'requests' | 'leftovers'> & {
  readonly clockDifferenceMs: number | null;
};

export interface Judged {
  /** One for each requirement of the catalogue, in its order. */
  readonly rows: readonly RequirementResult[];
  readonly classes: ReadonlyArray<ClassResult['id']>;
  readonly counted: Counted;
  readonly limits?: LimitsOfRun | undefined;
}

/** The record of a run: of one that goes on, of one that is judged again, and of traffic that others recorded. */
export function recordOf(facts: RunFacts, { rows, classes: ids, counted, limits }: Judged): RunRecord {
  const { strict } = facts.run;
  const classes = ids.map((id) => classResult(id, rows, { strict }));
  return {
    ...facts,
    target: { ...facts.target, clockDifferenceMs: counted.clockDifferenceMs },
    verdict: runVerdict(classes),
    classes,
    causes: recordedCauses(rows),
    requirements: [...rows],
    requests: counted.requests,
    leftovers: counted.leftovers,
    ...(limits && { plans: [measurementOf(limits, rows)] }),
  };
}

type Recorded = Pick<RunRecord, 'run' | 'target' | 'plans'> & {
  readonly requests: Pick<RunRecord['requests'], 'waitedMs' | 'repeated'>;
};

/** Counts the exchanges of a recorded run. How long it waited, and why it sent again, stands in its record alone. */
export function countedIn(
  { run, target, plans = [], requests: { waitedMs, repeated } }: Recorded,
  exchanges: readonly Exchange[],
): Counted {
  const marker = exchanges.flatMap(({ request: { body } }) => /"(pc\w+) /.exec(body ?? '')?.[1] ?? [])[0];
  const clock = new ClockDifference();
  const byOperation: Record<string, number> = { listPets: 0, createPet: 0, getPet: 0 };
  for (const exchange of exchanges) {
    clock.see(exchange);
    const name = exchange.operation ?? 'unlisted';
    byOperation[name] = (byOperation[name] ?? 0) + 1;
  }
  // A day's requests are recorded in part.
  const ofDays = plans.reduce((sum, { day }) => sum + (day?.sent ?? 0), 0);
  const unrecorded = Math.max(0, ofDays - exchanges.filter(({ purpose }) => purpose === 'LIMIT-10').length);
  const sent = exchanges.length + unrecorded;
  const again = exchanges.flatMap(({ repeats }) => repeats ?? []);
  // What was under way when a run was interrupted is not told as sent again.
  const isSame = repeated?.length === again.length || !run.complete;
  return {
    clockDifferenceMs: clock.milliseconds,
    leftovers: run.traffic ? [] : leftoversOf(exchanges, marker),
    requests: {
      sent,
      byOperation: { ...byOperation, listPets: (byOperation['listPets'] ?? 0) + unrecorded },
      waitedMs,
      byOrigin: { [new URL(target.baseUrl).origin]: sent },
      repeated: isSame ? (repeated ?? []) : again.map((exchange) => ({ exchange, reason: 'repeated' })),
    },
  };
}
