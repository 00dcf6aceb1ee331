import { setMaxListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { plans } from '../../specification/plan.js';
import type { PlannedRequest, WireRequest } from '../exchange/planned-request.js';
import { Client, type ClientOptions } from './client.js';
import { credentialsFor } from '../exchange/credential.js';
import type { FailureKind, RecordedExchange } from '../../evidence/recorded-exchange.js';
import { redactionOf } from '../../evidence/redaction.js';
import { redacted } from '../../run/record-redaction.js';
import { RunStopped } from './run-end.js';
import { VirtualClock } from '../clock/testing/virtual-clock.js';
import type { Received } from '../connection/reception.js';
import type { Transport } from '../connection/transport.js';

const key = 'a-key-of-some-length';
const credentials = credentialsFor(key);

const listPets: PlannedRequest = {
  purpose: 'LIST-01',
  operation: 'listPets',
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

/** What came of a request that was sent 10 ms ago. */
type Answer = (now: number) => Received;

const answer =
  (status: number, headers: Array<[string, string]> = [], text = '[]'): Answer =>
  (now) => {
    const body = Buffer.from(text);
    const times = { sentAt: now - 10, at: now - 5, endedAt: now };
    return { ...times, status, headers, body, bytes: body.length, truncated: false };
  };

const failed =
  (kind: FailureKind, message = `the ${kind} of a test`): Answer =>
  (now) => ({
    ...answer(0, [], '')(now),
    status: null,
    at: now,
    truncated: true,
    failure: { kind, message },
  });

/** A client whose target answers as `script` says, by the number of the request, from 1 on, 10 ms later. */
function clientWith(
  script: (number: number, request: WireRequest) => Answer,
  options: Partial<ClientOptions> = {},
) {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const requests: WireRequest[] = [];
  const kept: RecordedExchange[] = [];
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
        return script(number, request)(clock.now());
      },
    },
    onExchange: ({ line }) => void kept.push(redacted(line, redactionOf(credentials.secrets))),
    clock,
    signal,
    concurrency: 8,
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
    const written = JSON.parse(JSON.stringify(exchange.line)) as object;
    expect(kept).toMatchObject([{ ...written, response: { body: { text: '["$PETSTORE_API_KEY"]' } } }]);
    expect(exchange.line).toMatchObject({
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

  it('that is under way when the run is interrupted is waited for, and no longer', async () => {
    const interruption = new AbortController();
    const { client, kept } = clientWith(() => failed('aborted'), { signal: interruption.signal });
    const sent = settled([client.send(listPets), client.send(listPets)]);
    await Promise.resolve();
    interruption.abort(new Error('interrupted'));
    await client.settled();
    expect(kept).toHaveLength(2);
    await sent;
  });
});

describe('a repeat', () => {
  it('names what it repeats', async () => {
    const { client, requests } = clientWith((number) => (number === 1 ? failed('reset') : answer(200)));
    const exchange = await client.send(listPets);
    expect(exchange).toMatchObject({ id: 'e2', repeats: 'e1', response: { status: 200 } });
    expect(requests.length).toBe(2);
    expect(client.log.repeated).toMatchObject([{ exchange: 'e1' }]);
  });

  it('of a create that broke off is its substitute; after a 429 it is the same create', async () => {
    const again = { ...createPet, body: '{"name":"a again"}' };
    const { client, requests } = clientWith((number) =>
      number === 1 ? answer(429) : number === 2 ? failed('reset') : answer(201),
    );
    expect(await client.send({ ...createPet, again: () => again })).toMatchObject({
      id: 'e3',
      repeats: 'e2',
    });
    expect(requests.map(({ body }) => body)).toEqual([createPet.body, createPet.body, again.body]);
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
});

describe('a target that is not there', () => {
  const gone = failed('refused', 'nothing listens');

  it('from the beginning is tried twice', async () => {
    const { client, requests } = clientWith(() => gone);
    await expect(client.send(listPets)).rejects.toThrow("the target can't be reached: nothing listens");
    expect(requests.length).toBe(2);
  });

  it('and comes back is asked all that was waiting, creates too: nothing of them had been sent', async () => {
    const { client } = clientWith((number) => (number > 1 && number <= 11 ? gone : answer(200)));
    await client.send(listPets);
    const results = await settled(Array.from({ length: 30 }, () => client.send(createPet)));
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(30);
    expect(client.stopped).toBeUndefined();
  });
});

describe('a target that gives no answer', () => {
  it('to some requests is asked what it has answered before, and goes on where it does', async () => {
    const { client, requests } = clientWith((_, { method }) =>
      method === 'GET' ? answer(200) : failed('timeout'),
    );
    await client.send(listPets);
    const creates = await settled(Array.from({ length: 20 }, () => client.send(createPet)));
    expect(creates.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(client.stopped).toBeUndefined();
    expect(requests.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1);
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
      return (lost ? answer(503) : answer(200))(Date.UTC(2026, 0, 1));
    };
    const { client } = clientWith(() => answer(200), {
      transport: { send: counted },
    });
    await settled(Array.from({ length: 20 }, () => client.send(listPets)));
    expect(most).toBe(8);
    most = 0;
    const later = await Promise.all(Array.from({ length: 20 }, () => client.send(listPets)));
    expect(most).toBeLessThanOrEqual(4);
    expect(later.every(({ response }) => response?.status === 200)).toBe(true);
  });
});

it('ends the run where its evidence can no longer be written', async () => {
  const onExchange = () => {
    throw new RunStopped('the evidence can no longer be written');
  };
  const { client, requests } = clientWith(() => answer(200), { onExchange });
  await settled([client.send(listPets)]);
  expect(client.stopped?.message).toBe('the evidence can no longer be written');
  await expect(client.send(listPets)).rejects.toBe(client.stopped);
  expect(requests).toHaveLength(1);
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
    const { client, requests } = clientWith(() => long, { onExchange: () => undefined });
    for (let sent = 0; sent < 100; sent += 1) await client.send(listPets);
    expect(requests[0]?.maximumBytes).toBeUndefined();
    expect(requests.at(-1)?.maximumBytes).toBe(65_536);
  });
});
