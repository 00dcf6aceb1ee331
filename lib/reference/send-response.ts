import type { ServerResponse } from 'node:http';
import type { ServiceResponse, ServiceRequest, Header } from './http-message.js';
import type { Service } from './behaviour.js';

/** The bytes of a response's body; undefined if it has none. */
export function payloadOf(response: ServiceResponse, { behaviour }: Service): Buffer | undefined {
  const body =
    response.raw ?? (response.content === undefined ? undefined : behaviour.write(response.content));
  return body === undefined ? undefined : Buffer.from(body);
}

/** `Date` by the service's own clock (RFC 9110 section 6.6.1), so that a test's clock shows consistently. */
export function dateHeader({ now }: Service): Header {
  return ['Date', new Date(now()).toUTCString()];
}

/** Writes the head exactly as given: spelling, order and repetition are kept, and Node adds no Date of its own. */
export function writeHead(
  outgoing: ServerResponse,
  response: ServiceResponse,
  headers: readonly Header[],
): void {
  outgoing.sendDate = false;
  const flat = [...response.headers, ...headers].flat();
  if (response.reason === undefined) outgoing.writeHead(response.status, flat);
  else outgoing.writeHead(response.status, response.reason, flat);
}

/** The response in one piece, with its length. */
export function transmit(
  response: ServiceResponse,
  _asked: ServiceRequest,
  outgoing: ServerResponse,
  service: Service,
): void {
  if (response.drop) {
    outgoing.destroy();
    return;
  }
  const payload = payloadOf(response, service);
  writeHead(outgoing, response, [['Content-Length', String(payload?.byteLength ?? 0)], dateHeader(service)]);
  outgoing.end(payload);
}
