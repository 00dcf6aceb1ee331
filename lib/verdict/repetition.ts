import type { Exchange } from '../http/exchange/exchange.js';
import type { RunRecord } from '../record/record.js';
import { isRequirementId, requirementIds } from '../specification/catalogue.js';
import { failsClass, leavesClassOpen } from './class-verdict.js';

/** What another run judges again. */
export interface Repetition {
  readonly only: readonly string[];
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
  const shown = new Set(wanted.flatMap(({ findings }) => findings.flatMap((finding) => finding.exchanges)));
  const ids = new Set(wanted.map(({ id }) => id));
  for await (const { id, purpose } of exchanges)
    if (shown.has(id) && isRequirementId(purpose)) ids.add(purpose);
  return { only: requirementIds.filter((id) => ids.has(id)) };
}
