import { setMaxListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { plans } from '../../specification/plan.js';
import type { PlannedRequest } from '../exchange/planned-request.js';
import { Client, type ClientOptions } from './client.js';
import { credentialsFor } from '../exchange/credential.js';
import type { Exchange, FailureKind } from '../exchange/exchange.js';
import { redactionOf } from '../redaction/redaction.js';
import { RunStopped } from './run-end.js';
import { VirtualClock } from '../clock/testing/virtual-clock.js';
import type { RawRequest, RawResult, Transport } from '../connection/transport.js';

const key = 'a-key-of-some-length';
const credentials = credentialsFor(key);

const listPets: PlannedRequest = {
  purpose: 'LIST-01',
  operation: 'listPets',
  input: 'specified',
  method: 'GET',
  path: '/pets?limit=1',
  credential: credentials.valid,
};
const createPet: PlannedRequest = {
  ...listPets,
  purpose: 'CREATE-01',
  operation: 'createPet',
  method: 'POST',
  path: '/pets',
  headers: [['Content-Type', 'application/json']],
  body: '{"name":"a"}',
};

function answer(status: number, headers: Array<[string, string]> = [], body = '[]'): RawResult {
  const bytes = Buffer.from(body);
  return {
    response: { status, headers, body: bytes, bytes: bytes.length, truncated: false, firstByteMs: 5 },
    totalMs: 10,
  };
}

function failed(kind: FailureKind, message = `the ${kind} of a test`): RawResult {
  return { failure: { kind, message }, totalMs: 10 };
}

function cutOff(kind: FailureKind, status = 200): RawResult {
  const { response } = answer(status);
  if (!response) throw new Error('an answer has a response');
  return {
    response: { ...response, truncated: true },
    failure: { kind, message: `the ${kind} of a test` },
    totalMs: 10,
  };
}

/** A client whose target answers as `script` says, by the number of the request, from 1 on, 10 ms later. */
function clientWith(
  script: (number: number, request: RawRequest) => RawResult,
  options: Partial<ClientOptions> = {},
) {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const requests: RawRequest[] = [];
  const kept: Exchange[] = [];
  let most = 0;
  let inFlight = 0;
  const client = new Client({
    baseUrl: 'http://127.0.0.1:8080/v1',
    plan: plans.business,
    transport: {
      send: async (request) => {
        requests.push(request);
        const number = requests.length;
        inFlight += 1;
        most = Math.max(most, inFlight);
        await clock.sleep(10);
        inFlight -= 1;
        return script(number, request);
      },
      close: () => Promise.resolve(),
    },
    redact: redactionOf(credentials.secrets),
    evidence: { append: (exchange) => void kept.push(exchange), close: () => undefined },
    clock,
    signal,
    concurrency: 8,
    longestWait: 120_000,
    userAgent: 'test',
    ...options,
  });
  return { client, clock, requests, kept, most: () => most };
}

const settled = (promises: ReadonlyArray<Promise<unknown>>) => Promise.allSettled(promises);

describe('a request', () => {
  it('is sent as it was asked for, and recorded without the key', async () => {
    const { client, requests, kept } = clientWith(() =>
      answer(200, [['X-Echo', `Bearer ${key}`]], `["${key}"]`),
    );
    const exchange = await client.send({ ...createPet, phase: 'creates' });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/pets',
        headers: [
          ['User-Agent', 'test'],
          ['Accept', 'application/json'],
          ['Authorization', `Bearer ${key}`],
          ['Content-Type', 'application/json'],
        ],
        body: '{"name":"a"}',
      },
    ]);
    expect(exchange.response?.body.text).toBe(`["${key}"]`);
    expect(kept).toMatchObject([{ ...exchange, response: { body: { text: '["$PETSTORE_API_KEY"]' } } }]);
    expect(exchange).toMatchObject({
      id: 'e1',
      purpose: 'CREATE-01',
      operation: 'createPet',
      credential: 'valid',
      caller: 'PETSTORE_API_KEY',
      phase: 'creates',
      sentAt: '2026-01-01T00:00:00.000000Z',
    });
    expect(JSON.stringify(kept)).not.toContain(key);
  });

  it('at a base address without a path has none either', async () => {
    const { client, requests } = clientWith(() => answer(200), { baseUrl: 'http://127.0.0.1:8080' });
    await client.send(listPets);
    expect(requests[0]?.path).toBe('/pets?limit=1');
  });

  it('without a credential carries no Authorization', async () => {
    const { client, requests } = clientWith(() => answer(401));
    await client.send({ ...listPets, credential: credentials.missing });
    expect(requests[0]?.headers.map(([name]) => name)).not.toContain('Authorization');
  });

  it('is numbered in the order of sending, and counted by operation', async () => {
    const { client } = clientWith(() => answer(200));
    const exchanges = await Promise.all(
      [listPets, createPet, { ...listPets, operation: null }].map((ask) => client.send(ask)),
    );
    expect(exchanges.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3']);
    expect(client.log.byOperation).toMatchObject({ listPets: 1, createPet: 1, getPet: 0, unlisted: 1 });
    expect(client.log.sent).toBe(3);
  });

  it('that is interrupted is given up with the reason, and kept: it was sent', async () => {
    const interruption = new AbortController();
    const { client, kept } = clientWith(
      () => {
        interruption.abort(new Error('interrupted'));
        return failed('aborted');
      },
      { signal: interruption.signal },
    );
    await expect(client.send(listPets)).rejects.toThrow('interrupted');
    expect(kept).toMatchObject([{ id: 'e1', failure: { kind: 'aborted' } }]);
  });
});

describe('a repeat', () => {
  const repeatable: ReadonlyArray<readonly [what: string, broken: RawResult]> = [
    ['a reset', failed('reset')],
    ['a closed connection', failed('closed')],
    ['a missed deadline', failed('timeout')],
    ['a body cut off', cutOff('reset')],
    ['nonsense', failed('not-http')],
    ['a 502', answer(502)],
    ['a 503', answer(503)],
    ['a 504', answer(504)],
  ];

  it.each(repeatable)('follows once on %s, and names what it repeats', async (_what, broken) => {
    const { client, requests } = clientWith((number) => (number === 1 ? broken : answer(200)));
    const exchange = await client.send(listPets);
    expect(exchange).toMatchObject({ id: 'e2', repeats: 'e1', response: { status: 200 } });
    expect(requests.length).toBe(2);
    expect(client.log.repeated).toMatchObject([{ exchange: 'e1' }]);
  });

  it.each(repeatable)('follows on %s only once', async (_what, broken) => {
    const { client, requests } = clientWith(() => broken);
    expect(await client.send(listPets)).toMatchObject({ id: 'e2', repeats: 'e1' });
    expect(requests.length).toBe(2);
  });

  it.each(repeatable)('of a create never follows on %s', async (_what, broken) => {
    const { client, requests } = clientWith(() => broken);
    expect(await client.send(createPet)).toMatchObject({ id: 'e1' });
    expect(requests.length).toBe(1);
  });

  it.each([
    ['GET', 2],
    ['PUT', 2],
    ['DELETE', 2],
    ['POST', 1],
    ['PATCH', 1],
  ])('of %s makes %i requests', async (method, expected) => {
    const { client, requests } = clientWith(() => failed('reset'));
    await client.send({ ...listPets, operation: null, method });
    expect(requests.length).toBe(expected);
  });

  it.each([200, 201, 302, 400, 401, 404, 418, 500, 501])(
    'does not follow on a whole answer: %i',
    async (status) => {
      const { client, requests } = clientWith(() => answer(status));
      await client.send(listPets);
      expect(requests.length).toBe(1);
    },
  );

  it('does not follow on an answer that is too long', async () => {
    const { client, requests } = clientWith(() => cutOff('too-large'));
    await client.send(listPets);
    expect(requests.length).toBe(1);
  });

  it('follows at once on a single loss, and later the more is lost in a row', async () => {
    const { client, clock } = clientWith((number) =>
      number % 2 === 1 && number < 9 ? failed('reset') : answer(200),
    );
    const began = clock.now();
    await client.send(listPets);
    expect(clock.now() - began).toBe(20);
    const lossy = clientWith((number) => (number <= 6 ? failed('reset') : answer(200)));
    const begin = lossy.clock.now();
    await lossy.client.send(createPet);
    await lossy.client.send(createPet);
    await lossy.client.send(createPet);
    await lossy.client.send(createPet);
    // The fifth is lost too, and its repeat waits 1.6 s; the repeat of the one in its place as well.
    await lossy.client.send(listPets);
    expect(lossy.clock.now() - begin).toBe(6 * 10 + 1_600);
  });

  it('follows at once where the target is there and answers, though not in order', async () => {
    const { client, clock } = clientWith(() => cutOff('closed'));
    const began = clock.now();
    for (let sent = 0; sent < 10; sent += 1) await client.send(listPets);
    expect(clock.now() - began).toBe(20 * 10);
  });

  it('waits for a gateway whose target restarts, and not for ever', async () => {
    const { client, clock } = clientWith(() => answer(502));
    const began = clock.now();
    for (let sent = 0; sent < 40; sent += 1) await client.send(listPets);
    expect(clock.now() - began).toBeGreaterThan(5_000);
    expect(clock.now() - began).toBeLessThan(15_000);
  });
});

describe('a 429 that nobody asked for', () => {
  it('is no answer: the request goes again after the wait, a create too', async () => {
    const { client, clock } = clientWith((number) =>
      number === 1 ? answer(429, [['Retry-After', '7']]) : answer(201),
    );
    const began = clock.now();
    expect(await client.send(createPet)).toMatchObject({ repeats: 'e1', response: { status: 201 } });
    expect(clock.now() - began).toBeGreaterThanOrEqual(7_000);
    expect(client.waitedMs).toBeGreaterThanOrEqual(7_000);
    expect(client.log.repeated).toEqual([{ exchange: 'e1', reason: 'the limiter responded with 429' }]);
  });

  it('of a stranger keeps nobody with the key waiting', async () => {
    const { client, clock } = clientWith((number) =>
      number === 1 ? answer(429, [['Retry-After', '60']]) : answer(200),
    );
    const stranger = client.send({ ...listPets, credential: credentials.missing });
    await clock.sleep(50);
    const began = clock.now();
    await client.send(listPets);
    expect(clock.now() - began).toBe(10);
    await stranger;
  });

  it('that goes on ends the run, which says so from then on', async () => {
    const { client, requests } = clientWith((number) =>
      number === 1 ? answer(200) : answer(429, [['Retry-After', '1']]),
    );
    await client.send(listPets);
    await expect(client.send(listPets)).rejects.toThrow(/still responds with 429/);
    expect(client.stopped?.message).toMatch(/still responds with 429/);
    const before = requests.length;
    await expect(client.send(createPet)).rejects.toThrow(/still responds with 429/);
    expect(requests.length).toBe(before);
  });

  it('and comes to every request, ends the run after two waits', async () => {
    const { client, requests } = clientWith(() => answer(429, [['Retry-After', '30']]));
    await expect(client.send(listPets)).rejects.toThrow(/responds with 429 to every request/);
    expect(requests).toHaveLength(3);
  });

  it('that asks for a year ends the run at once', async () => {
    const { client, requests } = clientWith(() => answer(429, [['Retry-After', '31536000']]));
    await settled([client.send(listPets), client.send(createPet)]);
    expect(client.stopped?.message).toMatch(/31,536,000 s/);
    expect(requests.length).toBe(2);
  });
});

describe('a target that is not there', () => {
  const gone = failed('refused', 'nothing listens');

  it('from the beginning is tried twice', async () => {
    const { client, requests } = clientWith(() => gone);
    await expect(client.send(listPets)).rejects.toThrow("the target can't be reached: nothing listens");
    expect(requests.length).toBe(2);
    expect(client.reached).toBe(false);
  });

  it('after it was is tried by one request, and the others wait', async () => {
    const { client, requests, clock } = clientWith((number) => (number === 1 ? answer(200) : gone));
    await client.send(listPets);
    const began = clock.now();
    const results = await settled(Array.from({ length: 30 }, () => client.send(listPets)));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    // Eight were under way together; one of them tries three times more.
    expect(requests.length).toBe(1 + 8 + 3);
    expect(clock.now() - began).toBeLessThan(5_000);
    expect(client.stopped?.message).toMatch(/can't be reached/);
    expect(client.lostSince.length).toBe(11);
  });

  it('and comes back is asked all that was waiting, creates too: nothing of them had been sent', async () => {
    const { client } = clientWith((number) => (number > 1 && number <= 11 ? gone : answer(200)));
    await client.send(listPets);
    const results = await settled(Array.from({ length: 30 }, () => client.send(createPet)));
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(30);
    expect(client.stopped).toBeUndefined();
    expect(client.lostSince).toEqual([]);
  });
});

describe('a target that gives no answer', () => {
  it('is given up after eight requests that were sent into the silence', async () => {
    const { client, requests } = clientWith((number) => (number <= 5 ? answer(200) : failed('timeout')));
    const results = await settled(Array.from({ length: 60 }, () => client.send(listPets)));
    expect(client.stopped?.message).toMatch(
      /did not respond to \d+ requests in a row: the timeout of a test/,
    );
    // The last is one that was answered before: it makes sure.
    expect(requests.length - 5).toBeLessThanOrEqual(8 + 8 + 7 + 1);
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    expect(client.lostSince.length).toBe(requests.length - 5);
  });

  it('to some requests is asked what it has answered before, and goes on where it does', async () => {
    const { client, requests } = clientWith((_, { method }) =>
      method === 'GET' ? answer(200) : failed('timeout'),
    );
    await client.send(listPets);
    const creates = await settled(Array.from({ length: 20 }, () => client.send(createPet)));
    expect(creates.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(client.stopped).toBeUndefined();
    expect(requests.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1);
    // Creates that came after the last of these are not known to be lost.
    expect(client.lostSince.length).toBeLessThan(8);
  });

  it('to some of many at once gets fewer at once', async () => {
    let underWay = 0;
    let most = 0;
    const counted: Transport['send'] = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      const lost = underWay > 5;
      await new Promise(setImmediate);
      underWay -= 1;
      return lost ? answer(503) : answer(200);
    };
    const { client } = clientWith(() => answer(200), {
      transport: { send: counted, close: () => Promise.resolve() },
    });
    await settled(Array.from({ length: 20 }, () => client.send(listPets)));
    expect(most).toBe(8);
    most = 0;
    const later = await Promise.all(Array.from({ length: 20 }, () => client.send(listPets)));
    expect(most).toBeLessThanOrEqual(4);
    expect(later.every(({ response }) => response?.status === 200)).toBe(true);
  });

  it('to many requests is given up all the same', async () => {
    const { client, requests } = clientWith((_, { method }) =>
      method === 'GET' ? answer(200) : failed('timeout'),
    );
    await client.send(listPets);
    await settled(Array.from({ length: 200 }, () => client.send(createPet)));
    expect(client.stopped?.message).toMatch(/did not respond to \d+ requests in a row/);
    expect(requests.length).toBeLessThan(100);
  });

  it('but bytes that are no HTTP is not lost: it is there', async () => {
    const { client } = clientWith((number) => (number <= 5 ? answer(200) : failed('not-http')));
    await settled(Array.from({ length: 40 }, () => client.send(listPets)));
    expect(client.stopped?.message).toMatch(/did not respond/);
    expect(client.lostSince).toEqual([]);
  });

  it('to those under way is not, where it answers the next', async () => {
    const { client } = clientWith((number) => (number <= 8 ? failed('reset') : answer(200)));
    const results = await settled(Array.from({ length: 40 }, () => client.send(listPets)));
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(client.stopped).toBeUndefined();
  });

  it('to the end is given up after eight, and is not lost: what it began is held against it', async () => {
    const { client, requests } = clientWith(() => cutOff('timeout'));
    await settled(Array.from({ length: 60 }, () => client.send(listPets)));
    expect(client.stopped?.message).toMatch(/did not finish 8 responses in a row/);
    expect(requests.length).toBeLessThanOrEqual(16);
    expect(client.lostSince).toEqual([]);
  });
});

it('ends the run where its evidence can no longer be written', async () => {
  const full = {
    append: () => {
      throw new RunStopped('the evidence can no longer be written');
    },
    close: () => undefined,
  };
  const { client, requests } = clientWith(() => answer(200), { evidence: full });
  await settled([client.send(listPets)]);
  expect(client.stopped?.message).toBe('the evidence can no longer be written');
  await expect(client.send(listPets)).rejects.toBe(client.stopped);
  expect(requests).toHaveLength(1);
});

describe('the budget', () => {
  it.each([0, 1, 5, 12, 13])('of %i is not passed by bursts, repeats or 429s', async (maximumRequests) => {
    const { client, requests } = clientWith(
      (number) =>
        number % 3 === 0
          ? answer(429, [['Retry-After', '1']])
          : number % 4 === 0
            ? failed('reset')
            : answer(200),
      { maximumRequests },
    );
    const burst = client.sendTogether(Array.from({ length: 6 }, () => createPet));
    const others = Array.from({ length: 10 }, () => client.send(listPets));
    const results = await settled([burst, ...others]);
    expect(requests.length).toBe(maximumRequests);
    expect(client.budget.left).toBe(0);
    expect(client.stopped).toBeUndefined();
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    expect(refused[0]).toMatch(
      RegExp(`the budget of ${maximumRequests} requests? \\(--max-requests\\) is used up`),
    );
  });
});

describe('requests that are sent together', () => {
  it('are all under way at once, more than those that are sent one by one', async () => {
    const { client, most } = clientWith(() => answer(201));
    await client.sendTogether(Array.from({ length: 20 }, () => createPet));
    expect(most()).toBe(20);
    const single = clientWith(() => answer(200));
    await Promise.all(Array.from({ length: 20 }, () => single.client.send(listPets)));
    expect(single.most()).toBe(8);
  });
});

describe('the cap on bodies', () => {
  it('is lowered when a run holds many long ones', async () => {
    const long = answer(200, [], `"${'x'.repeat(1_500_000)}"`);
    const { client, requests } = clientWith(() => long);
    for (let sent = 0; sent < 100; sent += 1) await client.send(listPets);
    expect(requests[0]?.maximumBytes).toBeUndefined();
    expect(requests.at(-1)?.maximumBytes).toBe(65_536);
  });
});
