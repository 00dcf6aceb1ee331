import { describe, expect, it } from 'vitest';
import { withResponses } from '../reference/changes.js';
import { withLimiter } from '../reference/faults/limits/limiter-changes.js';
import { rateFaults } from '../reference/faults/rate/rate-faults.js';
import type { ReferenceOptions } from '../reference/options.js';
import { planMeasurementSchema } from '../record/record.js';
import { measureReference, turned, type AgainstReference } from './testing/against-reference.js';
import type { LimitRunOptions } from './limit-run.js';
import type { JudgedRun } from './testing/judged.js';

/** Twenty seconds into a minute. */
const begin = 1_790_000_000_000 - (1_790_000_000_000 % 60_000) + 20_000;

async function measured(options: ReferenceOptions, setting: AgainstReference = {}) {
  return measureReference(options, { begin, perDay: 100_000, ...setting });
}

function verdicts({ measurement }: JudgedRun): Record<string, string> {
  return Object.fromEntries(measurement.requirements.map(({ id, verdict }) => [id, verdict]));
}

function reasonOf({ measurement }: JudgedRun, id: string): string | undefined {
  return measurement.requirements.find((row) => row.id === id)?.reason;
}

/** Uses the key before the run, so many requests with a pause of a minute after each fifty. */
function spend(requests: number) {
  return async ({ target, credential, clock }: LimitRunOptions): Promise<void> => {
    for (let sent = 0; sent < requests; sent += 1) {
      if (sent > 0 && sent % 50 === 0) await clock.sleep(60_000);
      const headers = { authorization: credential.authorization ?? '' };
      await (await fetch(`${target.baseUrl}/pets?limit=1`, { headers })).text();
    }
  };
}

/** Another client on the same key, which sends after every so many of ours. */
function otherClient(every: number): ReferenceOptions {
  let calls = 0;
  return withLimiter((limiter) => ({
    async take(call) {
      calls += 1;
      if (calls % every === 0 && call.caller.perMinute === 60) await limiter.take(call);
      return limiter.take(call);
    },
  }));
}

describe('a plan that is measured', () => {
  it('has every row of the minute judged in three windows', async () => {
    const run = await measured({});
    expect(verdicts(run)).toEqual({
      'LIMIT-01': 'pass',
      'LIMIT-02': 'pass',
      'LIMIT-03': 'pass',
      'LIMIT-04': 'pass',
      'LIMIT-05': 'pass',
      'LIMIT-06': 'pass',
      'LIMIT-07': 'pass',
      'LIMIT-08': 'pass',
      'LIMIT-09': 'pass',
      'LIMIT-11': 'observed',
      'LIMIT-13': 'observed',
      'LIMIT-14': 'pass',
    });
    const [first] = run.measurement.phases;
    const last = run.measurement.phases.at(-1);
    const ends = Date.parse(last?.startedAt ?? '') + (last?.durationMs ?? 0);
    expect(ends - Date.parse(first?.startedAt ?? '')).toBeLessThan(130_000);
  });

  it.each([
    ['the figure', 0, []],
    ['one less', -1, ['LIMIT-01', 'LIMIT-03', 'LIMIT-09']],
    ['one more', 1, ['LIMIT-02', 'LIMIT-03', 'LIMIT-09']],
  ])('needs no other window than the one that the run has begun: %s', async (_name, more, broken) => {
    const limiter: ReferenceOptions['limiter'] = {
      algorithm: 'fixed-window-from-first-request',
      quota: ({ caller }) => ({ perMinute: caller.perMinute + more, perDay: caller.perDay }),
    };
    const run = await measured({ limiter }, { earlier: 3 });
    expect(turned(run)).toEqual(broken);
    expect(run.measurement.phases.map(({ name }) => name).slice(0, 2)).toEqual(['opening', 'sequence']);
    expect(run.measurement.phases[0]?.sent).toBe(4);
  });

  it('is not accused where a refilling limiter has let others through since the 429', async () => {
    let clock: LimitRunOptions['clock'] | undefined;
    const run = await measured(
      { limiter: { algorithm: 'token-bucket' } },
      {
        before: async (options) => void (clock = options.clock),
        // A slow machine: two tokens come back between the 429 and the creation that is to be refused.
        exchanged: (number) => void (number > 60 && number < 63 ? clock?.sleep(2_000) : undefined),
      },
    );
    expect(turned(run)).toEqual([]);
  });

  it.each([20, 61, 100])('sends no more than a budget of %d requests', async (maximum) => {
    const run = await measured({}, { maximum });
    expect(run.exchanges.length).toBe(maximum);
    expect(run.stopped).toBe('the budget is spent');
    expect(turned(run)).toEqual([]);
  });

  it('has a record that fits its schema, with the figures of each part', async () => {
    const { measurement } = await measured({});
    expect(planMeasurementSchema.parse(measurement)).toEqual(measurement);
    const sequence = measurement.phases.find(({ name }) => name === 'sequence');
    expect(sequence).toMatchObject({
      sent: 60,
      admitted: 59,
      refused: 1,
      failed: 0,
      sentAfterFirst429: 0,
      exact: true,
    });
    expect(sequence?.series).toHaveLength(60);
    expect(sequence?.windows).toHaveLength(1);
  });

  it('records every request, without the key', async () => {
    const { exchanges } = await measured({});
    expect(exchanges.length).toBeGreaterThan(180);
    expect(JSON.stringify(exchanges)).not.toContain('Qm7RzT2xWb9KdLcH');
    expect(new Set(exchanges.map(({ operation }) => operation)).size).toBe(3);
  });

  it('is treated with restraint beyond this machine: no window gets more than the figure and one', async () => {
    const { exchanges, measurement } = await measured({}, { treatAsRemote: true });
    const own = exchanges.filter(({ credential }) => credential === 'valid');
    const inMinute = new Map<number, number>();
    for (const { sentAt } of own) {
      const minute = Math.floor(Date.parse(sentAt) / 60_000);
      inMinute.set(minute, (inMinute.get(minute) ?? 0) + 1);
    }
    expect(Math.max(...inMinute.values())).toBeLessThanOrEqual(61);
    expect(measurement.phases.map(({ sentAfterFirst429 }) => sentAfterFirst429)).not.toContain(1);
  });

  it.each([1, 2, 7])('may grant %i a minute', async (perMinute) => {
    const run = await measured({}, { perMinute });
    expect(turned(run)).toEqual([]);
    expect(verdicts(run)).toMatchObject({ 'LIMIT-01': 'pass', 'LIMIT-02': 'pass', 'LIMIT-03': 'pass' });
  });

  it('without a day that three windows fit into is not tried', async () => {
    const run = await measured({}, { perDay: 100 });
    expect(run.exchanges).toEqual([]);
    expect(run.stopped).toContain('no room for 3 windows');
  });
});

describe('a key that is not fresh', () => {
  it.each(['fixed-window-aligned', 'sliding-log', 'sliding-counter', 'token-bucket'] as const)(
    'is waited for, by %s',
    async (algorithm) => {
      const run = await measured({ limiter: { algorithm } }, { before: spend(45) });
      expect(turned(run)).toEqual([]);
      expect(verdicts(run)['LIMIT-01']).toBe('pass');
    },
  );

  it('that is over its limit at the start is waited for', async () => {
    const run = await measured(
      { limiter: { algorithm: 'fixed-window-from-first-request' } },
      { before: spend(50) },
    );
    expect(turned(run)).toEqual([]);
    expect(verdicts(run)['LIMIT-03']).toBe('pass');
  });

  it('whose day is used up is told, and nothing is concluded', async () => {
    const run = await measured({}, { perDay: 200, before: spend(200) });
    expect(run.stopped).toBe("the day's requests are used up");
    expect(turned(run)).toEqual([]);
  });

  it('that is refused for an hour is not waited for', async () => {
    const banned = withResponses((answer) => ({
      ...answer,
      status: 429,
      headers: [...answer.headers, ['Retry-After', '3600']],
    }));
    const run = await measured(banned);
    expect(run.stopped).toContain('wait 3,600 s (its day may be used up, or the key banned)');
    expect(run.exchanges).toHaveLength(1);
    expect(verdicts(run)['LIMIT-01']).toBe('inconclusive');
  });

  it('whose day ends half-way is not accused', async () => {
    const run = await measured({}, { perDay: 250, before: spend(130) });
    expect(turned(run)).toEqual([]);
    expect(verdicts(run)).toMatchObject({
      'LIMIT-01': 'pass',
      'LIMIT-09': 'inconclusive',
      'LIMIT-03': 'inconclusive',
    });
    expect(reasonOf(run, 'LIMIT-09')).toBe("the day's requests are used up");
  });

  it('that the target refuses is told once', async () => {
    const run = await measured({ behaviour: { authenticate: () => undefined } });
    expect(run.stopped).toBe('the target refuses the key with 401');
    expect(run.exchanges).toHaveLength(1);
  });
});

/** Another client on the same key, which sends once in so many milliseconds, whatever the run does. */
function steadyClient(everyMs: number, phase = 0): ReferenceOptions {
  let next = begin - 60_000 + phase;
  return withLimiter((limiter) => ({
    async take(call) {
      for (; next <= call.at && call.caller.perMinute === 60; next += everyMs) {
        await limiter.take({ ...call, at: next });
      }
      return limiter.take(call);
    },
  }));
}

describe('other clients on the same key', () => {
  const every = [2_300, 5_000, 13_000, 30_000];
  it.each(
    (
      ['fixed-window-aligned', 'fixed-window-from-first-request', 'sliding-log', 'sliding-counter'] as const
    ).flatMap((algorithm) => every.map((milliseconds) => [algorithm, milliseconds] as const)),
  )('that send evenly get no %s accused: once in %d ms', async (algorithm, milliseconds) => {
    const { limiter } = steadyClient(milliseconds);
    const run = await measured({ limiter: { ...limiter, algorithm } });
    expect(turned(run)).toEqual([]);
  });

  it.each(every)('that send evenly get no token bucket accused: once in %d ms', async (milliseconds) => {
    const { limiter } = steadyClient(milliseconds, 1_200);
    const run = await measured({ limiter: { ...limiter, algorithm: 'token-bucket' } });
    expect(turned(run)).toEqual([]);
  });

  it('that send all the time leave nothing to be concluded', async () => {
    const run = await measured(otherClient(13));
    expect(turned(run)).toEqual([]);
    expect(reasonOf(run, 'LIMIT-01')).toContain('other clients use the key');
  });

  it('that send now and then make a window be used up again', async () => {
    const run = await measured(otherClient(90));
    expect(turned(run)).toEqual([]);
    expect(verdicts(run)['LIMIT-01']).toBe('pass');
  });
});

describe('a target that is lost', () => {
  it('half-way leaves what had been judged, and says so', async () => {
    const exchanged: AgainstReference['exchanged'] = (number, service) => {
      if (number === 90) void service.close();
    };
    const run = await measured({}, { exchanged });
    expect(run.stopped).toContain('the target was lost');
    expect(verdicts(run)).toMatchObject({
      'LIMIT-01': 'pass',
      'LIMIT-02': 'pass',
      'LIMIT-03': 'inconclusive',
    });
    expect(turned(run)).toEqual([]);
  });

  it('while the run is interrupted leaves what had been judged', async () => {
    const stop = new AbortController();
    const exchanged: AgainstReference['exchanged'] = (number) => {
      if (number === 90) stop.abort(new Error('interrupted'));
    };
    const run = await measured({}, { exchanged, signal: stop.signal });
    expect(run.stopped).toBe('the run was interrupted');
    expect(verdicts(run)['LIMIT-01']).toBe('pass');
  });
});

describe('what the run is not given', () => {
  it('permission to write: only what reads is sent', async () => {
    const animals = [{ name: 'Rex', categoryId: 1n, status: 'sold' }] as const;
    const run = await measured({ animals }, { readOnly: true });
    expect(run.exchanges.every(({ request }) => request.method === 'GET')).toBe(true);
    expect(verdicts(run)).toMatchObject({
      'LIMIT-07': 'not-tested',
      'LIMIT-09': 'not-tested',
      'LIMIT-02': 'pass',
    });
  });

  it('a second key', async () => {
    expect(reasonOf(await measured({}, { alone: true }), 'LIMIT-08')).toContain('--other-api-key');
  });
});

describe('wrong rate-limit headers (RATE)', () => {
  const headers = /^(no-(remaining|reset)-header$|remaining-|reset-)/;
  /** A Reset that is days off is no Reset that Retry-After could agree with. */
  const disagreeing = new Set(['reset-in-the-past', 'reset-two-days-ahead']);

  it.each(
    rateFaults
      .filter(({ name }) => headers.test(name) && name !== 'remaining-counts-creations-alone')
      .map((fault) => [fault.name, fault] as const),
  )('%s makes no limit be judged wrongly', async (name, { options }) => {
    expect(turned(await measured(options))).toEqual(disagreeing.has(name) ? ['LIMIT-06'] : []);
  });
});
