import type { OperationName } from '../../evidence/recorded-exchange.js';
import type { HeaderList } from '../headers/header-list.js';
import type { Credential } from './credential.js';

export interface OperationRequest {
  readonly operation: OperationName | null;
  readonly method: string;
  /** After the base URL, with its query, sent as it is: `/pets?limit=1`. */
  readonly path: string;
  readonly headers?: HeaderList | undefined;
  readonly body?: string | undefined;
  /** The body is sent in Latin-1, one byte for each character, and not in UTF-8. */
  readonly latin1?: boolean | undefined;
}

export interface PlannedRequest extends OperationRequest {
  /** The catalogue id of the requirement that sends it, or the name of a preparation. */
  readonly purpose: string;
  readonly phase?: string;
  readonly credential: Credential;
  /** Makes what is sent in its place if it broke off, and may have had its effect. */
  readonly again?: (() => PlannedRequest) | undefined;
}

/** Query parameters in their order. One that is undefined is left out, and one with several values occurs as often. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export function parametersOf(query: Query): Array<readonly [name: string, value: string]> {
  return Object.entries(query).flatMap(([name, value = []]) =>
    [value].flat().map((one) => [name, String(one)] as const),
  );
}

/** 4.1 `GET /pets`. The longest pages may come compressed, the others come as they are. */
export function listPets(query: Query = {}): OperationRequest {
  const search = parametersOf(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const isLongest = query.limit === 100;
  return {
    operation: 'listPets',
    method: 'GET',
    path: `/pets${search.length === 0 ? '' : `?${search.join('&')}`}`,
    // As most clients send it: a service that compresses does so with long bodies first.
    headers: isLongest ? [['Accept-Encoding', 'gzip, deflate, br']] : undefined,
  };
}

/** 4.2 `POST /pets` with a body as it stands; `undefined` sends none, and no content type is sent for `null`. */
export function createPet(
  body: string | undefined,
  contentType: string | null = 'application/json',
  latin1?: boolean,
): OperationRequest {
  const headers: HeaderList = contentType === null ? [] : [['Content-Type', contentType]];
  return { operation: 'createPet', method: 'POST', path: '/pets', headers, body, latin1 };
}

/** 4.3 `GET /pets/{petId}`; `petId` goes into the path as it is. */
export function getPet(petId: string | number | bigint): OperationRequest {
  return { operation: 'getPet', method: 'GET', path: `/pets/${petId}` };
}

/** The target of requests and their sender. */
export interface Destination {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly userAgent: string;
  /** The file with the CA certificate that is trusted beside the well-known ones. */
  readonly caFile?: string | undefined;
  /** The files with the client's own certificate and its key. */
  readonly certFiles?: readonly [cert: string, key: string] | undefined;
  /** The source address that connections are bound to, if one was chosen: a vantage point. */
  readonly localAddress?: string | undefined;
  /** Further header fields of every request, as the user gave them. */
  readonly headers?: HeaderList | undefined;
}

/** The header fields of a request, with what its key is written as. */
export function headersOf(
  request: PlannedRequest,
  { userAgent, headers = [] }: Destination,
  authorization: string | undefined,
): HeaderList {
  return [
    ['User-Agent', userAgent],
    ['Accept', 'application/json'],
    ...(authorization === undefined ? [] : ([['Authorization', authorization]] as const)),
    ...headers,
    ...(request.headers ?? []),
  ];
}

/** A request as it is written to a connection. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, the base URL's path included. Never normalised. */
  readonly path: string;
  readonly headers: HeaderList;
  /** An empty body and none are the same: `Content-Length: 0` for POST, nothing for GET (RFC 9110 8.6). */
  readonly body?: string | Uint8Array | undefined;
  /** It goes over a connection of its own, which is closed after the response. */
  readonly apart?: boolean | undefined;
  /** Bytes of body for this response, if fewer than for others. */
  readonly maximumBytes?: number | undefined;
}

export function wireRequest(request: PlannedRequest, destination: Destination): WireRequest {
  const { pathname } = new URL(destination.baseUrl);
  const { authorization, apart } = request.credential;
  const { method, path, body, latin1 } = request;
  return {
    method,
    path: (pathname === '/' ? '' : pathname) + path,
    headers: headersOf(request, destination, authorization),
    body: latin1 && body !== undefined ? Buffer.from(body, 'latin1') : body,
    apart,
  };
}
