import type { ServerResponse } from 'node:http';
import type { Answer, Asked, Header } from './answer.js';
import type { Service } from './behaviour.js';

/** The bytes of an answer's body; undefined where it has none. */
export function payloadOf(answer: Answer, { behaviour }: Service): Buffer | undefined {
  const body = answer.raw ?? (answer.content === undefined ? undefined : behaviour.write(answer.content));
  return body === undefined ? undefined : Buffer.from(body);
}

/** `Date` by the service's own clock (RFC 9110 section 6.6.1), so that a clock handed in is told consistently. */
export function dateHeader({ now }: Service): Header {
  return ['Date', new Date(now()).toUTCString()];
}

/** Writes the head exactly as given: spelling, order and repetition are kept, and Node adds no Date of its own. */
export function writeHead(outgoing: ServerResponse, answer: Answer, headers: readonly Header[]): void {
  outgoing.sendDate = false;
  const flat = [...answer.headers, ...headers].flat();
  if (answer.reason === undefined) outgoing.writeHead(answer.status, flat);
  else outgoing.writeHead(answer.status, answer.reason, flat);
}

/** The answer in one piece, with its length. */
export function transmit(answer: Answer, _asked: Asked, outgoing: ServerResponse, service: Service): void {
  if (answer.drop) {
    outgoing.destroy();
    return;
  }
  const payload = payloadOf(answer, service);
  writeHead(outgoing, answer, [['Content-Length', String(payload?.byteLength ?? 0)], dateHeader(service)]);
  outgoing.end(payload);
}
