import type { ServerResponse } from 'node:http';
import type { ServiceResponse, ServiceRequest } from '../../reference/http-message.js';
import type { Behaviour } from '../../reference/behaviour.js';
import { withHeader } from '../../reference/http-message.js';
import { serveReference } from '../../reference/serve.js';
import { dateHeader, payloadOf } from '../../reference/send-response.js';
import { brokenAnswer, type HostileFixture, type HostileTarget } from '../fixture.js';
import { writeAndThen } from '../connection-target.js';
import { layLine, type Line } from '../relay.js';
import { referenceWith, changed, whole, type Serve, type RawResponse } from '../write-response.js';

/** The number of requests that a target serves before it changes. */
const half = 20;

export type NetworkFault = 'reset' | 'silence' | '502' | 'cut';

/** How a run names the network as the cause. */
const networkTold = {
  reset: /reset.*\) and succeeded when repeated: attributed to the network/,
  cut: /reset, after \d+ bytes of the body\) and succeeded when repeated: attributed to the network/,
  silence: /within \d+ ms\) and succeeded when repeated: attributed to the network/,
  '502': /a gateway responded with 502\) and succeeded when repeated: attributed to the network/,
} as const satisfies Record<NetworkFault, RegExp>;

/** Targets that change during a run, and networks that lose messages. */
export const lifecycle: readonly HostileFixture[] = [
  {
    name: 'dies-half-way',
    title: `The target is healthy for ${half} requests and then gone`,
    serve: onLine((request, line) => (request === half ? line.cut() : undefined)),
    expects: { exit: 3, findings: /refused|closed|reset/ },
    wire: { status: 200 },
  },
  {
    name: 'falls-silent-half-way',
    title: `The target is healthy for ${half} requests and then stops responding`,
    serve: counted((behaviour, number) => ({
      transmit: (response, request, outgoing, service) =>
        number(request) > half ? undefined : behaviour.transmit(response, request, outgoing, service),
    })),
    expects: { exit: 3, findings: /within/ },
    wire: { status: 200 },
    silent: true,
  },
  {
    name: 'breaks-half-way',
    title: `The target is healthy for ${half} requests and then responds with 500`,
    serve: failingFrom(half, 500),
    expects: { ...brokenAnswer, others: true },
    wire: { status: 200 },
  },
  {
    name: 'unavailable-half-way',
    title: `The target is healthy for ${half} requests and then responds with 503`,
    serve: failingFrom(half, 503),
    expects: brokenAnswer,
    wire: { status: 200 },
  },
  {
    name: 'recovers',
    title: `The target is gone for half a second after ${half} requests, and comes back`,
    serve: onLine(async (request, line) => {
      if (request !== half) return;
      await line.cut();
      setTimeout(() => void line.mend(), 500);
    }),
    expects: { exit: 0, findings: /refused|closed|reset/ },
    wire: { status: 200 },
    takesTime: true,
  },
  {
    name: 'refuses-the-key-half-way',
    title: `The key is accepted for ${half} requests and then refused`,
    serve: counted((behaviour, number) => ({
      authenticate: (authorization, service, request) =>
        number(request) > half ? undefined : behaviour.authenticate(authorization, service, request),
    })),
    expects: { exit: 1, failing: ['AUTH-04'], others: true },
    wire: { status: 200 },
  },
  {
    name: 'busy-at-first',
    title:
      'The first two requests get a 429 with Retry-After: 1, as if another client had used the window up',
    serve: counted((behaviour, number) => ({
      finish: async (response, request, service) => {
        const finished = await behaviour.finish(response, request, service);
        return number(request) > 2 ? finished : withHeader({ ...finished, status: 429 }, 'Retry-After', '1');
      },
    })),
    expects: { exit: 0 },
    wire: { status: 429 },
  },
  flaky('reset', 'after'),
  flaky('reset', 'before'),
  flaky('silence', 'after'),
  flaky('502', 'after'),
  flaky('502', 'before'),
  flaky('cut', 'after'),
];

/**
 * The reference service over a network that loses one request in `every`, beginning with number `first`: the
 * request `before` it takes effect, or the response `after` it did. `silence` is a missed deadline, `502` a proxy that
 * gives up, `cut` a reset in the middle of the response.
 */
export function overFlakyNetwork(
  fault: NetworkFault,
  effect: 'before' | 'after',
  every = 50,
  first = 10,
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
        if (fault === 'reset') outgoing.socket?.resetAndDestroy();
        if (fault === 'cut')
          cutInHalf(outgoing, {
            status: response.status,
            headers: [...response.headers, dateHeader(service)],
            body: payloadOf(response, service) ?? Buffer.alloc(0),
          });
        if (fault === '502')
          outgoing.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
        return undefined;
      },
    };
  });
}

/** Writes the head and half of the body, and resets the connection when they have gone. */
function cutInHalf({ socket }: ServerResponse, wire: RawResponse): void {
  const bytes = whole(wire);
  const begun = bytes.subarray(0, bytes.length - Math.ceil(wire.body.length / 2));
  if (socket) writeAndThen(socket, begun, () => socket.resetAndDestroy());
}

/** The response to an operation that did not take place; the network loses it. */
const nothing: ServiceResponse = { status: 204, headers: [] };

function flaky(fault: NetworkFault, effect: 'before' | 'after'): HostileFixture {
  return {
    name: `one-in-fifty-${fault}-${effect}-the-effect`,
    title: `One request in 50 meets a ${fault} of the network ${effect} it takes effect`,
    serve: overFlakyNetwork(fault, effect),
    expects: { exit: 0, findings: networkTold[fault] },
    wire: { status: 200 },
    silent: fault === 'silence',
  };
}

/** The reference service, altered by the number of each request, counted from 1 as they are first looked at. */
function counted(
  alter: (behaviour: Behaviour, number: (request: ServiceRequest) => number) => Partial<Behaviour>,
): Serve {
  return () => {
    const numbers = new WeakMap<ServiceRequest, number>();
    let requests = 0;
    const number = (request: ServiceRequest): number => {
      const known = numbers.get(request) ?? (requests += 1);
      numbers.set(request, known);
      return known;
    };
    return referenceWith((behaviour) => alter(behaviour, number))();
  };
}

function failingFrom(from: number, status: number): Serve {
  return () => {
    let answers = 0;
    return changed((response) => {
      answers += 1;
      return answers <= from
        ? response
        : { ...response, status, content: { code: 'down', message: 'Down.', status } };
    })();
  };
}

/** The reference service behind a relay. `arrived` is called for each request before its response. */
function onLine(arrived: (request: number, line: Line) => void | Promise<void>): Serve {
  return async (): Promise<HostileTarget> => {
    let requests = 0;
    let line: Line | undefined;
    const reference = await serveReference({
      alterations: [
        () => ({
          beforeAuthentication: async () => {
            requests += 1;
            if (line) await arrived(requests, line);
          },
        }),
      ],
    });
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
