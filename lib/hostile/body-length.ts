import type { FailureKind } from '../http/exchange/exchange.js';
import type { Header } from '../reference/http-message.js';
import {
  brokenAnswer,
  undocumented,
  type Expectation,
  type HostileFixture,
  type WireExpectation,
} from './fixture.js';
import { head, rewritten, whole, type RawResponse } from './write-response.js';

const close: Header = ['Connection', 'close'];

/** Targets whose messages are longer or shorter than they say (RFC 9112 6). */
export const framing: readonly HostileFixture[] = [
  broken(
    'length-too-large',
    'Content-Length promises more than comes before the connection is closed',
    (wire) => Buffer.concat([head(wire, length(wire.body.length + 10)), wire.body]),
    failure('closed', /closed the connection, after \d+ bytes/, 200),
  ),
  broken(
    'length-too-large-and-close',
    'Content-Length promises more than comes, on a connection announced to close',
    (wire) => Buffer.concat([head(wire, close, length(wire.body.length + 10)), wire.body]),
    failure('closed', /before its Content-Length/, 200),
  ),
  broken(
    'length-too-small',
    'Content-Length promises less than comes',
    (wire) => Buffer.concat([head(wire, length(wire.body.length - 1)), wire.body]),
    failure('not-http', /more bytes came/, 200),
  ),
  broken(
    'two-lengths',
    'Two Content-Length headers that differ',
    (wire) => Buffer.concat([head(wire, length(wire.body.length), length(wire.body.length - 1)), wire.body]),
    failure('not-http', /more than one Content-Length/),
  ),
  broken(
    'length-negative',
    'Content-Length is negative',
    (wire) => Buffer.concat([head(wire, length(-1)), wire.body]),
    failure('not-http', /Content-Length/),
  ),
  broken(
    'length-beyond-64-bits',
    'Content-Length has thirty digits',
    (wire) => Buffer.concat([head(wire, ['Content-Length', '9'.repeat(30)]), wire.body]),
    failure('not-http', /Content-Length/),
  ),
  broken(
    'length-and-chunked',
    'Content-Length and Transfer-Encoding together, the way requests are smuggled',
    (wire) =>
      Buffer.concat([head(wire, length(3), ['Transfer-Encoding', 'chunked']), chunk(wire.body), lastChunk]),
    failure('not-http', /Content-Length|Transfer-Encoding/),
  ),
  broken(
    'chunked-cut-off',
    'The connection ends in the middle of a chunk',
    (wire) => Buffer.concat([head(wire, chunked), chunk(wire.body).subarray(0, -4)]),
    failure('closed', /closed the connection, after \d+ bytes/, 200),
  ),
  broken(
    'chunked-without-end',
    'The connection ends where the last chunk ought to stand',
    (wire) => Buffer.concat([head(wire, chunked), chunk(wire.body)]),
    failure('closed', /closed the connection, after \d+ bytes/, 200),
  ),
  broken(
    'chunk-size-of-words',
    'A chunk size is no number',
    (wire) => Buffer.concat([head(wire, chunked), chunk(wire.body), Buffer.from('many\r\n')]),
    failure('not-http', /no valid HTTP\/1\.1/, 200),
  ),
  broken(
    'chunk-size-beyond-64-bits',
    'A chunk size has thirty digits',
    (wire) => Buffer.concat([head(wire, chunked), Buffer.from(`${'f'.repeat(30)}\r\n`), wire.body]),
    failure('not-http', /no valid HTTP\/1\.1/, 200),
  ),
  broken(
    'chunked-only-by-name',
    'Transfer-Encoding says chunked, and the body is plain',
    (wire) => Buffer.concat([head(wire, chunked), wire.body]),
    failure('not-http', /no valid HTTP\/1\.1/, 200),
  ),
  broken(
    'two-answers',
    'Each request is answered twice',
    (wire) => Buffer.concat([whole(wire), whole({ ...wire, status: 500 })]),
    failure('not-http', /more bytes came/, 200),
  ),
  broken(
    'no-content-with-body',
    'A 204 with a Content-Length and a body',
    (wire) => whole({ ...wire, status: 204 }),
    failure('not-http', /204 has no body/, 204),
  ),
  broken(
    'no-content-with-bytes-behind',
    'A 204 with bytes behind it that no header announces',
    (wire) => Buffer.concat([head({ ...wire, status: 204 }), wire.body]),
    failure('not-http', /more bytes came/, 204),
  ),
  broken(
    'not-modified',
    'Every answer is a 304, though nothing was asked conditionally',
    (wire) => head({ ...wire, status: 304 }, close, length(wire.body.length)),
    { status: 304 },
    undocumented,
  ),
  broken(
    'headers-without-end',
    'The connection is closed before the headers end',
    (wire) => head(wire).subarray(0, -2),
    failure('closed', /closed the connection/),
    // Without a whole head there is no answer: an interrupted network looks the same.
    { exit: 3 },
  ),
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

/** The reference service, each of its answers written wrongly and its connections closed. */
function broken(
  name: string,
  title: string,
  bytes: (wire: RawResponse) => Uint8Array,
  wire: WireExpectation,
  expects: Expectation = brokenAnswer,
): HostileFixture {
  const findings = wire.failure ? { findings: wire.failure.message } : {};
  return {
    name,
    title,
    serve: rewritten((response, socket) => socket.end(bytes(response))),
    expects: { ...expects, ...findings },
    wire,
  };
}
