import { describe, expect, test } from 'vitest';
import type { FinishedRun } from '../finished-run.js';
import { htmlRun } from '../html/testing/html-run.js';
import { renderHtml } from '../html/render.js';
import { headline } from './headline.js';
import { junit } from '../junit.js';
import { loadExitCode, loadOutcome } from './load-summary.js';
import { markdownSummary } from '../markdown.js';
import { collect } from '../testing/collect.js';
import { loadRecord } from '../testing/sample-load.js';
import { conformingRecord } from '../testing/sample-record.js';
import { renderTerminal } from '../terminal/terminal-report.js';

const missed = loadRecord();
const load = missed.load;
if (!load) throw new Error('the sample load has its figures');
const kept = { ...missed, load: { ...load, thresholds: load.thresholds.filter((one) => one.kept) } };
const unbound = { ...missed, load: { ...load, thresholds: [] } };
const { load: _, plans: __, ...bare } = missed;
const never = {
  ...bare,
  verdict: 'incomplete' as const,
  run: { ...bare.run, complete: false, stopped: 'no answer' },
};

const finishedRun: FinishedRun = {
  directory: '',
  record: missed,
  exchanges: async function* () {},
  exchangesById: async () => new Map(),
};

describe('a load that missed a bound', () => {
  test('says so at the head of each report, and claims nothing of conformance', async () => {
    expect(headline(missed)).toMatch(/ missed 1 of 2 bounds under load; nothing is claimed of conformance$/u);
    const html = await renderHtml(htmlRun(missed));
    expect(html).toMatch(/<h1><svg.*?#symbol-fail.*?missed 1 of 2 bounds under load<\/span><\/h1>/u);
    expect(html).not.toContain('The specification, annotated');
    expect(html).not.toContain('no failure');
    expect(markdownSummary(missed)).toContain('## ❌ Pet Store Service under load');
    expect(renderTerminal(missed, { columns: 80, colour: false })).toContain('MISSED       errors at most 0');
    expect(loadExitCode(missed)).toBe(1);
  });

  test('is told with its figures, its bounds and its course over time', async () => {
    const html = await renderHtml(htmlRun(missed));
    for (const told of [
      'The bounds that it had to keep',
      'Goodput over time',
      'Latency over time',
      'Remaining against time',
      '18.2 ms',
      '30 not sent while the service asked to wait',
    ]) {
      expect(html).toContain(told.replace('18.2 ms', '18.2\u00A0ms'));
    }
  });

  test('is a failed case for JUnit', async () => {
    const xml = (await collect(junit.render(finishedRun))).join('');
    expect(xml).toMatch(/<testsuites [^>]*tests="82" failures="1"/u);
    expect(xml).toContain('<testcase name="p99 at most 250ms" classname="load.bounds"/>');
    expect(xml).toMatch(/<failure type="bound" message="errors at most 0: 1 of \d+"\/>/u);
  });
});

test('what became of a load is one of four, and a run that judged the specification is none', async () => {
  expect([missed, kept, unbound, never].map(loadOutcome)).toEqual([
    'missed',
    'kept',
    'measured',
    'unfinished',
  ]);
  expect(headline(kept)).toMatch(/ kept the bound under load/u);
  expect(headline(unbound)).toMatch(/ was measured under load; no bound was set/u);
  expect(headline(never)).toMatch(/ was not put under load/u);
  expect(await renderHtml(htmlRun(never))).toContain('Nothing was measured.');
  expect(headline(conformingRecord())).not.toContain('under load');
});
