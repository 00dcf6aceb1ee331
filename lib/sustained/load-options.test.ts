import { describe, expect, it } from 'vitest';
import { UsageProblem } from '../usage/usage-problem.js';
import type { Target } from '../target/target.js';
import { plans } from '../specification/plans.js';
import { loadLine, loadPlan } from './load-options.js';
import { durationOf, judgeThreshold, thresholdOf, type LoadFigures } from './thresholds.js';

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

describe('a load’s command line', () => {
  it('has a default for everything', () => {
    expect(loadLine([])).toMatchObject({
      durationMs: 30_000,
      ratePerSecond: 'auto',
      connections: 50,
      thresholds: [],
    });
  });

  it('reads times, rates and bounds', () => {
    const line = loadLine(['--duration=2m', '--rate=30/min', '--p99=250ms', '--errors=0.5%']);
    expect(line.durationMs).toBe(120_000);
    expect(line.ratePerSecond).toBe(0.5);
    expect(line.thresholds.map(({ name, bound }) => [name, bound])).toEqual([
      ['p99', 250],
      ['errors', 0.005],
    ]);
  });

  it.each([
    ['--duraton=5s', 'Did you mean duration'],
    ['--rate=fast', 'arrivals a second'],
    ['--rate=0/s', 'arrivals a second'],
    ['--duration=5', 'time from 1s'],
    ['--p99=250', 'a time'],
    ['--errors=few', 'a number of requests'],
    ['staging', 'unexpected argument'],
    ['--mix=', 'needs a value'],
  ])('%s is refused in one line', (argument, message) => {
    expect(() => loadLine([argument])).toThrow(UsageProblem);
    expect(() => loadLine([argument])).toThrow(message);
  });
});

describe('a load on a target beyond this machine', () => {
  it('stays below what the plan grants', () => {
    expect(loadPlan(loadLine([]), target).ratePerSecond).toBeCloseTo(0.9);
    expect(() => loadPlan(loadLine(['--rate=2/s']), target)).toThrow('more than the plan free grants');
    expect(() => loadPlan(loadLine(['--duration=1h', '--rate=1/s']), target)).toThrow('in a day');
  });

  it('may be as fast as it likes on this machine', () => {
    const local = { ...target, baseUrl: 'http://127.0.0.1:8080/v1' };
    expect(loadPlan(loadLine(['--rate=500/s']), local).ratePerSecond).toBe(500);
  });

  it('creates nothing where nothing may be created', () => {
    const readOnly = { ...target, readOnly: true };
    expect(loadPlan(loadLine([]), readOnly).mix).toEqual({ listPets: 8, getPet: 1 });
    expect(() => loadPlan(loadLine(['--mix=createPet:1']), readOnly)).toThrow('read-only');
  });

  it('named production has to be allowed', () => {
    const production = { ...target, name: 'production' };
    expect(() => loadPlan(loadLine([]), production)).toThrow('--allow-load');
    expect(loadPlan(loadLine(['--allow-load']), production).ratePerSecond).toBeCloseTo(0.9);
  });
});

describe('a threshold', () => {
  const latency = { min: 1, p50: 5, p90: 20, p99: 249.9, p999: 300, max: 301, mean: 7 };
  const figures: LoadFigures = { sent: 1_000, errors: 2, refused: 0, goodputPerSecond: 9.5, latency };

  it.each([
    ['p99', '250ms', true],
    ['p99', '0.2s', false],
    ['errors', '2', true],
    ['errors', '1', false],
    ['errors', '0.2%', true],
    ['errors', '0.1%', false],
    ['refused', '0', true],
    ['goodput', '9.5/s', true],
    ['goodput', '10', false],
  ] as const)('%s of %s is kept: %s', (name, text, kept) => {
    expect(judgeThreshold(thresholdOf(name, text), figures).kept).toBe(kept);
  });

  it('on latencies of nothing is not kept', () => {
    expect(judgeThreshold(thresholdOf('p50', '1s'), { ...figures, latency: undefined }).kept).toBe(false);
  });

  it('needs a unit', () => {
    expect(durationOf('30')).toBeUndefined();
    expect(durationOf('1.5s')).toBe(1_500);
    expect(durationOf('2h')).toBe(7_200_000);
  });
});
