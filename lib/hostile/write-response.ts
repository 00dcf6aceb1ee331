import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceResponse, ServiceRequest, Header } from '../reference/http-message.js';
import type { Alteration } from '../reference/behaviour.js';
import { serveReference } from '../reference/serve.js';
import { dateHeader, payloadOf } from '../reference/send-response.js';
import type { HostileTarget } from './fixture.js';

/** A response of the reference service just before it is written. */
export interface RawResponse {
  readonly status: number;
  /** All but Content-Length. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

export type Serve = () => Promise<HostileTarget>;

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

/** The reference service, but `write` writes the responses that `when` selects to their sockets. */
export function rewritten(
  write: (wire: RawResponse, socket: Socket, request: ServiceRequest) => void,
  when: (request: ServiceRequest) => boolean = () => true,
): Serve {
  return referenceWith((behaviour) => ({
    transmit: (response, request, outgoing, service) => {
      const { socket } = outgoing;
      if (!socket || !when(request)) return behaviour.transmit(response, request, outgoing, service);
      const headers = [...response.headers, dateHeader(service)];
      write(
        { status: response.status, headers, body: payloadOf(response, service) ?? Buffer.alloc(0) },
        socket,
        request,
      );
      return undefined;
    },
  }));
}

/** The reference service with changed responses. */
export function changed(
  change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse,
): Serve {
  return referenceWith((behaviour) => ({
    finish: async (response, request, service) =>
      change(await behaviour.finish(response, request, service), request),
  }));
}

/** The reference service with this body for its listings. */
export function listing(raw: string | Uint8Array): Serve {
  return changed((response, request) =>
    request.operation === 'listPets' && response.status === 200 ? { ...response, raw } : response,
  );
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

/** The newest animal as the reference service writes it, without its identifier. */
const newestAnimal = '"name":"Animal 25","categoryId":1,"status":"available"';

/**
 * The reference service with another JSON text for the newest animal: `members` follows its identifier. The animal
 * exists before the run, and is listed as available whatever its members say.
 */
export function withNewestAnimal(members: string): Serve {
  return referenceWith((behaviour) => ({
    write: (content) => behaviour.write(content).replaceAll(newestAnimal, () => members),
  }));
}
