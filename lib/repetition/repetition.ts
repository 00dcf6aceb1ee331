import type { Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult, RunRecord } from '../record/record.js';
import type { RepeatedRequest } from '../record/repeated-request.js';
import { isRequirementId, type RequirementId } from '../specification/catalogue.js';
import { failsClass, leavesClassOpen } from '../verdict/class-verdict.js';
import { requestsAgain } from './requests-again.js';
import { notTriedAgain } from './not-sent-again.js';
import { unsteady } from './unsteady.js';

/** What of a run another one judges again. */
export interface Repetition {
  /** What failed. */
  readonly failed: readonly RequirementId[];
  /** Why only the whole run can tell whether it still fails; undefined if it can be tried alone. */
  readonly wholeRun: string | undefined;
  readonly settings: RepeatedSettings;
}

/** The settings of a run that tries alone what failed. */
export interface RepeatedSettings {
  readonly only: readonly string[];
  /** What was found, by requirement: the cases that it names are tried again. */
  readonly repeated: Readonly<Record<string, readonly string[]>>;
  /** The requests that the findings show. */
  readonly again: readonly RepeatedRequest[];
}

/**
 * The requirements that failed in a run, with the requests that showed it; if none failed, those that keep the run from
 * being conformant. Undefined if there are none either.
 */
export async function toRepeat(
  { requirements, run, target }: RunRecord,
  recorded: Iterable<Exchange> | AsyncIterable<Exchange>,
): Promise<Repetition | undefined> {
  const failed = requirements.filter((result) => failsClass(result, { strict: run.strict }));
  const wanted = failed.length > 0 ? failed : requirements.filter(leavesClassOpen);
  if (wanted.length === 0) return undefined;
  const exchanges: Exchange[] = [];
  // The probes of the limits send the same again, whatever they found.
  for await (const exchange of recorded) if (exchange.phase === undefined) exchanges.push(exchange);
  const ids = wanted.map(({ id }) => id).filter(isRequirementId);
  return {
    failed: ids,
    wholeRun: wanted.some(({ reason }) => reason === notTriedAgain)
      ? notTriedAgain
      : unsteady(wanted, exchanges),
    settings: {
      only: ids,
      repeated: Object.fromEntries(wanted.map(({ id, findings }) => [id, findings.map(toldBy)])),
      again: requestsAgain(wanted, exchanges, target.baseUrl),
    },
  };
}

/** What of a finding may name the case that failed. */
function toldBy({ message, expected = '' }: RequirementResult['findings'][number]): string {
  return `${message} ${expected}`;
}
