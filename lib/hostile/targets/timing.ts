import { fails, type HostileFixture } from '../fixture.js';
import { drip, forever, pour, serveConnections, serveRequests } from '../server.js';
import { head, written } from '../write-response.js';

/** Targets that are slow, or never end a response. */
export const timing: readonly HostileFixture[] = [
  {
    name: 'never-answers',
    title: 'Connections are accepted and nothing is ever sent',
    serve: () => serveConnections(() => undefined),
    ...fails('timeout', /no response came within/),
  },
  {
    name: 'headers-by-the-byte',
    title: 'Headers come a byte at a time, and do not end before the deadline',
    serve: () => serveRequests((socket) => drip(socket, `HTTP/1.1 200 OK\r\nX-Note: ${'x'.repeat(10_000)}`)),
    ...fails('timeout', /no response came within/),
  },
  {
    name: 'body-by-the-byte',
    title: 'The body comes a byte at a time',
    serve: written((wire, socket) => {
      socket.write(head(wire, ['Content-Length', '100000']));
      drip(socket, forever(' '));
    }),
    ...fails('timeout', /body of the response was not complete/, 200),
  },
  {
    name: 'body-without-end',
    title: 'A chunked body goes on forever, as fast as it is read',
    serve: written((wire, socket) => {
      socket.write(head(wire, ['Transfer-Encoding', 'chunked']));
      pour(socket, forever(`4000\r\n${' '.repeat(0x4000)}\r\n`));
    }),
    ...fails('too-large', /longer than \d+ bytes/, 200),
  },
  {
    name: 'chunk-extension-without-end',
    title: 'A chunk extension goes on forever, as fast as it is read, until the deadline',
    serve: written((wire, socket) => {
      socket.write(head(wire, ['Transfer-Encoding', 'chunked']));
      socket.write('2;');
      pour(socket, forever('a'.repeat(0x4000)));
    }),
    ...fails('timeout', /body of the response was not complete/, 200),
  },
  {
    name: 'interim-answers-without-end',
    title: '103 Early Hints follow one another forever, and no final answer comes',
    serve: () => serveRequests((socket) => pour(socket, forever(interim))),
    ...fails('timeout', /no response came within/),
  },
  {
    name: 'header-without-end',
    title: 'One header line goes on forever, as fast as it is read',
    serve: written((wire, socket) => {
      socket.write(head(wire).subarray(0, -2));
      socket.write('X-Padding: ');
      pour(socket, forever('x'.repeat(0x4000)));
    }),
    ...fails('too-large', /headers of the response are longer/),
  },
];

const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </v1>\r\n\r\n';
