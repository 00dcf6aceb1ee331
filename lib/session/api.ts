import {
  createPet,
  getPet,
  listPets,
  type OperationRequest,
  type PlannedRequest,
  type Query,
} from '../http/exchange/planned-request.js';
import type { Client } from '../http/client/client.js';
import type { Credential, Credentials } from '../http/exchange/credential.js';
import { type Exchange, brokenReason } from '../http/exchange/exchange.js';
import { writeJson } from '../specification/json-value.js';
import { ApiResponse } from '../verdict/api-response.js';

export type { Query } from '../http/exchange/planned-request.js';

export interface AskOptions {
  /** Whose key is sent; the valid one where nothing is said. */
  readonly as?: Credential;
  /** The specification is silent on this input, so that another 4xx is no fault (ROBUST-01). */
  readonly silent?: boolean;
}

export interface CreateOptions extends AskOptions {
  /** `null` sends none. `application/json` where nothing is said. */
  readonly contentType?: string | null;
}

/** A body that is sent as it stands; `undefined` sends none. */
export interface RawBody {
  readonly text: string | undefined;
  /** The same under another name, where it may be taken: two that were sent must be told apart. */
  readonly again?: () => string;
}

/** The three operations of section 4 in the specification's words, and what it does not list. */
export class Api {
  readonly #client: Client;
  readonly #purpose: string;
  readonly credentials: Credentials;

  constructor(client: Client, credentials: Credentials, purpose: string) {
    this.#client = client;
    this.credentials = credentials;
    this.#purpose = purpose;
  }

  /** The same operations, asked for another purpose. */
  for(purpose: string): Api {
    return new Api(this.#client, this.credentials, purpose);
  }

  /** 4.1 `GET /pets`. */
  async listPets(query: Query = [], options: AskOptions = {}): Promise<ApiResponse> {
    return this.#send(listPets(query), options);
  }

  /** Requests one right after the other: the limiter has room for all of them. */
  async inSequence(requests: ReadonlyArray<() => Promise<ApiResponse>>): Promise<ApiResponse[]> {
    await this.#client.room(this.#ask(listPets([]), {}), requests.length);
    const responses: ApiResponse[] = [];
    for (const request of requests) responses.push(await request());
    return responses;
  }

  /** The same listing, asked for so many times at the same moment (RATE-05). */
  async listTogether(query: Query, count: number): Promise<ApiResponse[]> {
    const ask = this.#ask(listPets(query), {});
    const exchanges = await this.#client.sendTogether(Array.from({ length: count }, () => ask));
    return exchanges.map((exchange) => new ApiResponse(exchange));
  }

  /**
   * 4.2 `POST /pets`. A create that broke off, or that a gateway answered for, is sent once more under another name:
   * the first may have had its effect, so the two must be told apart.
   */
  async createPet(
    newPet: Readonly<Record<string, unknown>>,
    options: CreateOptions = {},
  ): Promise<ApiResponse> {
    const first = await this.#create(writeJson(newPet), options, newPet);
    const again = this.#oncemore(first, newPet);
    return again === undefined ? first : this.#create(writeJson(again), options, again, first);
  }

  /** Several creates at the same moment (CREATE-04). */
  async createTogether(newPets: ReadonlyArray<Readonly<Record<string, unknown>>>): Promise<ApiResponse[]> {
    const asks = newPets.map((newPet) => this.#ask(createPet(writeJson(newPet)), {}));
    const exchanges = await this.#client.sendTogether(asks);
    return Promise.all(
      exchanges.map(async (exchange, index) => {
        const sent = newPets[index] ?? {};
        const response = new ApiResponse(exchange, sent);
        const again = this.#oncemore(response, sent);
        return again === undefined ? response : this.#create(writeJson(again), {}, again, response);
      }),
    );
  }

  /** 4.2 with a body that no value makes: none, cut-off JSON. Where it is to be refused, the same may be sent once more. */
  async createPetFrom({ text, again }: RawBody, options: CreateOptions = {}): Promise<ApiResponse> {
    const first = await this.#create(text, options, undefined);
    return first.broken === undefined
      ? first
      : this.#create(again === undefined ? text : again(), options, undefined, first);
  }

  /** 4.3 `GET /pets/{petId}`; `petId` stands in the path as it is given. */
  async getPet(petId: string | number | bigint, options: AskOptions = {}): Promise<ApiResponse> {
    return this.#send(getPet(petId), options);
  }

  /** A method and path that the specification does not list (ROBUST-02). */
  async unlisted(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    return this.#send(
      {
        operation: null,
        method,
        path,
        ...(body === undefined
          ? {}
          : { body: writeJson(body), headers: [['Content-Type', 'application/json']] }),
      },
      { silent: true },
    );
  }

  async #create(
    body: string | undefined,
    options: CreateOptions,
    sent: unknown,
    repeats?: ApiResponse,
  ): Promise<ApiResponse> {
    if (repeats) this.#client.log.noteRetry(repeats.exchange, `${repeats.broken ?? 'no answer'}; sent again`);
    return this.#send(createPet(body, options.contentType), options, sent, repeats?.exchange);
  }

  /** The body to send instead of one whose answer never came; undefined where an answer did. */
  #oncemore(
    response: ApiResponse,
    newPet: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | undefined {
    if (brokenReason(response.exchange) === undefined || response.exchange.repeats !== undefined)
      return undefined;
    return typeof newPet.name === 'string' ? { ...newPet, name: `${newPet.name} again` } : newPet;
  }

  #ask(ask: OperationRequest, options: AskOptions): PlannedRequest {
    return {
      ...ask,
      purpose: this.#purpose,
      credential: options.as ?? this.credentials.valid,
      input: options.silent === true ? 'silent' : 'specified',
    };
  }

  async #send(
    ask: OperationRequest,
    options: AskOptions,
    sent?: unknown,
    repeats?: Exchange,
  ): Promise<ApiResponse> {
    return new ApiResponse(await this.#client.send(this.#ask(ask, options), repeats), sent);
  }
}
