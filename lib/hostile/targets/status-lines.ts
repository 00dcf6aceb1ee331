import { createServer } from 'node:http2';
import { brokenAnswer, undocumented, type HostileFixture, type WireExpectation } from '../fixture.js';
import { listen, targetOn } from '../server.js';
import { serveBytes, serveConnections } from '../connection-target.js';
import { rewritten, whole, type RawResponse } from '../write-response.js';

const notHttp: WireExpectation = { failure: { kind: 'not-http', message: /not valid HTTP\/1\.1/ } };
const unspoken = { ...brokenAnswer, findings: /not valid HTTP\/1\.1/ };

/** Targets whose responses do not begin as in HTTP, or have more than one head. */
export const statusLines: readonly HostileFixture[] = [
  {
    name: 'status-line-of-words',
    title: 'The first line is not a status line',
    serve: serveBytes('Everything is fine\r\nContent-Length: 2\r\n\r\n[]'),
    expects: unspoken,
    wire: notHttp,
  },
  {
    name: 'http-0.9',
    title: 'HTTP/0.9: a document without a head',
    serve: serveBytes('<html><body>Welcome</body></html>'),
    expects: unspoken,
    wire: notHttp,
  },
  {
    name: 'http-7.3',
    title: 'A version of HTTP that does not exist',
    serve: serveBytes('HTTP/7.3 200 OK\r\nContent-Length: 2\r\n\r\n[]'),
    expects: unspoken,
    wire: notHttp,
  },
  {
    name: 'binary-noise',
    title: 'Random bytes',
    serve: serveBytes(Uint8Array.from({ length: 4_096 }, (_, index) => (index * 167 + 13) % 256)),
    expects: unspoken,
    wire: notHttp,
  },
  {
    name: 'speaks-first',
    title: 'A mail server, which greets before any request',
    serve: () => serveConnections((socket) => socket.write('220 mail.example ESMTP\r\n')),
    expects: brokenAnswer,
    wire: { failure: { kind: 'not-http', message: /HTTP\/1\.1|no request asked for/ } },
  },
  {
    name: 'empty-answer',
    title: 'The connection is closed without a byte',
    serve: serveBytes(''),
    expects: { exit: 3, findings: /closed the connection/ },
    wire: { failure: { kind: 'closed', message: /closed the connection/ } },
  },
  {
    name: 'http-2-only',
    title: 'The server speaks HTTP/2 and nothing else, without TLS',
    serve: async () => targetOn(await listen(createServer((_request, response) => response.end('[]')))),
    expects: unspoken,
    wire: notHttp,
  },
  {
    name: 'status-999',
    title: 'Every status is 999',
    serve: rewritten((wire, socket) => socket.end(whole({ ...wire, status: 999 }))),
    // The Error bodies say 401 all the same.
    expects: { exit: 1, failing: [...undocumented.failing, 'ERR-02'] },
    wire: { status: 999 },
  },
  {
    name: 'status-99',
    title: 'A status of two digits',
    serve: rewritten((wire, socket) => socket.end(whole({ ...wire, status: 99 }))),
    expects: unspoken,
    wire: notHttp,
  },
  {
    name: 'status-000',
    title: 'A status of three digits that HTTP does not have',
    serve: serveBytes('HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n'),
    expects: unspoken,
    wire: notHttp,
  },
  {
    name: 'status-101',
    title: 'Protocols are switched without a request for it',
    serve: rewritten((wire, socket) =>
      socket.end(whole({ ...wire, status: 101 }, ['Upgrade', 'chat'], ['Connection', 'upgrade'])),
    ),
    expects: { ...brokenAnswer, findings: /switched protocols/ },
    wire: { failure: { kind: 'not-http', message: /switched protocols/ } },
  },
  interim({
    name: 'early-hints',
    title: '103 Early Hints come before every response, as they may',
    before: 'HTTP/1.1 103 Early Hints\r\nLink: </v1>; rel=preload\r\n\r\n',
  }),
  interim({
    name: 'continue-unasked',
    title: '100 Continue comes before every response, unasked, as it may',
    before: 'HTTP/1.1 100 Continue\r\n\r\n',
  }),
  interim({
    name: 'continue-three-times',
    title: 'Three times 100 Continue and a 102 come before every response',
    before: `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(3)}HTTP/1.1 102 Processing\r\n\r\n`,
  }),
  {
    name: 'escapes-in-the-reason',
    title: 'Reason phrases hold terminal escapes in the C1 range',
    serve: rewritten((wire, socket) => {
      const text = whole(closing(wire)).toString('latin1');
      socket.end(
        Buffer.from(text.replace(/^HTTP\/1\.1 (\d+) [^\r]*/, 'HTTP/1.1 $1 \u009b31mRED\u009b2J'), 'latin1'),
      );
    }),
    expects: { exit: 0 },
    wire: { status: 200 },
  },
];

interface InterimResponse extends Pick<HostileFixture, 'name' | 'title'> {
  readonly before: string;
}

/** Conforming: a client must read past interim responses (RFC 9110 15.2). */
function interim({ name, title, before }: InterimResponse): HostileFixture {
  return {
    name,
    title,
    serve: rewritten((wire, socket) =>
      socket.end(Buffer.concat([Buffer.from(before), whole(closing(wire))])),
    ),
    expects: { exit: 0 },
    wire: { status: 200 },
  };
}

function closing(wire: RawResponse): RawResponse {
  return { ...wire, headers: [...wire.headers, ['Connection', 'close']] };
}
