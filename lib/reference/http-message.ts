import type { IncomingHttpHeaders } from 'node:http';

/** The three operations of section 4. */
export type OperationName = 'listPets' | 'createPet' | 'getPet';

/** The parts of a request that the service reads. */
export interface ServiceRequest {
  readonly method: string;
  /** `null` if the specification does not list the method and path. */
  readonly operation: OperationName | null;
  /** The path as it was sent, base address included. */
  readonly path: string;
  /** The last segment of the path, percent-decoded; empty if the path has none. */
  readonly petId: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  /** The body was longer than the service reads; `body` is its beginning. */
  readonly tooLarge: boolean;
  /** The number of the TCP connection that brought the request, counted from 1. */
  readonly connection: number;
  /** The source address of the connection. */
  readonly address: string;
  /** Epoch milliseconds by the service's clock. */
  readonly at: number;
}

export type Header = readonly [name: string, value: string];

export interface ServiceResponse {
  readonly status: number;
  /** The reason phrase, if it is not the usual one. */
  readonly reason?: string;
  /** In the order and spelling in which they are sent. Repeated fields are separate entries. */
  readonly headers: readonly Header[];
  /** The JSON value of the body; absent if there is no body. */
  readonly content?: unknown;
  /** A body that is sent as it is, instead of `content`. */
  readonly raw?: string | Uint8Array;
  /** The connection is cut instead of answering. */
  readonly drop?: boolean;
}

/** The response without a header. */
export function withoutHeader(response: ServiceResponse, ...names: readonly string[]): ServiceResponse {
  const dropped = new Set(names.map((name) => name.toLowerCase()));
  return { ...response, headers: response.headers.filter(([name]) => !dropped.has(name.toLowerCase())) };
}

/** The response with one more header, whether or not it has one of that name. */
export function withHeader(response: ServiceResponse, name: string, value: string): ServiceResponse {
  return { ...response, headers: [...response.headers, [name, value]] };
}

/** The response with each value of a header rewritten; unchanged if the header is absent. */
export function mapHeader(
  response: ServiceResponse,
  name: string,
  rewrite: (value: string) => string,
): ServiceResponse {
  return {
    ...response,
    headers: response.headers.map(([header, value]) =>
      header.toLowerCase() === name.toLowerCase() ? [header, rewrite(value)] : [header, value],
    ),
  };
}
