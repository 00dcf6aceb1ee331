import { brokenAnswer, type HostileFixture } from '../fixture.js';
import { drip, forever, pour, serveConnections, serveRequests } from '../connection-target.js';
import { head, rewritten, whole } from '../write-response.js';

/** Longer than any deadline that a test sets. */
const late = 30_000;
/** Milliseconds between bytes, instead of a second, since the deadline of the tests is shorter. */
const interval = 20;

/** Targets that are slow, or never end a response. */
export const timing: readonly HostileFixture[] = [
  {
    name: 'answers-late',
    title: 'Every response is valid and comes after the deadline',
    serve: rewritten((wire, socket) => {
      const timer = setTimeout(() => socket.end(whole(wire)), late);
      socket.on('close', () => clearTimeout(timer));
    }),
    expects: { exit: 3, findings: /no response came within/ },
    wire: { failure: { kind: 'timeout', message: /no response came within/ } },
  },
  {
    name: 'never-answers',
    title: 'Connections are accepted and nothing is ever sent',
    serve: () => serveConnections(() => undefined),
    expects: { exit: 3, findings: /no response came within/ },
    wire: { failure: { kind: 'timeout', message: /no response came within/ } },
  },
  {
    name: 'headers-by-the-byte',
    title: 'Headers come a byte at a time and never end',
    serve: () => serveRequests((socket) => drip(socket, headersWithoutEnd(), interval)),
    expects: { exit: 3, findings: /no response came within/ },
    wire: { failure: { kind: 'timeout', message: /no response came within/ } },
  },
  {
    name: 'body-by-the-byte',
    title: 'The body comes a byte at a time',
    serve: rewritten((wire, socket) => {
      socket.write(head(wire, ['Content-Length', '100000']));
      drip(socket, forever(' '), interval);
    }),
    expects: brokenAnswer,
    wire: { status: 200, failure: { kind: 'timeout', message: /body of the response was not complete/ } },
  },
  {
    name: 'body-without-end',
    title: 'A chunked body goes on forever, as fast as it is read',
    serve: rewritten((wire, socket) => {
      socket.write(head(wire, ['Transfer-Encoding', 'chunked']));
      pour(socket, forever(`4000\r\n${' '.repeat(0x4000)}\r\n`));
    }),
    expects: brokenAnswer,
    wire: { status: 200, failure: { kind: 'too-large', message: /longer than \d+ bytes/ } },
  },
  {
    name: 'chunk-extension-without-end',
    title: 'A chunk extension goes on forever, as fast as it is read',
    serve: rewritten((wire, socket) => {
      socket.write(head(wire, ['Transfer-Encoding', 'chunked']));
      socket.write('2;');
      pour(socket, forever('a'.repeat(0x4000)));
    }),
    expects: brokenAnswer,
    wire: { status: 200, failure: { kind: 'too-large', message: /bytes came outside the body/ } },
  },
  {
    name: 'interim-answers-without-end',
    title: '103 Early Hints follow one another forever, and no final answer comes',
    serve: () =>
      serveRequests((socket) => pour(socket, forever('HTTP/1.1 103 Early Hints\r\nLink: </v1>\r\n\r\n'))),
    expects: brokenAnswer,
    wire: { failure: { kind: 'too-large', message: /bytes came outside the body/ } },
  },
  {
    name: 'gap-in-the-body',
    title: 'Half of the body comes, and then nothing, the connection open',
    serve: rewritten((wire, socket) => {
      const text = whole(wire);
      socket.write(text.subarray(0, text.length - Math.ceil(wire.body.length / 2)));
    }),
    expects: brokenAnswer,
    wire: { status: 200, failure: { kind: 'timeout', message: /not complete within/ } },
  },
];

function* headersWithoutEnd(): Generator<string> {
  yield* 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  for (let number = 1; ; number += 1) yield* `X-${number}: ${number}\r\n`;
}
