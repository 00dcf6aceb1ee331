import type { Exchange } from '../evidence/exchange.js';
import type { Finding, Observation } from '../evidence/record/requirement-result.js';
import type { RequirementId } from '../specification/catalogue.js';
import { findingOf, wrongHeader, type Evidence, type Failure } from './judgement.js';
import { contrasted } from './contrast.js';
import { reproduceInTurn } from './reproduce.js';

/** A part that the evidence allows no judgement of. */
export interface Open {
  readonly reason: string;
  /** The requirement that judges what keeps this one from being judged. */
  readonly see?: RequirementId | undefined;
}

/**
 * What a rule says. A finding makes the verdict `fail` or `warn`, an open part `inconclusive`, and without any comparison
 * there was nothing to judge.
 */
export interface Check {
  /** How many comparisons held. */
  readonly held?: number;
  readonly finding?: Finding;
  readonly observation?: Observation;
  readonly open?: Open;
  readonly note?: string;
}

export type Checks = Iterable<Check>;

export const passed: Check = { held: 1 };

/** Exchanges that a command sends again one after the other: two that are compared, and one between them. */
const mostInTurn = 3;

/** A comparison that does not hold. What came last is received, and all is sent again in turn, unless the failure says otherwise. */
export function failed(on: Evidence, failure: Failure): Check {
  const exchanges = [on].flat();
  const isPair = exchanges.length > 1 && exchanges.length <= mostInTurn;
  const reproduce = failure.reproduce ?? (isPair ? reproduceInTurn(exchanges) : undefined);
  const [expected, received] = contrasted(failure.expected, failure.received ?? String(exchanges.at(-1)));
  return { finding: findingOf(on, { ...failure, expected, received, reproduce }) };
}

/** A comparison. `failure` is asked for only if it does not hold. */
export function check(holds: boolean, on: Evidence, failure: () => Failure): Check {
  return holds ? passed : failed(on, failure());
}

/** A part that the evidence allows no judgement of. @param see the requirement that judges what keeps this one from it */
export function open(reason: string, see?: RequirementId): Check {
  return { open: { reason, see } };
}

/** A part that can't be judged because of what another requirement judges. @param subject by default the whole */
export function left(to: RequirementId, subject = 'it'): Check {
  return open(`${subject} depends on another requirement`, to);
}

export function observed(subject: string, behaviour: string, ...on: readonly Exchange[]): Check {
  return { observation: { subject, behaviour, exchanges: on.map(({ id }) => id) } };
}

/** What a reader has to know beside the verdict. */
export function note(text: string): Check {
  return { note: text };
}

/**
 * What of a response belongs to others: 401 for the valid key is AUTH-04's, a response that is broken or missing is
 * ROBUST-01's. (A 429 is nobody's: no selection holds one.) Undefined if a rule may judge it.
 * @param what names the request: `a body without "name"`
 */
export function unanswered(
  { status, credential, broken, failure }: Exchange,
  what: string,
): Check | undefined {
  if (status === 401 && credential === 'valid') return open('the valid key was refused with 401', 'AUTH-04');
  if (broken === undefined && status !== undefined) return undefined;
  return open(`${what}: ${broken ?? failure?.message ?? ''}`, 'ROBUST-01');
}

/** Checks the status of a response. @param what names the request, as above */
export function answers(one: Exchange, expected: number | readonly number[], what: string): Check {
  const statuses = [expected].flat();
  const { status = 0 } = one;
  return (
    unanswered(one, what) ??
    check(statuses.includes(status), one, () => ({
      message: `${what}: got ${status}, expected ${statuses.join(' or ')}`,
      expected: statuses.join(' or '),
      // What a listing shows says nothing of its status.
      received: one.length === undefined ? String(one) : `${status} with a listing`,
      fact: { kind: 'status', expected: statuses },
    }))
  );
}

/** What a finding says of a header; by default what came is received. */
interface HeaderFailure extends Pick<Failure, 'message' | 'expected' | 'received'> {
  /** Whether another value is another defect. */
  readonly byValue?: boolean;
}

/** Checks a header of a response. `failure` is what a finding says if it does not hold. */
export function checkHeader(holds: boolean, one: Exchange, name: string, failure: HeaderFailure): Check {
  return check(holds, one, () => {
    const { byValue = false, ...text } = failure;
    const values = one.headers(name);
    const received = values.map((value) => `${name}: ${value}`).join(', ') || `no ${name} header`;
    const fact = { ...wrongHeader(name, values), ...(byValue && { value: values.join(', ') }) };
    return { received, ...text, fact };
  });
}
