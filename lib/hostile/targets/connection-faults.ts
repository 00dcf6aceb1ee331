import { brokenAnswer, type HostileFixture, type HostileTarget } from '../fixture.js';
import { closedPort } from '../../testing/ports.js';
import { targetOn } from '../server.js';
import { serveConnections, serveRequests, writeAndThen } from '../connection-target.js';
import { referenceWith, head, rewritten, whole } from '../write-response.js';

/** Targets that treat their connections badly. */
export const connections: readonly HostileFixture[] = [
  {
    name: 'nothing-listens',
    title: 'Nothing listens at the address',
    serve: async () => targetOn({ port: closedPort, close: async () => undefined }),
    expects: { exit: 3, findings: /refused/ },
    wire: { failure: { kind: 'refused', message: /nothing listens/ } },
  },
  {
    name: 'reset-at-once',
    title: 'Every connection is reset as soon as it is open',
    serve: () => serveConnections((socket) => socket.resetAndDestroy()),
    expects: { exit: 3, findings: /reset/ },
    wire: { failure: { kind: 'reset', message: /reset/ } },
  },
  {
    name: 'reset-at-the-request',
    title: 'Every connection is reset when the request has come',
    serve: () => serveRequests((socket) => socket.resetAndDestroy()),
    expects: { exit: 3, findings: /reset/ },
    wire: { failure: { kind: 'reset', message: /reset/ } },
  },
  {
    name: 'reset-after-the-headers',
    title: 'Every connection is reset when the headers have come',
    serve: rewritten((wire, socket) =>
      writeAndThen(socket, head(wire, ['Content-Length', String(wire.body.length)]), () =>
        socket.resetAndDestroy(),
      ),
    ),
    expects: { ...brokenAnswer, findings: /reset, after 0 bytes/ },
    wire: { status: 200, failure: { kind: 'reset', message: /reset, after 0 bytes/ } },
  },
  {
    name: 'closed-after-the-headers',
    title: 'Every connection is closed when the headers have come',
    serve: rewritten((wire, socket) => socket.end(head(wire, ['Content-Length', String(wire.body.length)]))),
    expects: { ...brokenAnswer, findings: /closed the connection, after 0 bytes/ },
    wire: { status: 200, failure: { kind: 'closed', message: /after 0 bytes/ } },
  },
  {
    name: 'every-second-request-closed',
    title: 'Every second request has its connection closed without a response',
    serve: () => everySecond(),
    expects: brokenAnswer,
    wire: { status: 200 },
  },
  {
    name: 'every-second-answer-closes',
    title: 'Every second response closes its connection and says so, as it may',
    serve: () => {
      let answers = 0;
      return referenceWith((behaviour) => ({
        finish: async (response, request, service) => {
          const finished = await behaviour.finish(response, request, service);
          answers += 1;
          return answers % 2 === 0
            ? { ...finished, headers: [...finished.headers, ['Connection', 'close']] }
            : finished;
        },
      }))();
    },
    expects: { exit: 0 },
    wire: { status: 200 },
  },
  {
    name: 'closes-unannounced',
    title: 'Every connection is closed after its response, and no header says so',
    serve: rewritten((wire, socket) => socket.end(whole(wire))),
    expects: { exit: 0 },
    wire: { status: 200 },
  },
];

/** Counts requests over all connections, and drops the connection of every second one. */
function everySecond(): Promise<HostileTarget> {
  let requests = 0;
  return referenceWith((behaviour) => ({
    transmit: (response, request, outgoing, service) => {
      requests += 1;
      return behaviour.transmit(
        requests % 2 === 0 ? { ...response, drop: true } : response,
        request,
        outgoing,
        service,
      );
    },
  }))();
}
