import { serveReference } from '../../reference/serve.js';
import { withHeader, type ServiceRequest, type ServiceResponse } from '../../reference/http-message.js';
import type { HostileFixture, Serve } from '../fixture.js';
import { layLine, type Line } from '../relay.js';
import { writeAndThen } from '../server.js';
import { changed, counted, rawResponse, whole } from '../write-response.js';

/** The number of requests that a target serves before it changes. */
const half = 20;
const down = { code: 'down', message: 'Down.', status: 500 };

/** Targets that change during a run. */
export const lifecycle: readonly HostileFixture[] = [
  {
    name: 'dies-half-way',
    title: `The target is healthy for ${half} requests and then gone`,
    serve: onLine((request, line) => (request === half ? line.cut() : undefined)),
    exit: 3,
    findings: /refused|closed|reset/,
  },
  {
    name: 'falls-silent-half-way',
    title: `The target is healthy for ${half} requests and then stops responding`,
    serve: counted((behaviour, number) => ({
      transmit: (response, request, outgoing, service) =>
        number(request) > half ? undefined : behaviour.transmit(response, request, outgoing, service),
    })),
    exit: 3,
    findings: /within/,
    silent: true,
  },
  {
    name: 'breaks-half-way',
    title: `The target is healthy for ${half} requests and then responds with 500`,
    serve: changed((response, _request, number) =>
      number <= half ? response : { ...response, status: 500, content: down },
    ),
    failing: ['ROBUST-01'],
    others: true,
  },
  {
    name: 'recovers',
    title: `The target is gone for half a second after ${half} requests, and comes back`,
    serve: onLine(async (request, line) => {
      if (request !== half) return;
      await line.cut();
      setTimeout(() => void line.mend(), 500);
    }),
    findings: /refused|closed|reset/,
    takesTime: true,
  },
  {
    name: 'refuses-the-key-half-way',
    title: `The key is accepted for ${half} requests and then refused`,
    serve: counted((behaviour, number) => ({
      authenticate: (authorization, service, request) =>
        number(request) > half ? undefined : behaviour.authenticate(authorization, service, request),
    })),
    failing: ['AUTH-04'],
    others: true,
  },
  {
    name: 'busy-at-first',
    title:
      'The first two requests get a 429 with Retry-After: 1, as if another client had used the window up',
    serve: changed((response, _request, number) =>
      number > 2 ? response : withHeader({ ...response, status: 429 }, 'Retry-After', '1'),
    ),
    status: 429,
  },
];

export type NetworkFault = 'reset' | 'silence' | '502' | 'cut';

/**
 * The reference service over a network that loses one request in `every`, beginning with number `first`: the
 * request `before` it takes effect, or the response `after` it did. `silence` is a missed deadline, `502` a proxy that
 * gives up, `cut` a reset in the middle of the response.
 */
export function overFlakyNetwork(
  fault: NetworkFault,
  effect: 'before' | 'after',
  every: number,
  first: number,
): Serve {
  return counted((behaviour, number) => {
    const lost = (request: ServiceRequest): boolean =>
      number(request) >= first && (number(request) - first) % every === 0;
    const kept = (request: ServiceRequest): boolean => effect === 'after' || !lost(request);
    return {
      listPets: (request, service) => (kept(request) ? behaviour.listPets(request, service) : nothing),
      createPet: (request, service) => (kept(request) ? behaviour.createPet(request, service) : nothing),
      getPet: (request, service) => (kept(request) ? behaviour.getPet(request, service) : nothing),
      unlisted: (request, service) => (kept(request) ? behaviour.unlisted(request, service) : nothing),
      transmit: (response, request, outgoing, service) => {
        if (!lost(request)) return behaviour.transmit(response, request, outgoing, service);
        const { socket } = outgoing;
        if (fault === 'reset') socket?.resetAndDestroy();
        if (fault === '502')
          outgoing.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
        if (fault === 'cut' && socket) {
          const wire = rawResponse(response, service);
          const begun = whole(wire).subarray(0, -Math.ceil(wire.body.length / 2));
          writeAndThen(socket, begun, () => socket.resetAndDestroy());
        }
        return undefined;
      },
    };
  });
}

/** The response to an operation that did not take place; the network loses it. */
const nothing: ServiceResponse = { status: 204, headers: [] };

/** The reference service behind a relay. `arrived` is called for each request before its response. */
function onLine(arrived: (request: number, line: Line) => void | Promise<void>): Serve {
  return async () => {
    let requests = 0;
    let line: Line | undefined;
    const beforeAuthentication = async (): Promise<void> => {
      requests += 1;
      if (line) await arrived(requests, line);
    };
    const reference = await serveReference({ alterations: [() => ({ beforeAuthentication })] });
    line = await layLine(Number(new URL(reference.baseUrl).port));
    const { port, cut } = line;
    return {
      baseUrl: `http://127.0.0.1:${port}/v1`,
      close: async () => {
        await cut();
        await reference.close();
      },
    };
  };
}
