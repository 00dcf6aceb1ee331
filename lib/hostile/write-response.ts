import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceResponse, ServiceRequest, Header } from '../reference/http-message.js';
import type { Alteration, Behaviour, Service } from '../reference/behaviour.js';
import { serveReference } from '../reference/serve.js';
import { dateHeader, payloadOf } from '../reference/send-response.js';
import type { Serve } from './fixture.js';

/** A response of the reference service just before it is written. */
export interface RawResponse {
  readonly status: number;
  /** All but Content-Length. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** The animals of a hostile store at the start, so that listings are not empty. */
const animals = Array.from({ length: 25 }, (_, index) => ({
  name: `Animal ${index + 1}`,
  categoryId: 1n,
  status: 'available' as const,
}));

/** The reference service with steps replaced. */
export function referenceWith(...alterations: readonly Alteration[]): Serve {
  return async () => {
    const { baseUrl, close } = await serveReference({ alterations, animals });
    return { baseUrl, close };
  };
}

/** The reference service, altered by the number of each request, counted from 1 as they are first looked at. */
export function counted(
  alter: (behaviour: Behaviour, number: (request: ServiceRequest) => number) => Partial<Behaviour>,
): Serve {
  return () => {
    const numbers = new WeakMap<ServiceRequest, number>();
    let requests = 0;
    const number = (request: ServiceRequest): number => {
      const known = numbers.get(request) ?? (requests += 1);
      numbers.set(request, known);
      return known;
    };
    return referenceWith((behaviour) => alter(behaviour, number))();
  };
}

/** The reference service with changed responses. */
export function changed(
  change: (response: ServiceResponse, request: ServiceRequest, number: number) => ServiceResponse,
): Serve {
  return counted((behaviour, number) => ({
    finish: async (response, request, service) =>
      change(await behaviour.finish(response, request, service), request, number(request)),
  }));
}

/** A response as it would be written. */
export function rawResponse(response: ServiceResponse, service: Service): RawResponse {
  return {
    status: response.status,
    headers: [...response.headers, dateHeader(service)],
    body: payloadOf(response, service) ?? Buffer.alloc(0),
  };
}

/**
 * The reference service, its responses written to their sockets by `write`. Bytes that it returns are the last of their
 * connection.
 */
export function written(write: (response: RawResponse, socket: Socket) => Uint8Array | void): Serve {
  return referenceWith(() => ({
    transmit: (response, _request, { socket }, service) => {
      if (!socket) return;
      const bytes = write(rawResponse(response, service), socket);
      if (bytes) socket.end(bytes);
    },
  }));
}

/** Status line and headers, with the empty line; values are written byte for byte (latin1). */
export function head(wire: Pick<RawResponse, 'status' | 'headers'>, ...more: readonly Header[]): Buffer {
  const line = `HTTP/1.1 ${wire.status} ${STATUS_CODES[wire.status] ?? 'Unknown'}`;
  const fields = [...wire.headers, ...more].map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${[line, ...fields].join('\r\n')}\r\n\r\n`, 'latin1');
}

/** The whole response, well formed. */
export function whole({ status, headers, body }: RawResponse, ...more: readonly Header[]): Buffer {
  return Buffer.concat([head({ status, headers }, ...more, ['Content-Length', String(body.length)]), body]);
}
