import '../../suites/all.js';
import { judgedDescription, type JudgedDescription } from '../description/judged-description.js';
import { loadRecordedDescription } from '../description/target-description.js';
import { Evidence } from '../evidence/evidence.js';
import { ClockDifference } from '../http/clock/clock-difference.js';
import type { Exchange } from '../evidence/recorded-exchange.js';
import { countedSince, readDays } from '../limits/day/day-count.js';
import { limitsOfRecord, measurementOf, type LimitsOfRun } from '../limits/limits-of-run.js';
import { ledgerDiscrepancies, loadDiscrepancies, loadEvidence } from '../load/count-load.js';
import { UnusableLedger } from '../load/ledger-file.js';

import type { RequirementResult, RunRecord } from '../record/record.js';
import { factsOf } from '../evidence/recorded-facts.js';
import { declaredRequirements, type Declaration } from '../verdict/requirement.js';
import { KnownPets } from '../session/known-pets.js';
import { createsNothing } from '../session/store.js';
import { classOf, requirementIds, type RequirementClass } from '../specification/catalogue.js';
import { recordedCauses } from '../verdict/causes.js';
import { classResult, runVerdict } from '../verdict/class-verdict.js';
import { judgeRule, recordedEnd } from '../verdict/judge-rule.js';
import { notTestedResult } from '../verdict/judgement.js';
import { classesOf, noRoom, select, type Selection } from './selection.js';

/** A run as its folder holds it. */
export interface RecordedRun {
  readonly record: RunRecord;
  /** In the order of the file. */
  readonly exchanges: readonly Exchange[];
  /** Its folder, which holds the ledger. */
  readonly directory: string;
}

/** What the rules make of a recorded run. */
export interface JudgedAgain {
  /** The record that came of it. */
  readonly record: RunRecord;
  /** What in the evidence contradicts itself: a sentence each. */
  readonly discrepancies: readonly string[];
  /** Requirements that can't be judged from what the run left, with the reasons. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** Judges a run by its evidence: the rules are asked again, and nothing is sent. */
export async function judgeAgain({ record, exchanges, directory }: RecordedRun): Promise<JudgedAgain> {
  const ledger = await loadEvidence(directory, exchanges);
  // That is a load: it has no class, and judges nothing.
  if (record.classes.length === 0 && record.requirements.every(({ verdict }) => verdict === 'not-tested'))
    return { record, discrepancies: loadDiscrepancies(record, ledger), leftOut: new Map() };
  const leftOut = new Map<string, string>();
  if (record.run.traffic) {
    const { judgeExchanges } = await import('../traffic/judge-traffic.js');
    const { rows, limits } = judgeExchanges(exchanges, factsOf(record));
    const classes = limits ? (['functional', 'limits'] as const) : (['functional'] as const);
    const again = { ...record, ...concluded(record, rows, limits, classes) };
    return { record: again, discrepancies: [], leftOut };
  }
  const description = await describedAgain(record);
  for (const id of description ? [] : requirementIds.filter((one) => classOf(one) === 'description'))
    leftOut.set(id, 'the interface description is not recorded');
  const counted = await withDaysOfLedger(record, directory, leftOut);
  const limits = record.plans && limitsOfRecord(counted, exchanges);
  const evidence = new Evidence(exchanges, factsOf(record), { limits, description });
  const { only = [], except = [], description: given } = record.run.options ?? {};
  const classes = classesOf({ limits: record.run.limits, description: given?.source });
  const selection = select({ only, except, classes });
  const { notes, ...others } = record;
  return {
    record: {
      ...others,
      // What was noted while the limits were probed does not stand in exchanges.
      ...(record.plans && { notes }),
      ...concluded(record, resultsOf(record, evidence, selection), limits, selection.classes),
      ...countedAgain(record, exchanges),
    },
    discrepancies: ledgerDiscrepancies({ ...ledger, exchanges }),
    leftOut,
  };
}

/** What a record concludes from its requirements. */
function concluded(
  { run }: RunRecord,
  requirements: RequirementResult[],
  limits: LimitsOfRun | undefined,
  classIds: readonly RequirementClass[],
): Pick<RunRecord, 'requirements' | 'classes' | 'verdict' | 'causes' | 'plans'> {
  const { strict = false } = run;
  const classes = classIds.map((id) => classResult(id, requirements, { strict }));
  return {
    requirements,
    classes,
    verdict: runVerdict(classes),
    causes: recordedCauses(requirements),
    ...(limits && { plans: limits.plans.map(measurementOf) }),
  };
}

/** Each requirement as the run had to try it: by its options and its profile, and then by the evidence. */
function resultsOf(
  record: RunRecord,
  evidence: Evidence,
  { reasons }: Pick<Selection, 'reasons'>,
): RequirementResult[] {
  const recorded = new Map(record.requirements.map((row) => [row.id, row]));
  const declared = new Map(declaredRequirements().map((declaration) => [declaration.id, declaration]));
  return requirementIds.map((id) => {
    const left = reasons.get(id);
    if (left !== undefined) return notTestedResult(id, left);
    const declaration = declared.get(id);
    if (!declaration) throw new Error(`${id} is declared by no suite`);
    return resultOf(declaration, recorded.get(id), { record, evidence });
  });
}

function resultOf(
  { id, leavesTo, rule, kinds, inProfile }: Declaration,
  row: RequirementResult | undefined,
  { record, evidence }: { readonly record: RunRecord; readonly evidence: Evidence },
): RequirementResult {
  const { run, target, obstacle } = record;
  // A run that ended early has not tried everything: no rule can tell.
  const mayLack = !run.complete || run.options?.bail !== undefined;
  if (mayLack && row?.verdict === 'not-tested' && row.ended === undefined) return row;
  const own = inProfile(run.profile);
  if (typeof own === 'string') return notTestedResult(id, noRoom(run.profile, own));
  const isUnseen = row && row.findings.length === 0 && row.verdict === 'inconclusive';
  if (run.stopped !== undefined && isUnseen) return row;
  // What responded was not the target, or did not know the key.
  const isUnsent = obstacle !== undefined && row?.ended !== undefined;
  const checks = () => (isUnsent ? [] : rule(evidence));
  const judged = judgeRule({ id, leavesTo, checks }, recordedEnd(row ?? {}));
  // What ended a probe early may be another requirement's to judge.
  const leftTo = row?.ended === undefined ? undefined : row.leftTo;
  const result = leftTo && !judged.leftTo ? { ...judged, leftTo } : judged;
  const isReadOnly = target.readOnly && kinds.includes('creation');
  return isReadOnly && result.checks === 0 && !isUnsent ? notTestedResult(id, createsNothing) : result;
}

/** What else of a record follows from its exchanges. */
function countedAgain(
  { requests, target, plans = [] }: RunRecord,
  exchanges: readonly Exchange[],
): Pick<RunRecord, 'leftovers' | 'requests' | 'target'> {
  const marker = exchanges.flatMap(({ request: { body } }) => /"(pc\w+) /.exec(body ?? '')?.[1] ?? [])[0];
  const pets = new KnownPets(() => marker ?? '\u0000');
  const clock = new ClockDifference();
  const byOperation: Record<string, number> = { listPets: 0, createPet: 0, getPet: 0 };
  for (const exchange of exchanges) {
    pets.see(exchange);
    clock.see(exchange);
    const name = exchange.operation ?? 'unlisted';
    byOperation[name] = (byOperation[name] ?? 0) + 1;
  }
  // A day's requests are recorded in part.
  const ofDays = plans.reduce((sum, { day }) => sum + (day?.sent ?? 0), 0);
  const unrecorded = Math.max(0, ofDays - exchanges.filter(({ purpose }) => purpose === 'LIMIT-10').length);
  const sent = exchanges.length + unrecorded;
  const repeated = exchanges.flatMap(({ repeats }) => repeats ?? []);
  const isSame = requests.repeated?.length === repeated.length;
  return {
    leftovers: pets.leftovers(),
    target: { ...target, clockDifferenceMs: clock.milliseconds },
    requests: {
      ...requests,
      sent,
      byOperation: { ...byOperation, listPets: (byOperation['listPets'] ?? 0) + unrecorded },
      ...(requests.byOrigin && { byOrigin: { [new URL(target.baseUrl).origin]: sent } }),
      ...(requests.repeated &&
        !isSame && { repeated: repeated.map((exchange) => ({ exchange, reason: 'repeated' })) }),
    },
  };
}

/** The record with its days counted again from the ledger: LIMIT-10 is judged by what was written request by request. */
async function withDaysOfLedger(
  record: RunRecord,
  directory: string,
  leftOut: Map<string, string>,
): Promise<RunRecord> {
  const plans = (record.plans ?? []).map(async (plan) => {
    const { day } = plan;
    if (!day) return plan;
    try {
      const { lines } = await readDays(directory, plan.plan);
      if (lines.length === 0) throw new UnusableLedger('it is missing');
      const first = lines.find(({ sent = 0 }) => day.stretches.some(({ from }) => from === sent));
      const { stretches } = countedSince(lines, first?.sent ?? 0);
      // What the run sent before it counted stands before that.
      const before = day.stretches.slice(0, Math.max(0, day.stretches.length - stretches.length));
      return { ...plan, day: { ...day, stretches: [...before, ...stretches] } };
    } catch (error) {
      if (!(error instanceof UnusableLedger)) throw error;
      leftOut.set('LIMIT-10', 'the ledger, by which it is judged, can not be read');
      return plan;
    }
  });
  return { ...record, ...(record.plans && { plans: await Promise.all(plans) }) };
}

async function describedAgain({ run }: RunRecord): Promise<JudgedDescription | undefined> {
  const { source, files, allowOtherHosts } = run.options?.description ?? {};
  if (source === undefined || files === undefined) return undefined;
  return judgedDescription(await loadRecordedDescription(source, files, allowOtherHosts === true));
}
