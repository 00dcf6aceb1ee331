import type { Exchange } from '../evidence/exchange.js';
import { ClockDifference } from '../http/clock/clock-difference.js';
import { measurementOf } from '../limits/limits-of-run.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { leftoversOf } from '../evidence/leftovers.js';
import { requirementIds, type RequirementId } from '../specification/catalogue.js';
import { recordedCauses } from '../verdict/causes.js';
import { classResult, runVerdict } from '../verdict/class-verdict.js';
import { rowJudge, type RunToJudge } from './judge-rows.js';
import { requirementClasses, selectionOfRun } from './selection.js';

type Concluded = 'verdict' | 'classes' | 'causes' | 'requirements' | 'requests' | 'leftovers';

/** All of a record that stands in no exchange. The rest follows from the exchanges. */
export type RunFacts = Omit<RunRecord, Concluded>;

/** What is counted of the exchanges of a run. */
export type Counted = Pick<RunRecord, 'requests' | 'leftovers'> & {
  readonly clockDifferenceMs: number | null;
};

export interface RunToRecord extends RunToJudge {
  readonly facts: RunFacts;
  readonly counted: Counted;
  /** The user's own requirements that can be judged. */
  readonly own?: readonly RequirementId[] | undefined;
  /** Results that are taken over as they are, and the classes that they were judged in. */
  readonly kept?: Partial<Pick<RunRecord, 'requirements' | 'classes'>> | undefined;
  /** What a waiver makes of a result. */
  readonly waive?: (row: RequirementResult) => RequirementResult;
}

/** The record of a run: of one that goes on, of one that is judged again, and of traffic that others recorded. */
export function recordOf(run: RunToRecord): RunRecord {
  const { facts, counted, own = [], kept = {}, waive = (row) => row, parts } = run;
  const selection = selectionOfRun(facts);
  const judge = rowJudge(run, selection);
  const rowsKept = new Map(kept.requirements?.map((row) => [row.id, row]));
  const ids = new Set([...requirementIds, ...own, ...rowsKept.keys()] as RequirementId[]);
  const rows = [...ids].map((id) => rowsKept.get(id) ?? waive(judge(id)));
  const isOf = (id: string): boolean => kept.classes?.some((one) => one.id === id) ?? false;
  const named = requirementClasses.filter((id) => isOf(id) || selection.classes.includes(id));
  const classes = [...named, ...(facts.run.options?.rules?.strict ? (['own'] as const) : [])].map((id) =>
    classResult(id, rows, { strict: facts.run.strict }),
  );
  return {
    ...facts,
    target: { ...facts.target, clockDifferenceMs: counted.clockDifferenceMs },
    verdict: runVerdict(classes),
    classes,
    causes: recordedCauses(rows),
    requirements: rows,
    requests: counted.requests,
    leftovers: counted.leftovers,
    ...(parts?.limits && { plans: [measurementOf(parts.limits, rows)] }),
  };
}

type Recorded = Pick<RunRecord, 'run' | 'plans'> & {
  readonly requests: Pick<RunRecord['requests'], 'waitedMs' | 'repeated'>;
};

/** Counts the exchanges of a recorded run. How long it waited, and why it sent again, stands in its record alone. */
export function countedIn(
  { run, plans = [], requests: { waitedMs, repeated } }: Recorded,
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
      repeated: isSame ? (repeated ?? []) : again.map((exchange) => ({ exchange, reason: 'repeated' })),
    },
  };
}
