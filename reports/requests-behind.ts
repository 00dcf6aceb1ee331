import type { RequirementResult } from '../lib/evidence/record/requirement-result.js';
import { isRequirementId } from '../lib/specification/catalogue.js';
import type { FinishedRun } from './finished-run.js';

/** The first exchanges of a finding show it; others of an invariant are like them. */
const exchangesRead = 5;

/**
 * Requirements and those whose requests showed what these found, each once: a rule judges every request of a run, and tried
 * without the one that showed a fault it would pass though the fault is still there.
 */
export async function withRequestsBehind(
  { exchangesById }: Pick<FinishedRun, 'exchangesById'>,
  results: readonly RequirementResult[],
): Promise<string[]> {
  const cited = results.flatMap(({ findings }) =>
    findings.flatMap(({ exchanges }) => exchanges.slice(0, exchangesRead)),
  );
  const shown = await exchangesById(cited);
  const behind = [...shown.values()].flatMap(({ purpose }) => (isRequirementId(purpose) ? [purpose] : []));
  return [...new Set([...results.map(({ id }) => id), ...behind])];
}
