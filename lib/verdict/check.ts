import type { Exchange } from '../evidence/exchange.js';
import type { Finding, Observation } from '../evidence/record/requirement-result.js';
import type { RequirementId } from '../specification/catalogue.js';
import { findingOf, type Evidence, type Failure } from './judgement.js';
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
