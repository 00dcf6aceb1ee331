import type { ServerResponse } from 'node:http';
import type { Animal, NewPet, PetStatus } from './operations/animal.js';
import type { ServiceResponse, ServiceRequest, Header } from './http-message.js';
import type { ReferenceKey } from './keys.js';
import type { Decision } from './limiter/limiter.js';
import type { JsonObject } from './operations/pet-body.js';
import type { Refusal } from './operations/refused-request.js';
import type { AnimalStore } from './operations/store.js';

/** What the steps of a behaviour work on. */
export interface Service {
  readonly store: AnimalStore;
  readonly keys: readonly ReferenceKey[];
  readonly behaviour: Behaviour;
  /** The path of the base address: `/v1`. */
  readonly basePath: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The query of a listing. */
export interface ListQuery {
  readonly limit: number;
  readonly status: PetStatus | undefined;
}

/** The response that shows an animal. */
export type Place = 'listed' | 'created' | 'got';

type Eventually<Value> = Value | Promise<Value>;

/**
 * The service as steps in which real services differ or go wrong. Each has a conforming default
 * (reference-behaviour.ts). A fault or a variant replaces it, usually by one that calls the former.
 * A step that cannot serve a request throws a Refusal.
 */
export interface Behaviour {
  /** The key that an `Authorization` header proves, if any (section 5). */
  readonly authenticate: (
    authorization: string | undefined,
    service: Service,
    request: ServiceRequest,
  ) => ReferenceKey | undefined;
  /** Whether a request needs a key at all. */
  readonly secured: (request: ServiceRequest) => boolean;
  /** Done before the credential is checked. By default nothing. */
  readonly beforeAuthentication: (request: ServiceRequest, service: Service) => Eventually<void>;
  /** What a 401 carries (RFC 9110 section 15.5.2). */
  readonly challenge: (request: ServiceRequest) => readonly Header[];

  readonly listPets: (request: ServiceRequest, service: Service) => Eventually<ServiceResponse>;
  readonly createPet: (request: ServiceRequest, service: Service) => Eventually<ServiceResponse>;
  readonly getPet: (request: ServiceRequest, service: Service) => Eventually<ServiceResponse>;
  /** What the specification does not list. */
  readonly unlisted: (request: ServiceRequest, service: Service) => Eventually<ServiceResponse>;

  /** Reads the values of the query parameter `limit`. Without a value it is the default. */
  readonly readLimit: (values: readonly string[]) => number;
  /** Reads the values of the query parameter `status`. Without a value there is no filter. */
  readonly readStatusFilter: (values: readonly string[]) => PetStatus | undefined;
  /** The animals that a listing shows, in its order. */
  readonly order: (store: AnimalStore, request: ServiceRequest) => Iterable<Animal>;
  /** The page that a query asks for. */
  readonly page: (animals: Iterable<Animal>, query: ListQuery) => readonly Animal[];

  readonly readBodyText: (request: ServiceRequest) => string;
  readonly parseBody: (text: string) => unknown;
  /** Makes a NewPet of a parsed body. */
  readonly readNewPet: (body: unknown, service: Service) => NewPet;
  readonly checkName: (value: unknown) => string;
  readonly checkCategoryId: (value: unknown) => bigint;
  readonly checkStatus: (value: unknown) => PetStatus | undefined;
  /** The status of an animal that was created without one. */
  readonly statusWhenOmitted: () => PetStatus | undefined;
  readonly assignId: (service: Service, body: JsonObject) => Eventually<bigint>;
  readonly keep: (animal: Animal, service: Service) => void;

  /** The identifier that a path segment writes; throws if it is not an identifier. */
  readonly readPetId: (text: string) => bigint;
  readonly find: (id: bigint, service: Service) => Animal | undefined;

  /** The JSON of an animal. */
  readonly show: (animal: Animal, place: Place) => unknown;
  /** The response to a request that cannot be served. */
  readonly refuse: (refusal: Refusal, request: ServiceRequest, service: Service) => ServiceResponse;
  /** `Deprecation` and `Sunset` of a response. */
  readonly deprecation: (request: ServiceRequest) => readonly Header[];
  /** The rate-limit headers, and `Retry-After` if the request was refused. */
  readonly rateHeaders: (decision: Decision, request: ServiceRequest) => readonly Header[];

  /** The last change of a response. Its headers are complete except Content-Length and Date. */
  readonly finish: (
    response: ServiceResponse,
    request: ServiceRequest,
    service: Service,
  ) => Eventually<ServiceResponse>;
  /** JSON text of a body. */
  readonly write: (content: unknown) => string;
  /** Puts the response on the wire. */
  readonly transmit: (
    response: ServiceResponse,
    request: ServiceRequest,
    outgoing: ServerResponse,
    service: Service,
  ) => Eventually<void>;
}

/** Changes some steps of a behaviour; it may call the ones it replaces. Alterations can be combined. */
export type Alteration = (behaviour: Behaviour) => Partial<Behaviour>;

/** A behaviour with alterations applied in order. */
export function alter(behaviour: Behaviour, alterations: readonly Alteration[]): Behaviour {
  return alterations.reduce<Behaviour>(
    (altered, alteration) => ({ ...altered, ...alteration(altered) }),
    behaviour,
  );
}
