import { closedPort } from '../../testing/ports.js';
import { withHeader } from '../../reference/http-message.js';
import { fails, undocumented, type HostileFixture } from '../fixture.js';
import { serveBytes, serveConnections, targetOn, writeAndThen } from '../server.js';
import { changed, head, whole, written } from '../write-response.js';

/** Targets that treat their connections badly, or do not begin their responses as HTTP does. */
export const connections: readonly HostileFixture[] = [
  {
    name: 'nothing-listens',
    title: 'Nothing listens at the address',
    serve: async () => targetOn({ port: closedPort, close: async () => undefined }),
    ...fails('refused', /nothing listens/),
    findings: /refused/,
  },
  {
    name: 'reset-at-once',
    title: 'Every connection is reset as soon as it is open',
    serve: () => serveConnections((socket) => socket.resetAndDestroy()),
    ...fails('reset', /reset/),
  },
  {
    name: 'reset-after-the-headers',
    title: 'Every connection is reset when the headers have come',
    serve: written((wire, socket) =>
      writeAndThen(socket, head(wire, ['Content-Length', String(wire.body.length)]), () =>
        socket.resetAndDestroy(),
      ),
    ),
    ...fails('reset', /reset, after 0 bytes/, 200),
  },
  {
    name: 'empty-answer',
    title: 'Every connection is closed without a byte',
    serve: serveBytes(''),
    ...fails('closed', /closed the connection/),
  },
  {
    name: 'every-second-request-closed',
    title: 'Every second request has its connection closed without a response',
    serve: changed((response, _request, number) => ({ ...response, drop: number % 2 === 0 })),
    failing: ['ROBUST-01'],
  },
  {
    name: 'every-second-answer-closes',
    title: 'Every second response closes its connection and says so, as it may',
    serve: changed((response, _request, number) =>
      number % 2 === 0 ? withHeader(response, 'Connection', 'close') : response,
    ),
  },
  {
    name: 'closes-unannounced',
    title: 'Every connection is closed after its response, and no header says so',
    serve: written((wire) => whole(wire)),
  },
  {
    name: 'status-line-of-words',
    title: 'The first line is not a status line',
    serve: serveBytes('Everything is fine\r\nContent-Length: 2\r\n\r\n[]'),
    ...fails('not-http', /not valid HTTP\/1\.1/),
  },
  {
    name: 'speaks-first',
    title: 'A mail server, which greets before any request',
    serve: () => serveConnections((socket) => socket.write('220 mail.example ESMTP\r\n')),
    ...fails('not-http', /HTTP\/1\.1|no request asked for/),
  },
  {
    name: 'status-999',
    title: 'Every status is 999',
    serve: written((wire) => whole({ ...wire, status: 999 })),
    status: 999,
    // The Error bodies say 401 all the same.
    failing: [...undocumented, 'ERR-02'],
  },
  {
    name: 'status-101',
    title: 'Protocols are switched without a request for it',
    serve: written((wire) => whole({ ...wire, status: 101 }, ['Upgrade', 'chat'], ['Connection', 'upgrade'])),
    ...fails('not-http', /switched protocols/),
  },
  {
    name: 'interim-answers',
    title: 'Three times 100 Continue and 103 Early Hints come before every response, as they may',
    serve: written((wire) => Buffer.concat([Buffer.from(interim), whole(wire, ['Connection', 'close'])])),
  },
  {
    name: 'escapes-in-the-reason',
    title: 'Reason phrases hold terminal escapes in the C1 range',
    serve: written((wire) => {
      const text = whole(wire, ['Connection', 'close']).toString('latin1');
      const spoilt = text.replace(/^HTTP\/1\.1 (\d+) [^\r]*/, 'HTTP/1.1 $1 \u009b31mRED\u009b2J');
      return Buffer.from(spoilt, 'latin1');
    }),
  },
];

/** A client must read past interim responses (RFC 9110 15.2). */
const interim = `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(3)}HTTP/1.1 103 Early Hints\r\nLink: </v1>; rel=preload\r\n\r\n`;
