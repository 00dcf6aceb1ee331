import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../lib/http/exchange/exchange.js';
import type { Finding, PlanMeasurement, RunRecord } from '../../lib/record/record.js';
import { threadCpuMs } from '../../lib/testing/thread-cpu.js';
import { sampleExchanges } from '../testing/sample-exchanges.js';
import { sampleMeasurement } from '../testing/sample-measurement.js';
import { faultyRecord } from '../testing/sample-record.js';
import { renderHtml } from './render.js';
import { htmlRun } from './testing/html-run.js';

const animal = (id: number) => `{"id":${id},"name":"pc-7f3a Rex ${id}","categoryId":9007199254740993}`;
const page = `[${Array.from({ length: 100 }, (_, index) => animal(index)).join(',')}]`;

/** Exchanges `e1` to `e<count>`, each a full page of a hundred animals. */
function manyExchanges(count: number): Exchange[] {
  const [first] = sampleExchanges();
  if (!first?.response) throw new Error('the first sample has a response');
  const { response } = first;
  return Array.from({ length: count }, (_, index) => ({
    ...first,
    id: `e${index + 1}`,
    response: { ...response, body: { text: page, bytes: page.length } },
  }));
}

/** Every requirement fails with many findings, each shown by exchanges of its own. */
function hopelessRecord(findings: number): RunRecord {
  const record = faultyRecord();
  let next = 1;
  const finding = (): Finding => ({
    message: 'It is wrong, and at length.',
    expected: 'x'.repeat(10_000),
    received: 'y'.repeat(10_000),
    exchanges: [`e${next++}`, `e${next++}`],
    pointer: '/57/categoryId',
    reproduce: `curl ${'z'.repeat(20_000)}`,
  });
  return {
    ...record,
    requirements: record.requirements.map((row) => ({
      ...row,
      verdict: 'fail',
      findings: Array.from({ length: findings }, finding),
      observations: Array.from({ length: 300 }, () => ({
        subject: 's'.repeat(5_000),
        behaviour: 'b'.repeat(5_000),
        exchanges: [`e${next++}`],
      })),
    })),
    leftovers: Array.from({ length: 100_000 }, (_, index) => ({ id: String(index), name: 'n'.repeat(900) })),
    notes: Array.from({ length: 3 }, () => 'note'),
  };
}

/** A day's measurement: many points in many windows. */
function dayMeasurement(points: number): PlanMeasurement {
  const measurement = sampleMeasurement();
  const [phase] = measurement.phases;
  if (!phase) throw new Error('the sample has a phase');
  const series = Array.from({ length: points }, (_, index) => ({
    t: index * 432,
    status: index % 40 === 0 ? 429 : 200,
    remaining: 1_000 - (index % 1_000),
    latencyMs: 1 + (index % 900) / 10,
  }));
  const windows = Array.from({ length: 1_440 }, (_, index) => ({
    from: index * 60_000,
    to: (index + 1) * 60_000,
  }));
  return {
    ...measurement,
    phases: [
      { ...phase, name: 'day', durationMs: 86_400_000, sent: points, admitted: points, series, windows },
    ],
  };
}

describe('the size of the report', () => {
  test('of an ordinary run is under 500 KB', async () => {
    const record = faultyRecord({ plans: [sampleMeasurement(), sampleMeasurement()] });
    expect((await renderHtml(htmlRun(record))).length).toBeLessThan(500_000);
  });

  test('lets an ordinary run be rendered in under 300 ms of CPU', async () => {
    const times: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const begin = threadCpuMs();
      await renderHtml(htmlRun(faultyRecord()));
      times.push(threadCpuMs() - begin);
    }
    // The first one compiles: the best of three is what the renderer takes.
    expect(Math.min(...times)).toBeLessThan(300);
  });

  test('of a service that fails everything with full pages is under 5 MB, and says what it left out', async () => {
    const html = await renderHtml(htmlRun(hopelessRecord(40), manyExchanges(3_000)));
    expect(html.length).toBeLessThan(5_000_000);
    expect(html).toContain('left out of this page');
    expect(html).toMatch(/\d+ further findings/);
    expect(html).toMatch(/\d+ further observations/);
    expect(html).toContain('99,800 further animals');
    expect(html).toMatch(/… \d+ lines left out …/);
  });

  test('does not grow with the points of a limit run', async () => {
    const html = await renderHtml(htmlRun(faultyRecord({ plans: [dayMeasurement(200_000)] })));
    expect(html.length).toBeLessThan(500_000);
  });
});
