import type { FailureKind } from '../../http/exchange/exchange.js';
import type { Header } from '../../reference/http-message.js';
import {
  brokenAnswer,
  undocumented,
  type Expectation,
  type HostileFixture,
  type WireExpectation,
} from '../fixture.js';
import { head, rewritten, whole, type RawResponse } from '../write-response.js';

const close: Header = ['Connection', 'close'];

/** Targets whose messages are longer or shorter than they say (RFC 9112 6). */
export const framing: readonly HostileFixture[] = [
  misframed({
    name: 'length-too-large',
    title: 'Content-Length promises more than comes before the connection is closed',
    bytes: (wire) => Buffer.concat([head(wire, length(wire.body.length + 10)), wire.body]),
    wire: failure('closed', /closed the connection, after \d+ bytes/, 200),
  }),
  misframed({
    name: 'length-too-large-and-close',
    title: 'Content-Length promises more than comes, on a connection announced to close',
    bytes: (wire) => Buffer.concat([head(wire, close, length(wire.body.length + 10)), wire.body]),
    wire: failure('closed', /before its Content-Length/, 200),
  }),
  misframed({
    name: 'length-too-small',
    title: 'Content-Length promises less than comes',
    bytes: (wire) => Buffer.concat([head(wire, length(wire.body.length - 1)), wire.body]),
    wire: failure('not-http', /more bytes than Content-Length announced/, 200),
  }),
  misframed({
    name: 'two-lengths',
    title: 'Two Content-Length headers that differ',
    bytes: (wire) =>
      Buffer.concat([head(wire, length(wire.body.length), length(wire.body.length - 1)), wire.body]),
    wire: failure('not-http', /more than one Content-Length/),
  }),
  misframed({
    name: 'length-negative',
    title: 'Content-Length is negative',
    bytes: (wire) => Buffer.concat([head(wire, length(-1)), wire.body]),
    wire: failure('not-http', /Content-Length/),
  }),
  misframed({
    name: 'length-beyond-64-bits',
    title: 'Content-Length has thirty digits',
    bytes: (wire) => Buffer.concat([head(wire, ['Content-Length', '9'.repeat(30)]), wire.body]),
    wire: failure('not-http', /Content-Length/),
  }),
  misframed({
    name: 'length-and-chunked',
    title: 'Content-Length and Transfer-Encoding together, the way requests are smuggled',
    bytes: (wire) =>
      Buffer.concat([head(wire, length(3), ['Transfer-Encoding', 'chunked']), chunk(wire.body), lastChunk]),
    wire: failure('not-http', /Content-Length|Transfer-Encoding/),
  }),
  misframed({
    name: 'chunked-cut-off',
    title: 'The connection ends in the middle of a chunk',
    bytes: (wire) => Buffer.concat([head(wire, chunked), chunk(wire.body).subarray(0, -4)]),
    wire: failure('closed', /closed the connection, after \d+ bytes/, 200),
  }),
  misframed({
    name: 'chunked-without-end',
    title: 'The connection ends before the last chunk',
    bytes: (wire) => Buffer.concat([head(wire, chunked), chunk(wire.body)]),
    wire: failure('closed', /closed the connection, after \d+ bytes/, 200),
  }),
  misframed({
    name: 'chunk-size-of-words',
    title: 'A chunk size is not a number',
    bytes: (wire) => Buffer.concat([head(wire, chunked), chunk(wire.body), Buffer.from('many\r\n')]),
    wire: failure('not-http', /not valid HTTP\/1\.1/, 200),
  }),
  misframed({
    name: 'chunk-size-beyond-64-bits',
    title: 'A chunk size has thirty digits',
    bytes: (wire) => Buffer.concat([head(wire, chunked), Buffer.from(`${'f'.repeat(30)}\r\n`), wire.body]),
    wire: failure('not-http', /not valid HTTP\/1\.1/, 200),
  }),
  misframed({
    name: 'chunked-only-by-name',
    title: 'Transfer-Encoding says chunked, and the body is plain',
    bytes: (wire) => Buffer.concat([head(wire, chunked), wire.body]),
    wire: failure('not-http', /not valid HTTP\/1\.1/, 200),
  }),
  misframed({
    name: 'two-answers',
    title: 'Each request gets two responses',
    bytes: (wire) => Buffer.concat([whole(wire), whole({ ...wire, status: 500 })]),
    wire: failure('not-http', /more bytes than the response announced/, 200),
  }),
  misframed({
    name: 'no-content-with-body',
    title: 'A 204 with a Content-Length and a body',
    bytes: (wire) => whole({ ...wire, status: 204 }),
    wire: failure('not-http', /204 response announces a body/, 204),
  }),
  misframed({
    name: 'no-content-with-bytes-behind',
    title: 'A 204 that is followed by bytes that no header announces',
    bytes: (wire) => Buffer.concat([head({ ...wire, status: 204 }), wire.body]),
    wire: failure('not-http', /more bytes than the response announced/, 204),
  }),
  misframed({
    name: 'not-modified',
    title: 'Every response is a 304, though no request was conditional',
    bytes: (wire) => head({ ...wire, status: 304 }, close, length(wire.body.length)),
    wire: { status: 304 },
    expects: undocumented,
  }),
  misframed({
    name: 'headers-without-end',
    title: 'The connection is closed before the headers end',
    bytes: (wire) => head(wire).subarray(0, -2),
    wire: failure('closed', /closed the connection/),
    expects: { exit: 3 },
  }),
];

const chunked: Header = ['Transfer-Encoding', 'chunked'];
const lastChunk = Buffer.from('0\r\n\r\n');

function length(bytes: number): Header {
  return ['Content-Length', String(bytes)];
}

function chunk(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}

function failure(kind: FailureKind, message: RegExp, status?: number): WireExpectation {
  return { failure: { kind, message }, ...(status === undefined ? {} : { status }) };
}

interface Misframed extends Pick<HostileFixture, 'name' | 'title' | 'wire'> {
  readonly bytes: (wire: RawResponse) => Uint8Array;
  readonly expects?: Expectation;
}

/** The reference service with malformed responses, each of which closes its connection. */
function misframed({ name, title, bytes, wire, expects = brokenAnswer }: Misframed): HostileFixture {
  const findings = wire.failure ? { findings: wire.failure.message } : {};
  return {
    name,
    title,
    serve: rewritten((response, socket) => socket.end(bytes(response))),
    expects: { ...expects, ...findings },
    wire,
  };
}
