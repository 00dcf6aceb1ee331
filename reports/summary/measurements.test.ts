import { describe, expect, test } from 'vitest';
import { renderHtml } from '../html/render.js';
import { htmlRun } from '../html/testing/html-run.js';
import { junitXml } from '../junit.js';
import { markdownSummary } from '../github.js';
import { renderTerminal } from '../terminal/terminal-report.js';
import { loadRecord } from '../testing/sample-load.js';
import { conformingRecord } from '../testing/sample-record.js';
import { loadResult } from './measurements.js';
import { headline } from './verdict-sentences.js';

const missed = loadRecord();
const load = missed.load;
if (!load) throw new Error('the sample load has its figures');
const kept = {
  ...missed,
  load: { ...load, thresholds: load.thresholds.filter((one) => one.outcome === 'kept') },
};
const unbound = { ...missed, load: { ...load, thresholds: [] } };
const { load: _, plans: __, ...bare } = missed;
const never = {
  ...bare,
  verdict: 'incomplete' as const,
  run: { ...bare.run, complete: false, stopped: 'no response' },
};

describe('a load that missed a bound', () => {
  test('says so at the head of each report, and judges no requirement', async () => {
    expect(headline(missed)).toBe('1 of 2 bounds missed. A load judges no requirement.');
    const html = await renderHtml(htmlRun(missed));
    expect(html).toMatch(/<header class="verdict red">.*?<\/span>Bounds missed<\/h1>.*?<bdi>staging<\/bdi>/u);
    expect(html).not.toContain('<section id="requirements"');
    expect(markdownSummary(missed)).toContain('## ❌ Pet Store Service under load: bounds missed');
    expect(renderTerminal(missed, { columns: 80, colour: false })).toMatch(/^errors at most 0 +✗ missed: /mu);
    expect(loadResult(missed).exitCode).toBe(1);
  });

  test('shows its figures and its bounds', async () => {
    const html = await renderHtml(htmlRun(missed));
    for (const figure of ['errors at most 0', '18.2 ms', '30 not sent while the target asked to wait'])
      expect(html).toContain(figure);
  });

  test('is a failed case for JUnit', () => {
    const xml = junitXml(missed);
    expect(xml).toMatch(
      new RegExp(`<testsuites [^>]*tests="${missed.requirements.length + 2}" failures="1"`, 'u'),
    );
    expect(xml).toContain('<testcase name="p99 at most 250ms" classname="load.bounds"></testcase>');
    expect(xml).toMatch(/<failure type="bound" message="errors at most 0: 1 of \d+">/u);
  });
});

test('a load of too few requests keeps no percentile and misses none, and exits with 3', () => {
  const open = {
    name: 'p99',
    bound: 'at most 1s',
    measured: '3ms',
    outcome: 'open',
    reason: 'too few',
  } as const;
  const few = { ...missed, load: { ...load, thresholds: [open] } };
  expect(loadResult(few).exitCode).toBe(3);
  expect(headline(few)).toContain("can't tell of 1 of 1 bound: too few");
  expect(renderTerminal(few, { columns: 80, colour: false })).toMatch(
    /^p99 at most 1s +\? can't tell: 3ms: too few$/mu,
  );
  expect(markdownSummary(few)).toContain("? can't tell");
  expect(junitXml(few)).toMatch(/failures="0" errors="[1-9]/u);
});

test('a load has one of four outcomes', () => {
  expect([missed, kept, unbound, never].map((one) => loadResult(one).word)).toEqual([
    'bounds missed',
    'bounds kept',
    'measured',
    'not finished',
  ]);
  expect(headline(kept)).toContain('1 of 1 bound kept.');
  expect(headline(unbound)).toContain('No bound was set.');
  expect(headline(never)).toContain('The target was not put under load.');
  expect(markdownSummary(never)).toContain('Nothing was measured.');
  expect(headline(conformingRecord())).not.toContain('load');
});
