import { describe, expect, it } from 'vitest';
import type { LoadMeasurement } from '../../lib/evidence/record/load-measurement.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { loadRecord } from '../testing/sample-load.js';
import { comparisonMarkdown, comparisonText } from './comparison-text.js';
import { compareLoads, differentLoads } from './compare-loads.js';
import { comparisonExitCode } from './change.js';
import { compareRuns } from './compare-runs.js';

const latency = { min: 1, p50: 10, p90: 20, p99: 40, p999: 80, max: 90, mean: 12 };

const loadWith = (changes: Partial<LoadMeasurement>): LoadMeasurement => {
  const { load } = loadRecord();
  if (!load) throw new Error('the sample load has its figures');
  const figures = { sent: 2_000, good: 1_900, goodputPerSecond: 63, refused: 50, errors: 50 };
  return { ...load, durationMs: 30_000, ...figures, latency, thresholds: [], ...changes };
};
const recordWith = (changes: Partial<LoadMeasurement>): RunRecord => ({
  ...loadRecord(),
  load: loadWith(changes),
});

/** The figures that differ from those of the sample, with what became of them. */
const changed = (changes: Partial<LoadMeasurement>, tolerance = 0.1): string[] =>
  compareLoads(loadWith({}), loadWith(changes), tolerance)
    .filter(({ kind }) => kind !== 'equal')
    .map(({ name, kind, detail }) => `${name} ${kind} ${detail}`);

describe('of two loads', () => {
  it.each<[string, Partial<LoadMeasurement>, string[]]>([
    ['a tail that became slower', { latency: { ...latency, p99: 60 } }, ['latency p99 worse +50 %']],
    ['a median that became faster', { latency: { ...latency, p50: 5 } }, ['latency p50 better −50 %']],
    ['less goodput', { goodputPerSecond: 42 }, ['goodput worse −33.3 %']],
    ['more goodput', { goodputPerSecond: 126 }, ['goodput better +100 %']],
    ['more errors', { errors: 100 }, ['errors worse +100 %']],
    ['fewer errors', { errors: 0 }, ['errors better −100 %']],
    ['more 429 responses', { refused: 75 }, ['refused worse +50 %']],
    ['no difference', {}, []],
    ['a slowest request that is slower', { latency: { ...latency, max: 900 } }, []],
    ['a difference within the tolerance', { latency: { ...latency, p99: 43 } }, []],
  ])('tells %s', (_, changes, expected) => {
    expect(changed(changes)).toEqual(expected);
  });

  it('compares the rate that was sent, whatever the duration', () => {
    const twice = { durationMs: 60_000, sent: 4_000, errors: 100, refused: 100 };
    expect(changed(twice)).toEqual([]);
    expect(changed({ ...twice, sent: 2_000, errors: 50, refused: 50 })).toEqual(['sent worse −50 %']);
  });

  it('calls the first error worse, whatever the tolerance', () => {
    const measures = compareLoads(loadWith({ errors: 0 }), loadWith({ errors: 1 }), 10);
    expect(measures.find(({ name }) => name === 'errors')).toMatchObject({
      kind: 'worse',
      detail: 'from none',
    });
  });

  it('takes a latency that differs by less than 1 ms for equal', () => {
    const [fast, less, more] = [0.3, 1.2, 1.3].map((p50) => loadWith({ latency: { ...latency, p50 } }));
    if (!fast || !less || !more) throw new Error('there are three');
    const median = (before: LoadMeasurement, after: LoadMeasurement) =>
      compareLoads(before, after, 0.1).find(({ name }) => name === 'latency p50')?.kind;
    expect([median(fast, less), median(less, fast), median(fast, more), median(more, fast)]).toEqual([
      'equal',
      'equal',
      'worse',
      'better',
    ]);
  });

  it('leaves out a percentile that is the slowest of few requests', () => {
    const slower = { ...latency, p99: 400, p999: 800 };
    expect(changed({ latency: slower })).toEqual(['latency p99 worse +900 %', 'latency p999 worse +900 %']);
    const few = { sent: 99, errors: 0, refused: 0 };
    const names = compareLoads(loadWith(few), loadWith(few), 0.1).map(({ name }) => name);
    expect(names).toEqual(['sent', 'goodput', 'errors', 'refused', 'latency p50', 'latency p90']);
  });

  it('compares the service’s own latency if both loads have it, and never the lateness of the harness', () => {
    const slow = { ...latency, p50: 20 };
    expect(changed({ service: slow, lateness: slow })).toEqual([]);
    const measures = compareLoads(
      loadWith({ service: latency, lateness: latency }),
      loadWith({ service: slow, lateness: slow }),
      0.1,
    );
    expect(measures.filter(({ kind }) => kind === 'worse').map(({ name }) => name)).toEqual(['service p50']);
  });

  it('names another rate and another mix, and takes 4 to 1 for 8 to 2', () => {
    const [few, many] = [
      { listPets: 4, createPet: 1 },
      { createPet: 2, listPets: 8, getPet: 0 },
    ].map((mix) => loadWith({ mix }));
    if (!few || !many) throw new Error('there are two');
    expect(differentLoads(few, many)).toEqual([]);
    expect(differentLoads(few, { ...many, ratePerSecond: 10, mix: { listPets: 1 } })).toEqual([
      'rate (5/s and 10/s)',
      'mix (20 % createPet, 80 % listPets and 100 % listPets)',
    ]);
  });

  it('shows every figure, says first in the total what got worse, and exits with 1 for that alone', () => {
    const slower = recordWith({ latency: { ...latency, p99: 60 } });
    const comparison = compareRuns(recordWith({}), slower);
    const text = comparisonText(comparison, { columns: 100, colour: false });
    expect(text).toContain('worse (1)\n  latency p99  40 ms → 60 ms  +50 %\n');
    expect(text).toContain('  goodput  63/s → 63/s  0 %\n');
    expect(text).toContain('\n1 worse, 7 equal.\nExit code 1: worse latency p99.\n');
    const page = comparisonMarkdown(comparison);
    expect(page).toMatch(/\| worse +\| latency p99 +\| 40 ms → 60 ms +\| \+50 % +\|/u);
    expect(
      [comparison, compareRuns(slower, recordWith({})), compareRuns(recordWith({}), slower, 0.6)].map(
        comparisonExitCode,
      ),
    ).toEqual([1, 0, 0]);
  });
});
