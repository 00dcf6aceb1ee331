import { createServer as createTlsServer } from 'node:tls';
import { createServer as createHttpServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SkippingClock } from '../http/clock/testing/skipping-clock.js';
import type { Alteration } from '../reference/behaviour.js';
import {
  withHeader,
  withoutHeader,
  type ServiceRequest,
  type ServiceResponse,
} from '../reference/http-message.js';
import { serveReference, type ReferenceService } from '../reference/serve.js';
import { exitCode } from '../verdict/class-verdict.js';
import { createAuthority, issue } from './certificates.js';
import { idsWith, runAgainst, explanationsOf } from './conformance-run.js';
import { hostileKey, type HostileTarget } from './fixture.js';
import { listen, serveRequests } from './server.js';
import { layLine } from './relay.js';

const open: Array<() => Promise<void>> = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function reference(
  clock: SkippingClock,
  alteration: Alteration = () => ({}),
): Promise<ReferenceService> {
  const service = await serveReference({ now: clock.now, alterations: [alteration] });
  open.push(service.close);
  return service;
}

const targetAt = (baseUrl: string): HostileTarget => ({ baseUrl, close: () => Promise.resolve() });

/** Changes responses by their number, counted from 1. */
function changing(
  change: (response: ServiceResponse, number: number, request: ServiceRequest) => ServiceResponse,
): Alteration {
  let responses = 0;
  return ({ finish }) => ({
    finish: async (response, request, service) => {
      const finished = await finish(response, request, service);
      responses += 1;
      return change(finished, responses, request);
    },
  });
}

function rejected(response: ServiceResponse, retryAfter: string): ServiceResponse {
  return withHeader({ ...response, status: 429 }, 'Retry-After', retryAfter);
}

it.each([0, 1, 21, 60])(
  'the budget of %i requests is used up and not passed, with 429s, broken connections and bursts in flight',
  async (maxRequests) => {
    const clock = new SkippingClock();
    const service = await reference(
      clock,
      changing((response, number) =>
        number % 11 === 0 ? rejected(response, '1') : { ...response, drop: number % 13 === 0 },
      ),
    );
    const target = targetAt(service.baseUrl);
    const { record } = await runAgainst(target, { maxRequests, clock, profile: 'standard' });
    expect(service.requestCount()).toBe(maxRequests);
    expect(record.requests.sent).toBe(maxRequests);
    expect(exitCode(record)).toBe(3);
    expect(explanationsOf(record)).toMatch(
      new RegExp(`the budget of ${maxRequests} requests? \\(--max-requests\\) is used up`, 'u'),
    );
    expect(idsWith(record, 'fail')).toEqual([]);
  },
);

/** Requests of a quick run. */
const mostRequests = 60;

/** Requests that a target may get after it is gone: those in flight, their retries, and a few probes. */
const mostAfterDeath = 32;
const healthy = 25;

describe('a target that dies is not stormed', () => {
  it.each([
    [
      'drops every connection',
      (response: ServiceResponse) => ({ ...response, drop: true }),
      /did not respond to \d+ requests in a row: .*closed the connection|reset/,
    ],
    [
      'answers 429 for good',
      (response: ServiceResponse) => rejected(response, '2'),
      /still responds with 429/,
    ],
  ])('that %s', async (_, die, stopped) => {
    const clock = new SkippingClock();
    const alteration = changing((response, number) => (number > healthy ? die(response) : response));
    const service = await reference(clock, alteration);
    const { record } = await runAgainst(targetAt(service.baseUrl), { clock, profile: 'thorough' });
    expect(exitCode(record)).toBe(3);
    expect(record.run.stopped).toMatch(stopped);
    expect(service.requestCount() - healthy).toBeLessThan(mostAfterDeath);
    expect(idsWith(record, 'fail', 'warn')).toEqual([]);
  });

  it('that nothing listens at any more', async () => {
    let arrived = 0;
    const clock = new SkippingClock();
    const service = await reference(clock, () => ({
      beforeAuthentication: async () => {
        arrived += 1;
        if (arrived === healthy) await line.cut();
      },
    }));
    const line = await layLine(Number(new URL(service.baseUrl).port));
    open.push(line.cut);
    const target = targetAt(`http://127.0.0.1:${line.port}/v1`);
    const { record, evidence } = await runAgainst(target, { clock, profile: 'thorough' });
    const tries = evidence.split('"kind":"refused"').length - 1;
    expect(exitCode(record)).toBe(3);
    expect(record.run.stopped).toMatch(/can't be reached: .*refused/);
    expect(tries).toBeGreaterThan(0);
    expect(tries).toBeLessThan(mostAfterDeath);
    expect(idsWith(record, 'fail', 'warn')).toEqual([]);
  });
});

describe('a run ends in a few minutes, and says why', () => {
  it.each([
    ['Retry-After: -5, and Reset a minute ahead', '-5', 60],
    ['Retry-After: 0', '0', 0],
    ['no Retry-After, and no Reset', undefined, undefined],
  ])('where every second response is a 429 with %s', async (_what, retryAfter, resetSeconds) => {
    const clock = new SkippingClock();
    const began = clock.now();
    const alteration = changing((response, number) => {
      if (number % 2 === 0) return response;
      const plain = withoutHeader({ ...response, status: 429 }, 'X-RateLimit-Reset');
      const reset = String(Math.floor(clock.now() / 1000) + (resetSeconds ?? 0));
      const told = resetSeconds === undefined ? plain : withHeader(plain, 'X-RateLimit-Reset', reset);
      return retryAfter === undefined ? told : withHeader(told, 'Retry-After', retryAfter);
    });
    const service = await reference(clock, alteration);
    const { record } = await runAgainst(targetAt(service.baseUrl), { clock });
    expect(clock.now() - began).toBeLessThan(7 * 60_000);
    expect(record.requests.sent).toBeLessThan(2 * mostRequests);
    const { stopped = 'nothing' } = record.run;
    const healthy = await reference(new SkippingClock());
    const plain = (await runAgainst(targetAt(healthy.baseUrl), { clock: new SkippingClock() })).record;
    const withoutRoom = idsWith(plain, 'inconclusive', 'not-tested');
    const leftOut = idsWith(record, 'inconclusive', 'not-tested').filter((id) => !withoutRoom.includes(id));
    expect(stopped).toMatch(
      /429s and lost responses have cost the run \d+ s|still responds with 429|^nothing$/,
    );
    // What the quick profile has no room for is left out in any case.
    expect(leftOut.length > 0).toBe(stopped !== 'nothing');
  });
});

it('the key is sent to the target alone, and the record says so', async () => {
  const clock = new SkippingClock();
  let elsewhere = 0;
  const thief = await serveRequests((socket, text) => {
    elsewhere += text.includes(hostileKey) ? 1 : 0;
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]');
  });
  open.push(thief.close);
  const alteration = changing((response, _number, { path }) => {
    const to = `${thief.baseUrl}${path}`;
    const redirected = withHeader({ ...response, status: 302 }, 'Location', to);
    return withHeader(withHeader(redirected, 'Refresh', `0;url=${to}`), 'Link', `<${to}>; rel=next`);
  });
  const service = await reference(clock, alteration);
  const { record } = await runAgainst(targetAt(service.baseUrl), { clock });
  expect(elsewhere).toBe(0);
  expect(record.requests.sent).toBe(service.requestCount());
});

describe('the record', () => {
  it('counts the requests, and names every animal left behind, also one whose creation was never answered', async () => {
    const clock = new SkippingClock();
    let creations = 0;
    const alteration = changing((response) => {
      if (response.status === 201) creations += 1;
      return { ...response, drop: response.status === 201 && creations % 5 === 2 };
    });
    const service = await reference(clock, alteration);
    const { record } = await runAgainst(targetAt(service.baseUrl), { clock });
    const { sent, byOperation, repeated = [] } = record.requests;
    expect(sent).toBe(service.requestCount());
    expect(Object.values(byOperation).reduce((sum, count) => sum + count, 0)).toBe(sent);
    expect(repeated.length).toBeGreaterThan(0);
    const left = service.animals().map(({ id, name }) => `${id} ${name}`);
    expect(record.leftovers.map(({ id, name }) => `${id} ${name}`).toSorted()).toEqual(left.toSorted());
  });

  it('shows that a read-only run created nothing', async () => {
    const clock = new SkippingClock();
    const methods = new Set<string>();
    const service = await reference(clock, () => ({
      beforeAuthentication: ({ method }) => void methods.add(method),
    }));
    const target = { readOnly: true };
    const { record } = await runAgainst(targetAt(service.baseUrl), { clock, profile: 'thorough', target });
    expect([...methods]).toEqual(['GET']);
    expect(record.leftovers).toEqual([]);
    expect(record.requests.sent).toBeGreaterThan(0);
  });
});

/** A proxy for tunnels that finds every host on loopback, at this port. */
async function serveProxy(port: number): Promise<{ address: string; tunnels: Set<string> }> {
  const tunnels = new Set<string>();
  const server = createHttpServer().on('connect', ({ url, headers }, socket) => {
    tunnels.add(`${url} with ${headers['proxy-authorization'] ?? 'no password'}`);
    const through = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    through.on('error', () => socket.destroy());
    socket.on('error', () => through.destroy()).on('close', () => through.destroy());
    through.pipe(socket).pipe(through);
  });
  const listening = await listen(server);
  open.push(listening.close);
  return { address: `http://user:s3same-0pen@127.0.0.1:${listening.port}`, tunnels };
}

describe('a whole run goes through the proxy of the environment', () => {
  it('by HTTPS_PROXY and a tunnel in which the certificate is checked', async () => {
    const clock = new SkippingClock();
    const service = await reference(clock);
    const authority = await createAuthority();
    const certificate = await issue({ name: null, authority });
    const front = await layLine(Number(new URL(service.baseUrl).port), (carry) =>
      createTlsServer({ ...certificate }, carry),
    );
    open.push(front.cut);
    const { address, tunnels } = await serveProxy(front.port);
    const through = { clock, target: { environment: { HTTPS_PROXY: address } } };
    const target = targetAt('https://elsewhere.example/v1');
    const { record, evidence } = await runAgainst({ ...target, ca: authority.cert }, through);
    expect({ exit: exitCode(record), stopped: record.run.stopped }).toEqual({ exit: 0, stopped: undefined });
    expect([...tunnels]).toEqual([`elsewhere.example:443 with Basic ${btoa('user:s3same-0pen')}`]);
    expect(evidence).not.toContain('s3same-0pen');
    const { record: distrusted } = await runAgainst(target, through);
    expect(exitCode(distrusted)).toBe(3);
    expect(distrusted.run.stopped).toMatch(/authority is not trusted here/);
  });

  it('but not to a host in NO_PROXY', async () => {
    const { address, tunnels } = await serveProxy(1);
    const { record } = await runAgainst(targetAt('https://pets.invalid/v1'), {
      target: { environment: { HTTPS_PROXY: address, NO_PROXY: 'pets.invalid' } },
    });
    expect(exitCode(record)).toBe(3);
    expect(record.run.stopped).toMatch(/name of the host/);
    expect(tunnels.size).toBe(0);
  });
});
