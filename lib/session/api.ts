import type { Exchange } from '../evidence/exchange.js';
import type { Client } from '../http/client/client.js';
import type { Credential, Credentials } from '../http/exchange/credential.js';
import {
  createPet,
  getPet,
  listPets,
  type OperationRequest,
  type PlannedRequest,
  type Query as Parameters,
} from '../http/exchange/planned-request.js';
import { writeJson } from '../specification/json-value.js';

/** The parameters of a listing, in their order: by name, those that are undefined left out; as pairs if a name occurs twice. */
export type Query =
  Parameters | { readonly limit?: number | string | undefined; readonly status?: string | undefined };

function parametersOf(query: Query): Parameters {
  const pairs = Symbol.iterator in query ? [...query] : Object.entries(query);
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/** A query as a sentence shows it: `limit=1&status=sold`. */
export function queryText(query: Query | URLSearchParams): string {
  const parameters = query instanceof URLSearchParams ? [...query] : parametersOf(query);
  return parameters.map((parameter) => parameter.join('=')).join('&');
}

type Members = Readonly<Record<string, unknown>>;
/** An object, a text as it stands, or none. */
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

/** The three operations of section 4 in the specification's words, and what it does not list. */
export class Api {
  constructor(
    private readonly client: Client,
    private readonly keys: () => Credentials,
    private readonly purpose: string,
  ) {}

  get credentials(): Credentials {
    return this.keys();
  }

  /** 4.1 `GET /pets`. */
  async listPets(query: Query = {}, options: RequestOptions = {}): Promise<Exchange> {
    return this.client.send(this.#planned(listPets(parametersOf(query)), options));
  }

  /** 4.2 `POST /pets`. */
  async createPet(body: Body, options: CreateOptions = {}): Promise<Exchange> {
    return this.client.send(this.#creation(body, options));
  }

  /** 4.3 `GET /pets/{petId}`; `petId` goes into the path as it is. */
  async getPet(petId: string | number | bigint, options: RequestOptions = {}): Promise<Exchange> {
    return this.client.send(this.#planned(getPet(petId), options));
  }

  /** A method and path that the specification does not list. */
  async unlisted(method: string, path: string, body?: unknown): Promise<Exchange> {
    const content = body === undefined ? {} : createPet(writeJson(body));
    const request = this.#planned({ ...content, operation: null, method, path });
    // Connections break off now and then.
    return this.client.send({ ...request, again: () => request });
  }

  /** Requests one right after the other: the limiter has room for all of them. */
  async inSequence(requests: ReadonlyArray<() => Promise<Exchange>>): Promise<Exchange[]> {
    await this.client.room(this.#planned(listPets()), requests.length);
    const responses: Exchange[] = [];
    for (const request of requests) responses.push(await request());
    return responses;
  }

  /** Several creations at the same moment; a listing in the place of each that is undefined. */
  async together(bodies: ReadonlyArray<Members | undefined>): Promise<Exchange[]> {
    const listing = this.#planned(listPets([['limit', 1]]));
    return this.client.sendTogether(bodies.map((body) => (body ? this.#creation(body) : listing)));
  }

  /** A creation. The one that is sent in its place has another name, so that the two can be told apart. */
  #creation(body: Body, options: CreateOptions = {}): PlannedRequest {
    const { write = writeJson, latin1 } = options;
    const { contentType = body === undefined ? null : undefined } = options;
    const planned = (text: string | undefined): PlannedRequest =>
      this.#planned(createPet(text, contentType, latin1), options);
    const [text, plain] = typeof body === 'object' ? [write(body), writeJson(body)] : [body, body];
    return {
      ...planned(text),
      again: () => planned(plain?.replaceAll(/("name":"(?:[^"\\]|\\.)*)(?=")/g, '$1 again')),
    };
  }

  #planned(request: OperationRequest, { as = this.credentials.valid }: RequestOptions = {}): PlannedRequest {
    return { ...request, purpose: this.purpose, credential: as };
  }
}
