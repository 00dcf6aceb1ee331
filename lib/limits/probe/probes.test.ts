import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../evidence/exchange.js';
import { withResponses } from '../../reference/changes.js';
import { withoutHeader } from '../../reference/http-message.js';
import { limitFaults } from '../../reference/faults/limits/limit-faults.js';
import { probeReference } from '../testing/probe-reference.js';
import type { ProbeOptions } from './session.js';

/** Twenty seconds into a minute. */
const begin = 1_790_000_000_000 - (1_790_000_000_000 % 60_000) + 20_000;
/** One that restores the limit at once, and one that does bit by bit: CI's proof tries all. */
const algorithms = ['fixed-window-aligned', 'token-bucket'] as const;

function secondsOf(exchanges: readonly Exchange[]): number {
  const times = exchanges.map(({ sentAt }) => sentAt);
  return (Math.max(...times) - Math.min(...times)) / 1000;
}

function inPhase(exchanges: readonly Exchange[], phase: string): Exchange[] {
  return exchanges.filter((exchange) => exchange.phase === phase);
}

function rejected(exchanges: readonly Exchange[]): number {
  return exchanges.filter(({ response }) => response?.status === 429).length;
}

/** Uses the key before the probes, so many requests with a pause of a minute after each fifty. */
function spend(requests: number) {
  return async ({ target, credential, clock }: ProbeOptions): Promise<void> => {
    for (let sent = 0; sent < requests; sent += 1) {
      if (sent > 0 && sent % 50 === 0) await clock.sleep(60_000);
      const headers = { authorization: credential.authorization ?? '' };
      await (await fetch(`${target.baseUrl}/pets?limit=1`, { headers })).text();
    }
  };
}

describe('the probes of a minute', () => {
  it.each(algorithms)('exhaust two windows, and wait once: %s', async (algorithm) => {
    const { exchanges, facts } = await probeReference({ limiter: { algorithm } }, { begin });
    expect(facts.stopped).toBeUndefined();
    expect(facts.notes).toEqual([]);
    expect(exchanges.length).toBeLessThanOrEqual(148);
    expect(secondsOf(exchanges)).toBeLessThan(85);
    for (const phase of ['sequence', 'behind sequence', 'burst']) {
      expect(rejected(inPhase(exchanges, phase))).toBeGreaterThan(0);
    }
  });

  it('send the burst when a bucket is full again, whatever was looked at since it was empty', async () => {
    const unsaid = ['X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'];
    const silent = withResponses((response) => withoutHeader(response, ...unsaid));
    const options = { ...silent, limiter: { algorithm: 'token-bucket' } } as const;
    const { exchanges } = await probeReference(options, { begin });
    const first = exchanges.findIndex(({ phase }) => phase === 'burst');
    const emptied = exchanges.slice(0, first).findLastIndex(({ response }) => response?.status === 429);
    const since = exchanges.slice(emptied + 1, first).filter(({ caller }) => caller === 'PETSTORE_API_KEY');
    expect(since.length).toBeGreaterThan(2);
    // The last of them is sent just before the burst.
    expect(secondsOf(exchanges.slice(emptied, first + 1))).toBeGreaterThanOrEqual(60 + since.length - 1);
  });

  it.each([0, 70, 200, 500])(
    'begin the burst clear of each second, also of a first request at %s ms',
    async (ms) => {
      const { exchanges } = await probeReference(
        { limiter: { algorithm: 'token-bucket' } },
        { begin: begin + ms },
      );
      const [burst] = inPhase(exchanges, 'burst');
      for (const second of [0, ms]) {
        const behind = ((burst?.sentAt ?? 0) - second) % 1_000;
        expect(behind).toBeGreaterThan(50);
        expect(behind).toBeLessThan(850);
      }
    },
  );

  it('reject in sequence some seconds into the window, and in the burst requests of all operations', async () => {
    const { exchanges } = await probeReference({}, { begin: begin + 37_000 });
    const first = inPhase(exchanges, 'sequence').find(({ response }) => response?.status === 429);
    expect(((first?.sentAt ?? 0) % 60_000) / 1000).toBeGreaterThanOrEqual(5);
    const burst = inPhase(exchanges, 'burst');
    expect(new Set(burst.map(({ operation }) => operation)).size).toBe(3);
    const over = burst.slice(-rejected(burst));
    expect(over.filter(({ operation }) => operation === 'createPet').length).toBeGreaterThan(1);
  });

  it('send creations into an exhausted window, one and several at once, and look for them in the next', async () => {
    const { exchanges } = await probeReference({}, { begin });
    const creations = inPhase(exchanges, 'behind sequence').filter(({ purpose }) => purpose === 'LIMIT-07');
    expect(creations.length).toBe(rejected(creations));
    expect(creations.length).toBeGreaterThan(1);
    const look = inPhase(exchanges, 'control').at(-1);
    expect(look?.request.url).toContain('limit=100&status=pending');
  });

  it('create each animal under a name of its own, also where creations have a limit of their own', async () => {
    const apart = limitFaults.find(({ name }) => name === 'counted-by-operation');
    const { exchanges } = await probeReference(apart?.options ?? {}, { begin });
    const bodies = exchanges.flatMap(({ request }) => request.body ?? []);
    expect(inPhase(exchanges, 'behind sequence').length).toBeGreaterThan(10);
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  it('go on in a window that functional probes have used', async () => {
    const { exchanges } = await probeReference({}, { begin, functional: 40 });
    expect(inPhase(exchanges, 'opening').length).toBeLessThanOrEqual(2);
    expect(inPhase(exchanges, 'sequence').length).toBeLessThan(20);
  });

  it.each([1, 7])('may have %i a minute', async (perMinute) => {
    const { exchanges, facts } = await probeReference({}, { begin, perMinute });
    expect(facts.stopped).toBeUndefined();
    expect(rejected(inPhase(exchanges, 'burst'))).toBeGreaterThan(0);
  });

  it('are not sent if the day has no room for two windows', async () => {
    const { exchanges, facts } = await probeReference({}, { perDay: 100 });
    expect(exchanges).toEqual([]);
    expect(facts.stopped).toContain('no room for two windows');
  });

  it('are sent again once if a verdict depends on it, behind a whole window without a request', async () => {
    const { exchanges, facts } = await probeReference({}, { begin, isRepeatWanted: true });
    const second = inPhase(exchanges, 'opening').findLast(({ request }) => request.method === 'GET');
    const again = exchanges.filter(
      ({ phase, sentAt }) => phase === 'burst' && sentAt > (second?.sentAt ?? 0),
    );
    expect(again.length).toBeGreaterThan(60);
    expect(facts.notes?.join()).toContain('because a verdict depends on it');
  });

  it('send a burst that the target could not take over fewer connections, each closed after its response', async () => {
    const { exchanges, facts } = await probeReference({ connections: 12 }, { begin });
    const burst = inPhase(exchanges, 'burst');
    const unanswered = burst.filter(({ response }) => response === undefined);
    expect(unanswered.length).toBeGreaterThan(0);
    const again = burst.filter((_one, index) => secondsOf(burst.slice(0, index + 1)) > 30);
    expect(again.length).toBeGreaterThan(60);
    expect(again.every(({ response }) => response !== undefined)).toBe(true);
    expect(new Set(again.map(({ connection }) => connection)).size).toBe(again.length);
    expect(rejected(again)).toBeGreaterThan(0);
    expect(facts.notes?.join()).toContain('because a verdict depends on it');
  });

  it('have no window get more than the limit and one on a remote target', async () => {
    const { exchanges } = await probeReference({}, { begin, treatAsRemote: true });
    const inMinute = new Map<number, number>();
    for (const { sentAt, caller } of exchanges) {
      if (caller !== 'PETSTORE_API_KEY') continue;
      const minute = Math.floor(sentAt / 60_000);
      inMinute.set(minute, (inMinute.get(minute) ?? 0) + 1);
    }
    expect([...inMinute.values()]).toEqual([61, 61]);
    expect(rejected(inPhase(exchanges, 'burst'))).toBe(1);
  });

  it('send no more than a budget', async () => {
    const { exchanges, facts } = await probeReference({}, { maximum: 61 });
    expect(exchanges.length).toBe(61);
    expect(facts.stopped).toContain('(--max-requests) is used up');
  });

  it('send nothing that could create in a read-only run', async () => {
    const { exchanges } = await probeReference({}, { begin, readOnly: true });
    expect(exchanges.every(({ request }) => request.method === 'GET')).toBe(true);
  });
});

describe('a key that is not fresh', () => {
  it.each(algorithms)('is waited for: %s', async (algorithm) => {
    const { exchanges, facts } = await probeReference({ limiter: { algorithm } }, { before: spend(60) });
    expect(facts.stopped).toBeUndefined();
    expect(inPhase(exchanges, 'burst').length).toBeGreaterThan(55);
  });

  it('and is rejected for an hour is not waited for', async () => {
    const banned = withResponses((response) => ({
      ...response,
      status: 429,
      headers: [...response.headers, ['Retry-After', '3600']],
    }));
    const { exchanges, facts } = await probeReference(banned);
    expect(facts.stopped).toContain('wait 3,600 s (its day may be used up, or the key banned)');
    expect(exchanges).toHaveLength(1);
  });

  it('and is refused with 401 is tried once', async () => {
    const { exchanges, facts } = await probeReference({ behaviour: { authenticate: () => undefined } });
    expect(facts.stopped).toBe('the target refuses the key with 401');
    expect(exchanges).toHaveLength(1);
  });
});

describe('a target that is lost', () => {
  it('leaves what was sent until then', async () => {
    const { exchanges, facts } = await probeReference(
      {},
      { exchanged: (number, service) => void (number === 40 && service.close()) },
    );
    expect(facts.stopped).toContain('the target was lost');
    expect(exchanges.length).toBeGreaterThan(40);
  });

  it('so does an interruption', async () => {
    const stop = new AbortController();
    const { facts } = await probeReference(
      {},
      {
        signal: stop.signal,
        exchanged: (number) => void (number === 90 && stop.abort(new Error('interrupted'))),
      },
    );
    expect(facts.stopped).toBe('the run was interrupted');
  });
});
