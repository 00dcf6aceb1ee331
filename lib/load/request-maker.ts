import type { Credential } from '../http/exchange/credential.js';
import type { PlannedRequest } from './request.js';

/** Makes the requests of the three operations (section 4), complete, for one key. */
export class RequestMaker {
  readonly #basePath: string;

  constructor(
    baseUrl: string,
    readonly userAgent: string,
    readonly credential: Credential,
  ) {
    const { pathname } = new URL(baseUrl);
    this.#basePath = pathname === '/' ? '' : pathname;
  }

  /** `GET /pets`; a page of one where nothing else is said, so that the answer is small. */
  list(purpose: string, query = '?limit=1'): PlannedRequest {
    return this.#planned({ purpose, method: 'GET', path: `/pets${query}`, operation: 'listPets' });
  }

  /** `GET /pets/{petId}`. */
  get(purpose: string, id: string): PlannedRequest {
    return this.#planned({ purpose, method: 'GET', path: `/pets/${id}`, operation: 'getPet' });
  }

  /** `POST /pets` with a body as it stands. */
  create(purpose: string, body: string): PlannedRequest {
    return this.#planned({ purpose, method: 'POST', path: '/pets', operation: 'createPet', body });
  }

  #planned(
    part: Pick<PlannedRequest, 'purpose' | 'method' | 'path' | 'operation'> & { readonly body?: string },
  ): PlannedRequest {
    const { authorization, kind, caller } = this.credential;
    return {
      ...part,
      path: this.#basePath + part.path,
      headers: [
        ['User-Agent', this.userAgent],
        ['Accept', 'application/json'],
        ...(authorization === undefined ? [] : ([['Authorization', authorization]] as const)),
        ...(part.body === undefined ? [] : ([['Content-Type', 'application/json']] as const)),
      ],
      credential: kind,
      ...(caller === undefined ? {} : { caller }),
      input: 'specified',
    };
  }
}
