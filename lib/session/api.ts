import type { Client } from '../http/client/client.js';
import type { Credential, Credentials } from '../http/exchange/credential.js';
import { Exchange } from '../evidence/exchange.js';
import {
  createPet,
  getPet,
  listPets,
  type OperationRequest,
  type PlannedRequest,
  type Query,
} from '../http/exchange/planned-request.js';
import { writeJson } from '../specification/json-value.js';

export type { Query } from '../http/exchange/planned-request.js';

/** A query as a sentence shows it: `limit=1&status=sold`. */
export function queryText(query: Query): string {
  return query.map((parameter) => parameter.join('=')).join('&');
}

type Members = Readonly<Record<string, unknown>>;

export interface RequestOptions {
  /** Whose key is sent; the valid one by default. */
  readonly as?: Credential;
  /** The specification leaves this input open, so that another 4xx is not a fault. */
  readonly unspecified?: boolean;
}

export interface CreateOptions extends RequestOptions {
  /** `null` sends none. By default `application/json`. */
  readonly contentType?: string | null;
  /** How a body is spelt; without white space by default. */
  readonly write?: (members: Members) => string;
}

/** A body that is sent as it is; `undefined` sends none. */
export interface RawBody {
  readonly text: string | undefined;
  /** The text is sent in Latin-1, and not in UTF-8. */
  readonly latin1?: boolean;
  /** The same under another name, for a body that may be accepted: two that were sent must be distinguishable. */
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

  /** The same operations, requested for another purpose. */
  for(purpose: string): Api {
    return new Api(this.#client, this.credentials, purpose);
  }

  /** 4.1 `GET /pets`. */
  async listPets(query: Query = [], options: RequestOptions = {}): Promise<Exchange> {
    return this.send(listPets(query), options);
  }

  /** Requests one right after the other: the limiter has room for all of them. */
  async inSequence(requests: ReadonlyArray<() => Promise<Exchange>>): Promise<Exchange[]> {
    await this.#client.room(this.#planned(listPets([])), requests.length);
    const responses: Exchange[] = [];
    for (const request of requests) responses.push(await request());
    return responses;
  }

  /** The same listing, so many times at the same moment. */
  async listTogether(query: Query, count: number): Promise<Exchange[]> {
    const request = this.#planned(listPets(query));
    const exchanges = await this.#client.sendTogether(Array.from({ length: count }, () => request));
    return exchanges.map((exchange) => exchange);
  }

  /**
   * 4.2 `POST /pets`. A create that broke off, or that a gateway responded to, is sent once more under another name: the
   * first may have had its effect, so the two must be distinguishable.
   */
  async createPet(newPet: Members, options: CreateOptions = {}): Promise<Exchange> {
    const { write = writeJson } = options;
    return this.#repeatIfBroken(await this.#create({ text: write(newPet) }, options), newPet, options);
  }

  /** Several creates at the same moment. */
  async createTogether(newPets: readonly Members[]): Promise<Exchange[]> {
    const requests = newPets.map((newPet) => this.#planned(createPet(writeJson(newPet))));
    const exchanges = await this.#client.sendTogether(requests);
    return Promise.all(
      exchanges.map(async (exchange, index) => {
        const newPet = newPets[index] ?? {};
        return this.#repeatIfBroken(exchange, newPet, {});
      }),
    );
  }

  /** 4.2 with a body that no value makes: none, truncated JSON. One that must be refused may be sent once more as it is. */
  async createPetFrom(body: RawBody, options: CreateOptions = {}): Promise<Exchange> {
    const first = await this.#create(body, options);
    if (first.broken === undefined) return first;
    const again = body.again ? { ...body, text: body.again() } : body;
    return this.#create(again, options, first);
  }

  /** 4.3 `GET /pets/{petId}`; `petId` goes into the path as it is. */
  async getPet(petId: string | number | bigint, options: RequestOptions = {}): Promise<Exchange> {
    return this.send(getPet(petId), options);
  }

  /** A method and path that the specification does not list. */
  async unlisted(method: string, path: string, body?: unknown): Promise<Exchange> {
    const { headers = [] } = createPet('');
    const content = body === undefined ? {} : { body: writeJson(body), headers };
    return this.send({ operation: null, method, path, ...content }, { unspecified: true });
  }

  /** Sends a create again under another name if its response never came. */
  async #repeatIfBroken(response: Exchange, newPet: Members, options: CreateOptions): Promise<Exchange> {
    if (response.broken === undefined || response.repeats !== undefined) return response;
    const again = typeof newPet.name === 'string' ? { ...newPet, name: `${newPet.name} again` } : newPet;
    const { write = writeJson } = options;
    return this.#create({ text: write(again) }, options, response);
  }

  async #create({ text, latin1 }: RawBody, options: CreateOptions, repeats?: Exchange): Promise<Exchange> {
    if (repeats) this.#client.log.noteRetry(repeats, `${repeats.broken ?? 'no response'}; sent again`);
    return this.send(createPet(text, options.contentType, latin1), options, repeats);
  }

  #planned(request: OperationRequest, options: RequestOptions = {}): PlannedRequest {
    return {
      ...request,
      purpose: this.#purpose,
      credential: options.as ?? this.credentials.valid,
      input: options.unspecified === true ? 'silent' : 'specified',
    };
  }

  /** Any request, as it is planned. */
  async send(request: OperationRequest, options: RequestOptions, repeats?: Exchange): Promise<Exchange> {
    return this.#client.send(this.#planned(request, options), repeats);
  }
}
