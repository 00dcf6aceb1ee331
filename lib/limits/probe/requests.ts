import type { OperationName } from '../../evidence/recorded-exchange.js';
import { createPet, getPet, listPets, type PlannedRequest } from '../../http/exchange/planned-request.js';
import type { PetStatus } from '../../specification/body-schema.js';
import { forgedAddress } from '../history/left-out.js';
import type { LimitSession } from './limit-session.js';

/** Plans with fewer requests a minute have no room for the opening and the errors. */
const smallPlan = 20;
/** Requests of a window that go by turns; behind them creations are rare, as nobody can take animals out again. */
const byTurns = 60;
const rareCreation = 20;
/** An identifier that nothing has (GET-02). */
const unknownId = '9223372036854775807';

export const isLarge = ({ options }: LimitSession): boolean => options.facts.plan.perMinute >= smallPlan;
export const mayCreate = ({ options }: LimitSession): boolean => !options.facts.readOnly;

/**
 * More than the limit, of all operations, and at last as many listings: they may have a limit of their own. In the middle
 * one names another client's address, if Remaining shows its effect.
 */
export function exhausting(session: LimitSession): PlannedRequest[] {
  const { left, history, options, isUnrestrained } = session;
  const { perMinute } = options.facts.plan;
  const requests = [
    ...mixed(session, 'LIMIT-09', isUnrestrained ? left + perMinute + 2 : left),
    ...session.listings('LIMIT-09', isUnrestrained ? perMinute : 0),
  ];
  const middle = Math.floor(left / 2);
  if (!isLarge(session) || middle === 0 || history.at(-1)?.headers.remaining === undefined) return requests;
  // What a target makes of these headers is not specified.
  return requests.with(middle, {
    ...requestOf(session, 'listPets', 'LIMIT-08'),
    headers: forgedAddress,
  });
}

/** Requests of all operations by turns, or of one. */
export function mixed(
  session: LimitSession,
  purpose: string,
  count: number,
  only?: OperationName,
): PlannedRequest[] {
  const { rarestStatus } = session.options;
  // What may be rejected is looked for in a listing; all others have a status that no listing is looked at for.
  const plain = rarestStatus === 'available' ? 'sold' : 'available';
  return Array.from({ length: Math.max(0, count) }, (_unused, index) => {
    const isCreation = index < byTurns ? index % 3 === 1 : index % rareCreation === 0;
    const operation = isCreation ? 'createPet' : index % 3 === 2 ? 'getPet' : 'listPets';
    return requestOf(session, only ?? operation, purpose, index < session.left ? plain : rarestStatus);
  });
}

/** A request of an operation; a listing if the run may create nothing, or knows no animal. */
export function requestOf(
  session: LimitSession,
  operation: OperationName,
  purpose: string,
  status: PetStatus = session.options.rarestStatus,
): PlannedRequest {
  const { petId, newPet } = session.options;
  if (operation === 'createPet' && mayCreate(session))
    return session.request(createPet(newPet(status)), purpose);
  const isKnown = operation === 'getPet' && petId !== undefined;
  return session.request(isKnown ? getPet(petId) : listPets([['limit', 1]]), purpose);
}

/** A whole page of the status that what may be rejected has. */
export function listingOfRarest(session: LimitSession): PlannedRequest {
  const query = [
    ['limit', 100],
    ['status', session.options.rarestStatus],
  ] as const;
  return session.request(listPets(query), 'LIMIT-07');
}

/** One request of each kind of error between listings, which tell what it used up (LIMIT-13). */
export function errors(session: LimitSession): PlannedRequest[] {
  const list = session.listings('LIMIT-13', 1);
  const invalid = session.request(createPet('{"categoryId":1}'), 'LIMIT-13');
  const unknown = session.request(getPet(unknownId), 'LIMIT-13');
  const withoutKey = session.listings('LIMIT-13', 1, session.options.unknownCredential);
  return [...(mayCreate(session) ? [invalid, ...list] : []), unknown, ...list, ...withoutKey];
}

export function ofOtherKey(session: LimitSession): PlannedRequest[] {
  const { otherCredential } = session.options;
  return otherCredential ? session.listings('LIMIT-08', 1, otherCredential) : [];
}
