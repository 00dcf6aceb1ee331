import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { SkippingClock } from '../http/clock/skipping-clock.js';
import type { Alteration } from '../reference/behaviour.js';
import { withHeader } from '../reference/http-message.js';
import { serveReference, type ReferenceService } from '../reference/serve.js';
import { exitCode } from '../verdict/exit-status.js';
import { createAuthority, issue } from './certificates.js';
import { idsWith, runAgainst, explanationsOf, type HostileRun } from './conformance-run.js';
import { hostileKey, type HostileTarget } from './fixture.js';
import { listen } from './server.js';
import { serveRequests } from './connection-target.js';
import { layLine } from './relay.js';

const open: Array<() => Promise<void>> = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function reference(
  clock: SkippingClock,
  ...alterations: readonly Alteration[]
): Promise<ReferenceService> {
  const service = await serveReference({ now: clock.now, alterations });
  open.push(service.close);
  return service;
}

const targetAt = (baseUrl: string): HostileTarget => ({ baseUrl, close: () => Promise.resolve() });

/** Every `every`th response is a 429, as if another client used the key as well. */
function refusingNowAndThen(every: number): Alteration {
  let answers = 0;
  return (behaviour) => ({
    finish: async (response, request, service) => {
      const finished = await behaviour.finish(response, request, service);
      answers += 1;
      return answers % every === 0 ? withHeader({ ...finished, status: 429 }, 'Retry-After', '1') : finished;
    },
  });
}

/** The connection is reset on every `every`th request. */
function droppingNowAndThen(every: number): Alteration {
  let answers = 0;
  return (behaviour) => ({
    transmit: (response, request, outgoing, service) => {
      answers += 1;
      return behaviour.transmit(
        answers % every === 0 ? { ...response, drop: true } : response,
        request,
        outgoing,
        service,
      );
    },
  });
}

describe('the budget', () => {
  it.each([0, 1, 2, 7, 19, 20, 21, 45, 60, 150])(
    'of %i requests is used up and not passed, with 429s, broken connections and bursts in flight',
    async (maximumRequests) => {
      const clock = new SkippingClock();
      const service = await reference(clock, refusingNowAndThen(11), droppingNowAndThen(13));
      const { record } = await runAgainst(targetAt(service.baseUrl), {
        maximumRequests,
        clock,
        profile: 'standard',
      });
      expect(service.requestCount()).toBe(maximumRequests);
      expect(record.requests.sent).toBe(maximumRequests);
      expect(exitCode(record)).toBe(3);
      expect(explanationsOf(record)).toMatch(
        new RegExp(`the budget of ${maximumRequests} requests? \\(--max-requests\\) is used up`, 'u'),
      );
      expect(idsWith(record, 'fail')).toEqual([]);
    },
  );

  it('that is larger than what the run needs changes nothing', async () => {
    const clock = new SkippingClock();
    const service = await reference(clock);
    const { record } = await runAgainst(targetAt(service.baseUrl), { maximumRequests: 90, clock });
    expect(exitCode(record)).toBe(0);
    expect(service.requestCount()).toBe(record.requests.sent);
  });
});

/** Requests that a target may get after it is gone: those in flight, their retries, and a few probes. */
const mostAfterDeath = 32;

describe('a target that dies is not stormed', () => {
  it('that drops every connection', async () => {
    let arrived = 0;
    const clock = new SkippingClock();
    const service = await reference(clock, (behaviour) => ({
      transmit: (response, request, outgoing, own) => {
        arrived += 1;
        return behaviour.transmit(
          arrived > 25 ? { ...response, drop: true } : response,
          request,
          outgoing,
          own,
        );
      },
    }));
    const { record } = await runAgainst(targetAt(service.baseUrl), { clock, profile: 'thorough' });
    expect(exitCode(record)).toBe(3);
    expect(record.run.stopped).toMatch(
      /did not respond to \d+ requests in a row: .*closed the connection|reset/,
    );
    expect(arrived - 25).toBeLessThan(mostAfterDeath);
    expect(idsWith(record, 'fail', 'warn')).toEqual([]);
  });

  it('that nothing listens at any more', async () => {
    let arrived = 0;
    let tries = 0;
    const clock = new SkippingClock();
    const service = await reference(clock, () => ({
      beforeAuthentication: async () => {
        arrived += 1;
        if (arrived === 25) await line.cut();
      },
    }));
    const line = await layLine(Number(new URL(service.baseUrl).port));
    open.push(line.cut);
    const { record, evidence } = await runAgainst(targetAt(`http://127.0.0.1:${line.port}/v1`), {
      clock,
      profile: 'thorough',
    });
    for (const text of evidence.trim().split('\n')) if (text.includes('"kind":"refused"')) tries += 1;
    expect(exitCode(record)).toBe(3);
    expect(record.run.stopped).toMatch(/can't be reached: .*refused/);
    expect(tries).toBeGreaterThan(0);
    expect(tries).toBeLessThan(mostAfterDeath);
    expect(idsWith(record, 'fail', 'warn')).toEqual([]);
  });

  it('that answers 429 for good', async () => {
    let refused = 0;
    let arrived = 0;
    const clock = new SkippingClock();
    const service = await reference(clock, (behaviour) => ({
      finish: async (response, request, own) => {
        const finished = await behaviour.finish(response, request, own);
        arrived += 1;
        if (arrived <= 25) return finished;
        refused += 1;
        return withHeader({ ...finished, status: 429 }, 'Retry-After', '2');
      },
    }));
    const { record } = await runAgainst(targetAt(service.baseUrl), { clock, profile: 'thorough' });
    expect(exitCode(record)).toBe(3);
    expect(record.run.stopped).toMatch(/still responds with 429/);
    // Those in flight, and two after each of six waits: as many as with the machine's clock.
    expect(refused).toBeLessThan(mostAfterDeath);
    expect(idsWith(record, 'fail', 'warn')).toEqual([]);
  });
});

describe('the key', () => {
  it('is sent to the target alone, and the record says so', async () => {
    const clock = new SkippingClock();
    let elsewhere = 0;
    const thief = await serveRequests((socket, text) => {
      elsewhere += text.includes(hostileKey) ? 1 : 0;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]');
    });
    open.push(thief.close);
    const service = await reference(clock, (behaviour) => ({
      finish: async (response, request, own) => {
        const finished = await behaviour.finish(response, request, own);
        const to = `${thief.baseUrl}${request.path}`;
        return withHeader(
          withHeader(withHeader({ ...finished, status: 302 }, 'Location', to), 'Refresh', `0;url=${to}`),
          'Link',
          `<${to}>; rel=next`,
        );
      },
    }));
    const { record } = await runAgainst(targetAt(service.baseUrl), { clock });
    expect(elsewhere).toBe(0);
    expect(record.requests.byOrigin).toEqual({ [new URL(service.baseUrl).origin]: service.requestCount() });
  });
});

describe('the record', () => {
  it('says how many requests were sent, and names every animal that was left behind', async () => {
    const clock = new SkippingClock();
    const service = await reference(clock);
    const before = service.animals().length;
    const { record } = await runAgainst(targetAt(service.baseUrl), { clock, profile: 'standard' });
    const { sent, byOperation, byOrigin } = record.requests;
    expect(sent).toBe(service.requestCount());
    expect(Object.values(byOperation).reduce((sum, count) => sum + count, 0)).toBe(sent);
    expect(byOrigin).toEqual({ [new URL(service.baseUrl).origin]: sent });
    const created = service.animals().slice(before);
    expect(record.leftovers.map(({ id }) => id).toSorted()).toEqual(
      created.map(({ id }) => String(id)).toSorted(),
    );
  });

  it('names an animal too whose creation was never answered', async () => {
    const clock = new SkippingClock();
    let creations = 0;
    const service = await reference(clock, (behaviour) => ({
      transmit: (response, request, outgoing, own) => {
        if (response.status === 201) creations += 1;
        const lost = response.status === 201 && creations % 5 === 2;
        return behaviour.transmit(lost ? { ...response, drop: true } : response, request, outgoing, own);
      },
    }));
    const { record } = await runAgainst(targetAt(service.baseUrl), { clock });
    expect((record.requests.repeated ?? []).length).toBeGreaterThan(0);
    expect(record.leftovers.map(({ id, name }) => `${id} ${name}`).toSorted()).toEqual(
      service
        .animals()
        .map(({ id, name }) => `${id} ${name}`)
        .toSorted(),
    );
  });

  it('shows that a read-only run created nothing', async () => {
    const clock = new SkippingClock();
    const posted: string[] = [];
    const service = await reference(clock, (behaviour) => ({
      beforeAuthentication: (request, own) => {
        if (request.method !== 'GET') posted.push(request.method);
        return behaviour.beforeAuthentication(request, own);
      },
    }));
    const { record } = await runAgainst(targetAt(service.baseUrl), {
      clock,
      profile: 'thorough',
      target: { readOnly: true },
    });
    expect(posted).toEqual([]);
    expect(service.animals()).toEqual([]);
    expect(record.leftovers).toEqual([]);
    expect(record.requests.sent).toBeGreaterThan(0);
  });
});

/** A forwarding proxy that finds every host on loopback, at the port of the request. */
async function serveProxy(port: number): Promise<{ address: string; request: Set<string> }> {
  const request = new Set<string>();
  const server = createHttpServer((incoming, outgoing) => {
    const { origin, pathname, search } = new URL(incoming.url ?? '');
    request.add(`${origin} with ${incoming.headers['proxy-authorization'] ?? 'no password'}`);
    const onward = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method: incoming.method,
        path: pathname + search,
        headers: incoming.headers,
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
        response.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }).on('connect', ({ url, headers }, socket) => {
    request.add(`${url} with ${headers['proxy-authorization'] ?? 'no password'}`);
    const through = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    through.on('error', () => socket.destroy());
    socket.on('error', () => through.destroy()).on('close', () => through.destroy());
    through.pipe(socket).pipe(through);
  });
  const listening = await listen(server);
  open.push(listening.close);
  return { address: `http://user:word@127.0.0.1:${listening.port}`, request };
}

const password = `Basic ${Buffer.from('user:word').toString('base64')}`;

function isWhole({ record }: HostileRun): void {
  expect({ exit: exitCode(record), stopped: record.run.stopped }).toEqual({ exit: 0, stopped: undefined });
}

describe('a whole run goes through the proxy of the environment', () => {
  it('for http, by HTTP_PROXY', async () => {
    const clock = new SkippingClock();
    const service = await reference(clock);
    const { address, request } = await serveProxy(Number(new URL(service.baseUrl).port));
    const result = await runAgainst(targetAt('http://pets.example/v1'), {
      clock,
      environment: { HTTP_PROXY: address },
    });
    isWhole(result);
    expect([...request]).toEqual([`http://pets.example with ${password}`]);
    expect(result.record.requests.byOrigin).toEqual({ 'http://pets.example': result.record.requests.sent });
    expect(result.evidence).not.toContain('word');
  });

  it('for https, by HTTPS_PROXY and a tunnel in which the certificate is checked', async () => {
    const clock = new SkippingClock();
    const service = await reference(clock);
    const authority = await createAuthority();
    const certificate = await issue({ name: null, authority });
    const front = await layLine(Number(new URL(service.baseUrl).port), (carry) =>
      createTlsServer({ ...certificate }, carry),
    );
    open.push(front.cut);
    const { address, request } = await serveProxy(front.port);
    const at = (ca?: string) =>
      runAgainst(
        { ...targetAt('https://elsewhere.example/v1'), ...(ca === undefined ? {} : { ca }) },
        { clock, environment: { HTTPS_PROXY: address } },
      );
    isWhole(await at(authority.cert));
    expect([...request]).toEqual([`elsewhere.example:443 with ${password}`]);
    const distrusted = await at();
    expect(exitCode(distrusted.record)).toBe(3);
    expect(distrusted.record.run.stopped).toMatch(/authority that is not (known|trusted) here/);
  });

  it('but not to a host in NO_PROXY', async () => {
    const service = await reference(new SkippingClock());
    const { address, request } = await serveProxy(Number(new URL(service.baseUrl).port));
    const { record } = await runAgainst(targetAt('http://pets.invalid/v1'), {
      environment: { HTTP_PROXY: address, NO_PROXY: 'pets.invalid' },
    });
    expect(exitCode(record)).toBe(3);
    expect(record.run.stopped).toMatch(/name of the host/);
    expect(request.size).toBe(0);
  });
});
