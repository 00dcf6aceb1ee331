import { randomUUID } from 'node:crypto';
import type { Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult, RunRecord } from '../record/record.js';
import type { RepeatedRequest, Round } from '../record/repeated-request.js';
import { isRequirementId, type RequirementId } from '../specification/catalogue.js';
import { failsClass, leavesClassOpen } from '../verdict/class-verdict.js';
import { bodySent } from '../session/compare-pets.js';
import { isCreation } from '../session/creation.js';
import { petStatuses } from '../specification/body-schema.js';
import { representatives, type TriedFinding } from './representatives.js';
import { requestsAgain } from './requests-again.js';
import { isLeftToTheWholeRun } from './not-sent-again.js';
import { leftBehind, unsteady } from './unsteady.js';

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
  readonly round: Round;
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
  const tried = representatives(wanted, new Map(exchanges.map((exchange) => [exchange.id, exchange])));
  return {
    failed: ids,
    wholeRun: wanted.find(isLeftToTheWholeRun)?.reason ?? unsteady(wanted, exchanges),
    settings: {
      only: ids,
      repeated: Object.fromEntries(
        ids.map((id) => [id, tried.filter((one) => one.id === id).map(({ finding }) => textOf(finding))]),
      ),
      again: requestsAgain(tried, exchanges, target.baseUrl),
      round: {
        name: randomUUID().slice(0, 8),
        findings: wanted.reduce((sum, { findings }) => sum + findings.length, 0),
        ...(tried.some(isOfNothing) ? {} : rarestStatus(exchanges)),
      },
    },
  };
}

/** An animal without a name and a category may be one of an earlier run: only the pages before tell. */
function isOfNothing({ id, exchanges }: TriedFinding): boolean {
  return (
    leftBehind.has(id) &&
    exchanges.some((one) => {
      const { name, categoryId } = bodySent(one);
      return one.operation === 'createPet' && name === undefined && categoryId === undefined;
    })
  );
}

/** The status of what the run created first: it chose the one that the store held the fewest of. */
function rarestStatus(exchanges: readonly Exchange[]): Pick<Round, 'status'> {
  const control = exchanges.find((one) => one.purpose === 'control' && isCreation(one));
  const status = petStatuses.find((one) => one === (control && bodySent(control).status));
  return status === undefined ? {} : { status };
}

/** What of a finding may name the case that failed. */
function textOf({ message, expected = '' }: RequirementResult['findings'][number]): string {
  return `${message} ${expected}`;
}
