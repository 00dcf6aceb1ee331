import { stringify } from 'lossless-json';
import { bearerKey } from './operations/authentication.js';
import type { Animal } from './operations/animal.js';
import type { Behaviour } from './behaviour.js';
import { deprecationHeaders } from './operations/deprecation.js';
import { rateLimitHeaders, retryAfterHeader, type RateHeaderChoice } from './limiter/rate-headers.js';
import {
  checkCategoryId,
  checkName,
  checkStatus,
  isJsonObject,
  parseJson,
  readBodyText,
} from './operations/pet-body.js';
import { createPet, getPet, listPets, refuse, unlisted } from './operations/operations.js';
import { readLimit, readPetId, readStatusFilter, takePage } from './operations/parameters.js';
import { Refusal } from './operations/refused-request.js';
import { transmit } from './send-response.js';

export interface ConformingOptions {
  readonly headers: RateHeaderChoice;
  /** The length of "a minute" in milliseconds. */
  readonly windowMs: number;
}

/** The JSON of an animal (section 2). */
function showAnimal({ id, name, categoryId, status, additional }: Animal): unknown {
  return { ...additional, id, name, categoryId, ...(status === undefined ? {} : { status }) };
}

/** The behaviour that meets every requirement of the catalogue, the SHOULDs included. */
export function conformingBehaviour({ headers, windowMs }: ConformingOptions): Behaviour {
  return {
    authenticate: (authorization, { keys }) => bearerKey(authorization, keys),
    secured: () => true,
    beforeAuthentication: () => {},
    challenge: ({ headers: { authorization } }) => [
      [
        'WWW-Authenticate',
        `Bearer realm="pets"${authorization === undefined ? '' : ', error="invalid_token"'}`,
      ],
    ],
    listPets,
    createPet,
    getPet,
    unlisted,
    readLimit,
    readStatusFilter,
    // The newest first: a client that has just created an animal sees it on the first page of a store of any size.
    order: (store) => store.newestFirst(),
    page: takePage,
    readBodyText,
    parseBody: parseJson,
    readNewPet(body, { behaviour }) {
      if (!isJsonObject(body))
        throw new Refusal('invalid-body', 'The request body has to be a JSON object.', 'body');
      const status = behaviour.checkStatus(body.status);
      return {
        name: behaviour.checkName(body.name),
        categoryId: behaviour.checkCategoryId(body.categoryId),
        ...(status === undefined ? {} : { status }),
      };
    },
    checkName,
    checkCategoryId,
    checkStatus,
    statusWhenOmitted: () => 'available',
    assignId: nextIdentifier(),
    keep: (animal, { store }) => store.add(animal),
    readPetId,
    find: (id, { store }) => store.find(id),
    show: showAnimal,
    refuse,
    deprecation: ({ operation }) => (operation === 'getPet' ? deprecationHeaders : []),
    rateHeaders: (decision, { at }) => [
      ...rateLimitHeaders(decision, headers),
      ...(decision.admitted ? [] : [retryAfterHeader(decision, at, windowMs, headers)]),
    ],
    finish: (response) => response,
    write: (content) => stringify(content) ?? 'null',
    transmit,
  };
}

/** Counts up from 1, past identifiers that the store already holds. */
function nextIdentifier(): Behaviour['assignId'] {
  let last = 0n;
  return ({ store }) => {
    do last += 1n;
    while (store.find(last) !== undefined);
    return last;
  };
}
