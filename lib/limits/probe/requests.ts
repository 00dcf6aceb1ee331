import type { OperationName } from '../../evidence/recorded-exchange.js';
import { createPet, getPet, type PlannedRequest } from '../../http/exchange/planned-request.js';
import type { PetStatus } from '../../specification/body-schema.js';
import { forgedAddress } from '../history/left-out.js';
import type { LimitSession } from './limit-session.js';

/** Requests of a window that go by turns; behind them creations are rare, as nobody can take animals out again. */
const byTurns = 60;
const rareCreation = 20;
/** An identifier that nothing has (GET-02). */
const unknownId = '9223372036854775807';

/** So many listings, none if the number is below 0. */
export function listings(session: LimitSession, purpose: string, count: number): PlannedRequest[] {
  return Array.from({ length: Math.max(0, count) }, () => session.list(purpose));
}

/** Undefined if the run may not send it: nothing may be created, or no animal is known. */
export function requestOf(
  session: LimitSession,
  operation: OperationName,
  purpose: string,
  status: PetStatus,
): PlannedRequest | undefined {
  const { facts, petId } = session.options;
  if (operation === 'listPets') return session.list(purpose);
  if (operation === 'getPet')
    return petId === undefined ? undefined : session.request(getPet(petId), purpose);
  return facts.readOnly ? undefined : session.create(purpose, status);
}

/** Requests of all operations that this run may send, by turns, or of one. */
export function mixedRequests(
  session: LimitSession,
  purpose: string,
  count: number,
  only?: OperationName,
): PlannedRequest[] {
  return Array.from({ length: Math.max(0, count) }, (_unused, index) => {
    const creation = index < byTurns ? index % 3 === 1 : index % rareCreation === 0;
    const operation = only ?? (creation ? 'createPet' : index % 3 === 2 ? 'getPet' : 'listPets');
    // What may be rejected is looked for in a listing; all others have a status that no listing is looked at for.
    const status = index >= session.left ? session.options.rarestStatus : plainStatus(session);
    return requestOf(session, operation, purpose, status) ?? session.list(purpose);
  });
}

/** The status of creations that no listing is looked at for. */
function plainStatus({ options: { rarestStatus } }: LimitSession): PetStatus {
  return rarestStatus === 'available' ? 'sold' : 'available';
}

/** One request over the limit: a creation, or a listing if nothing may be created. */
export function overLimit(session: LimitSession): PlannedRequest {
  const { facts, rarestStatus } = session.options;
  return facts.readOnly ? session.list('LIMIT-02') : session.create('LIMIT-07', rarestStatus);
}

/** One request of each kind of error between listings, which tell what it used up (LIMIT-13). */
export function errors(session: LimitSession): PlannedRequest[] {
  const { facts, unknownCredential } = session.options;
  const list = session.list('LIMIT-13');
  return [
    ...(facts.readOnly ? [] : [session.request(createPet('{"categoryId":1}'), 'LIMIT-13'), list]),
    session.request(getPet(unknownId), 'LIMIT-13'),
    list,
    session.list('LIMIT-13', unknownCredential),
  ];
}

/** A listing that names another client's address: what a target makes of these headers is not specified. */
export function forged(session: LimitSession): PlannedRequest {
  return { ...session.list('LIMIT-08'), headers: forgedAddress, input: 'silent' };
}
