import type { Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult, RunRecord } from '../record/record.js';
import { isRequirementId, requirementIds, type RequirementId } from '../specification/catalogue.js';
import { failsClass, leavesClassOpen } from './class-verdict.js';

/** What another run judges again. */
export interface Repetition {
  readonly only: readonly string[];
  /** What was found, by requirement: its cases are tried again. */
  readonly repeated: Readonly<Record<string, readonly string[]>>;
}

/**
 * The requirements that failed in a run, and those whose requests showed it; if none failed, those that keep the run from
 * being conformant. Undefined if there are none either.
 */
export async function toRepeat(
  { requirements, run }: RunRecord,
  exchanges: Iterable<Exchange> | AsyncIterable<Exchange>,
): Promise<Repetition | undefined> {
  const failed = requirements.filter((result) => failsClass(result, { strict: run.strict }));
  const wanted = failed.length > 0 ? failed : requirements.filter(leavesClassOpen);
  if (wanted.length === 0) return undefined;
  const sent = await sentFor(wanted, exchanges);
  const needed = wanted.flatMap((result) => cheapestOf(result, sent) ?? []);
  const ids = new Set([...wanted.map(({ id }) => id), ...needed]);
  const repeated = wanted.map(({ id, findings }) => [id, findings.map(toldBy)] as const);
  return { only: requirementIds.filter((id) => ids.has(id)), repeated: Object.fromEntries(repeated) };
}

/** What of a finding may name the case that failed. */
function toldBy({ message, expected = '' }: RequirementResult['findings'][number]): string {
  return `${message} ${expected}`;
}

/** Preparations that every run makes. */
const sentAnyway: ReadonlySet<string> = new Set(['survey', 'control', 'missing kinds']);

/** What exchanges were sent for. */
interface Sent {
  /** By the exchanges that findings show. */
  readonly purposes: ReadonlyMap<string, string>;
  /** Exchanges of each purpose. */
  readonly counts: ReadonlyMap<string, number>;
}

async function sentFor(
  results: readonly RequirementResult[],
  exchanges: Iterable<Exchange> | AsyncIterable<Exchange>,
): Promise<Sent> {
  const shown = new Set(results.flatMap(({ findings }) => findings.flatMap((finding) => finding.exchanges)));
  const purposes = new Map<string, string>();
  const counts = new Map<string, number>();
  for await (const { id, purpose } of exchanges) {
    counts.set(purpose, (counts.get(purpose) ?? 0) + 1);
    if (shown.has(id)) purposes.set(id, purpose);
  }
  return { purposes, counts };
}

/** The requirement with the fewest requests that shows a finding of this one, if neither it nor every run does. */
function cheapestOf(
  { id, findings }: RequirementResult,
  { purposes, counts }: Sent,
): RequirementId | undefined {
  const shownBy = findings.flatMap(({ exchanges }) => exchanges.map((one) => purposes.get(one) ?? ''));
  if (shownBy.some((purpose) => purpose === id || sentAnyway.has(purpose))) return undefined;
  const cost = (purpose: string): number => counts.get(purpose) ?? 0;
  return shownBy.filter(isRequirementId).toSorted((one, other) => cost(one) - cost(other))[0];
}
