import type { Exchange } from '../evidence/exchange.js';
import type { Client } from '../http/client/client.js';
import type { Credential, Credentials } from '../http/exchange/credential.js';
import {
  createPet,
  getPet,
  listPets,
  type OperationRequest,
  parametersOf,
  type PlannedRequest,
  type Query,
} from '../http/exchange/planned-request.js';
import { writeJson } from '../specification/json-value.js';

/** A query as a sentence shows it: `limit=1&status=sold`. */
export function queryText(query: Query | URLSearchParams): string {
  const parameters = query instanceof URLSearchParams ? [...query] : parametersOf(query);
  return parameters.map((parameter) => parameter.join('=')).join('&');
}

type Members = Readonly<Record<string, unknown>>;
type Body = Members | string | undefined;

export interface RequestOptions {
  /** Whose key is sent; the valid one by default. */
  readonly as?: Credential;
}

export interface CreateOptions extends RequestOptions {
  /** `null` sends none, as a request without a body does. By default `application/json`. */
  readonly contentType?: string | null;
  /** How a body is spelt; without white space by default. */
  readonly write?: (members: Members) => string;
  /** A text is sent in Latin-1, and not in UTF-8. */
  readonly latin1?: boolean;
}

export type Api = ReturnType<typeof apiOf>;

/** The three operations of section 4 in the specification's words, and what it does not list, sent for one purpose. */
export function apiOf(client: Client, keys: () => Credentials, purpose: string) {
  const planned = (
    request: OperationRequest,
    { as = keys().valid }: RequestOptions = {},
  ): PlannedRequest => ({ ...request, purpose, credential: as });

  /** A creation. The one that is sent in its place has another name, so that the two can be told apart. */
  const creation = (body: Body, options: CreateOptions = {}): PlannedRequest => {
    const { write = writeJson, latin1, contentType = body === undefined ? null : undefined } = options;
    const of = (text: string | undefined): PlannedRequest =>
      planned(createPet(text, contentType, latin1), options);
    const [text, plain] = typeof body === 'object' ? [write(body), writeJson(body)] : [body, body];
    const again = () => of(plain?.replaceAll(/("name":"(?:[^"\\]|\\.)*)(?=")/g, '$1 again'));
    return { ...of(text), again };
  };

  return {
    get credentials() {
      return keys();
    },
    /** 4.1 `GET /pets`. */
    listPets: (query?: Query, options?: RequestOptions) => client.send(planned(listPets(query), options)),
    /** 4.2 `POST /pets`. */
    createPet: (body: Body, options?: CreateOptions) => client.send(creation(body, options)),
    /** 4.3 `GET /pets/{petId}`; `petId` goes into the path as it is. */
    getPet: (petId: string | number | bigint, options?: RequestOptions) =>
      client.send(planned(getPet(petId), options)),

    /** A method and path that the specification does not list. */
    unlisted(method: string, path: string, body?: unknown): Promise<Exchange> {
      const content = body === undefined ? {} : createPet(writeJson(body));
      const request = planned({ ...content, operation: null, method, path });
      // Connections break off now and then.
      return client.send({ ...request, again: () => request });
    },

    /** Requests one right after the other: the limiter has room for all of them. */
    async inSequence(requests: ReadonlyArray<() => Promise<Exchange>>): Promise<void> {
      await client.room(planned(listPets()), requests.length);
      for (const request of requests) await request();
    },

    /** Several creations at the same moment; a listing in the place of each that is undefined. */
    together: (bodies: ReadonlyArray<Members | undefined>) =>
      client.sendTogether(bodies.map((body) => (body ? creation(body) : planned(listPets({ limit: 1 }))))),
  };
}
