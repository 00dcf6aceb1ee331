import { durationOf, flagOf } from './option.js';
import { describe, expect, it } from 'vitest';
import { UsageProblem } from '../explain/usage-problem.js';
import type { Target } from './target.js';
import { plans } from '../specification/plan.js';
import { checkCommandLine, HelpAsked } from './command-line.js';
import { loadCommand, loadPlan, type LoadPlan, type LoadValues } from './load-options.js';
import { judgeThreshold, type LoadFigures } from '../load/load-counter.js';

const target: Target = {
  name: 'staging',
  baseUrl: 'https://staging.example.com/v1',
  apiKey: 'pets_staging_x',
  plan: plans.free,
  planGiven: true,
  consistencyMs: 0,
  deadlineMs: 1_000,
  readOnly: false,
};

const noon = Date.UTC(2026, 10, 23, 12);
const valuesOf = (...argv: string[]): LoadValues => checkCommandLine(argv, loadCommand).values;
const planOf = (argv: string[], options: Partial<Target> = {}): LoadPlan =>
  loadPlan(valuesOf(...argv), { ...target, ...options }, noon);

describe('the command line of a load', () => {
  it('has times, rates and bounds', () => {
    const values = valuesOf('--duration=2m', '--rate=30/min', '--p99=250ms', '--errors=0.5%');
    expect(values).toMatchObject({
      duration: 120_000,
      rate: 0.5,
      p99: '250ms',
      errors: '0.5%',
    });
  });

  it.each([
    ['--duraton=5s', 'Did you mean --duration?'],
    ['--rate=fast', '--rate must be auto, or requests per second or minute (10/s, 55/min); got "fast"'],
    ['--rate=0/s', '--rate must be auto'],
    ['--duration=5', '--duration must be a time with its unit, from 1s to 168h (30s, 5m); got "5"'],
    ['--duration=169h', '--duration must be a time with its unit, from 1s to 168h (30s, 5m); got "169h"'],
    ['--p99=250', '--p99 must be a time (250ms, 1.5s); got "250"'],
    ['--errors=few', '--errors must be a number of requests or a share (0, 0.1%); got "few"'],
    ['--errors=0.5', '--errors must be a number of requests'],
    ['--share=0/5', '--share must be a share and how many there are'],
    ['--share=6/5', '--share must be a share and how many there are'],
    ['--share=2', '--share must be a share and how many there are'],
    ['--begin=12:30', '--begin must be a time in UTC, in ISO 8601 (2026-11-23T21:00:00Z)'],
    ['--begin=2026-11-23T21:00:00', '--begin must be a time in UTC'],
    ['--begin=2026-13-23T21:00:00Z', '--begin must be a time in UTC'],
    ['staging', 'usage: npm run load -- [options]; got staging'],
  ])('%s is refused in one line: %s', (argument, message) => {
    expect(() => valuesOf(argument)).toThrow(UsageProblem);
    expect(() => valuesOf(argument)).toThrow(message);
  });

  it('has a help of 80 columns that names each option', () => {
    const { options } = loadCommand;
    expect(() => valuesOf('--help')).toThrow(HelpAsked);
    // Nobody is invited to type a key.
    for (const name of Object.keys(options).filter((one) => one !== 'apiKey'))
      expect(() => valuesOf('--help')).toThrow(flagOf(options, name));
    expect(() => valuesOf('--help')).toThrow(/^(?:.{0,80}\n)*$/);
  });
});

describe('a load on a target that is not on loopback', () => {
  it('stays below what the plan allows', () => {
    expect(planOf([]).ratePerSecond).toBeCloseTo(0.9);
    expect(() => planOf(['--rate=2/s'])).toThrow(
      'more than the plan free allows, 60 per minute: use --rate=auto',
    );
    expect(() => planOf(['--duration=1h', '--rate=1/s'])).toThrow('per day: use a shorter --duration');
  });

  it('may be as fast as it likes on loopback', () => {
    expect(planOf(['--rate=500/s'], { baseUrl: 'http://127.0.0.1:8080/v1' }).ratePerSecond).toBe(500);
  });

  it('named production must be allowed', () => {
    expect(() => planOf([], { production: 'the production target eu' })).toThrow('--allow-load');
    expect(planOf(['--allow-load'], { production: 'the production target eu' })).toMatchObject({
      durationMs: 30_000,
    });
  });
});

describe('a share', () => {
  it('has the rate and the requests of the whole load, and the moment at which it begins', () => {
    expect(planOf(['--share=2/5', '--begin=2026-11-23T12:05:00Z', '--rate=30/min'])).toMatchObject({
      share: { number: 2, of: 5 },
      begin: noon + 300_000,
      ratePerSecond: 0.5,
      requests: 15,
    });
  });

  it.each([
    [['--share=1/2'], '--share needs --begin=TIME'],
    [['--begin=2026-11-23T12:00:00Z'], '--begin=2026-11-23T12:00:00.000Z is over, it is 2026-11-23T12:00'],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => planOf(argv)).toThrow(UsageProblem);
    expect(() => planOf(argv)).toThrow(message);
  });
});

describe('a threshold', () => {
  const latency = { min: 1, p50: 5, p90: 20, p99: 249.9, p999: 300, max: 301, mean: 7 };
  const slower = (bound: number): number => (bound < 250 ? 40 : bound < 301 ? 1 : 0);
  const figures: LoadFigures = {
    sent: 1_000,
    errors: 2,
    refused: 0,
    notSent: 0,
    felt: { latency, slower },
    withoutOwn: { latency, slower },
  };
  /** Figures of which the harness itself was not late. */
  const withLatency = (sent: number, felt: LoadFigures['felt']): LoadFigures => ({
    ...figures,
    sent,
    felt,
    withoutOwn: felt,
  });

  it.each([
    ['p99', '250ms', true],
    ['p99', '0.2s', false],
    ['errors', '2', true],
    ['errors', '1', false],
    ['errors', '0.2%', true],
    ['errors', '0.1%', false],
    ['refused', '0', true],
  ] as const)('%s of %s is kept: %s', (name, text, kept) => {
    expect(judgeThreshold(name, text, figures).outcome).toBe(kept ? 'kept' : 'broken');
  });

  // With no slower request among n, the 95 % upper bound of the share above it is 1 - 0.05^(1/n).
  it.each([
    ['p99', 299, 0, 'kept'],
    ['p99', 298, 0, 'open'],
    ['p999', 2_995, 0, 'kept'],
    ['p999', 2_994, 0, 'open'],
    ['p50', 4, 0, 'open'],
    ['p50', 5, 0, 'kept'],
    ['p99', 1_000, 4, 'kept'],
    ['p99', 1_000, 10, 'open'],
    ['p99', 1_000, 17, 'broken'],
    ['p99', 100_000, 900, 'kept'],
    ['p99', 100_000, 1_100, 'broken'],
  ] as const)('%s of %i requests with %i slower ones is %s', (name, sent, number, outcome) => {
    const judged = judgeThreshold(name, '1s', withLatency(sent, { latency, slower: () => number }));
    expect(judged).toMatchObject({ outcome, confidence: 0.95 });
    expect(judged.reason !== undefined).toBe(outcome === 'open');
  });

  it('on latencies of nothing is not kept', () => {
    expect(judgeThreshold('p50', '1s', withLatency(0, { latency: undefined, slower: () => 0 })).outcome).toBe(
      'broken',
    );
  });

  const late = { ...latency, p99: 900, max: 900 };
  it('that the harness alone misses is open, and says so', () => {
    const judged = judgeThreshold('p99', '300ms', {
      ...figures,
      felt: { latency: late, slower: () => 100 },
      withoutOwn: { latency, slower: () => 0 },
    });
    expect(judged).toMatchObject({ outcome: 'open' });
    expect(judged.reason).toContain('the harness was late');
  });

  it('that the service misses is broken, however late the harness was', () => {
    const felt = { latency: late, slower: () => 100 };
    const judged = judgeThreshold('p99', '300ms', { ...figures, felt, withoutOwn: felt });
    expect(judged.outcome).toBe('broken');
  });

  it('that less than the planned load kept is open, and that it missed is broken', () => {
    const less = { ...figures, notSent: 7 };
    expect(judgeThreshold('errors', '2', less)).toMatchObject({
      outcome: 'open',
      reason: expect.stringContaining('7 planned requests were not sent') as string,
    });
    expect(judgeThreshold('errors', '1', less).outcome).toBe('broken');
  });

  it('needs a unit', () => {
    expect(durationOf('30')).toBeUndefined();
    expect(durationOf('1.5s')).toBe(1_500);
    expect(durationOf('2h')).toBe(7_200_000);
  });
});
