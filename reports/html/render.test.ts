import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageAddress } from '../../lib/explain/page-address.js';
import { anyText } from '../testing/sample-text.js';
import { requirementIds } from '../../lib/specification/catalogue.js';
import { verdicts } from '../../lib/record/record.js';
import { hostileName, sampleExchanges } from '../testing/sample-exchanges.js';
import { conformingRecord, faultyRecord, recordOf, sampleRows } from '../testing/sample-record.js';
import { renderHtml } from './render.js';
import { distorted } from './testing/distort.js';
import { htmlRun } from './testing/html-run.js';
import { markupOf, valuesOf } from './testing/markup.js';

const elements = new Set(
  'html head meta title style body a svg symbol path use rect circle g text desc header p h1 h2 h3 h4 span bdi b i nav ul ol li main section dl div dt dd code pre mark details summary table caption thead tbody tr th td label input figure figcaption footer'.split(
    ' ',
  ),
);

/** What no data may do to the document. */
function expectHarmless(html: string): void {
  const { tags, text } = markupOf(html);
  expect(text).not.toContain('<');
  expect(tags.map(({ name }) => name).filter((name) => !elements.has(name))).toEqual([]);
  const names = new Set(tags.flatMap(({ attributes }) => attributes.map(([name]) => name)));
  expect([...names].filter((name) => /^(?:on.*|style|src)$/.test(name))).toEqual([]);
  const pages = new Set<string>(requirementIds.map(pageAddress));
  const isOurs = (address: string): boolean =>
    pages.has(address) || /^(?:#.*|https:\/\/www\.rfc-editor\.org\/rfc\/[\w#.-]+)$/s.test(address);
  expect(valuesOf(tags, 'href').filter((address) => !isOurs(address))).toEqual([]);
  expect(html).not.toMatch(/[\p{Bidi_Control}\u0000-\u0008\u001b\u200b]/u);
}

/** The report of a record and exchanges whose every free text ends with a payload. */
async function distortedHtml(payload: string): Promise<string> {
  const exchanges = sampleExchanges().map((exchange) => distorted(exchange, payload));
  return renderHtml(htmlRun(distorted(faultyRecord(), payload), exchanges));
}

describe('text from the target', () => {
  test('is text, where names try to leave the document', async () => {
    const html = await renderHtml(htmlRun(faultyRecord()));
    expectHarmless(html);
    expect(html).toContain('&lt;/textarea>&lt;img src=x onerror=alert(2)>');
    expect(html).toContain('<b class="unseen">U+202E</b>');
  });

  test.each([
    '<script>alert(1)</script>',
    '</textarea></style><img onerror=alert(1)>',
    '" onmouseover="alert(1)" x="',
    '--><svg onload=alert(1)>',
    'javascript:alert(1)',
    '`<b>`',
    hostileName,
  ])('is text in every field of the record and of the exchanges: %j', async (payload) => {
    expectHarmless(await distortedHtml(payload));
  });

  test('is text, whatever it is', async () => {
    const isHarmless = async (payload: string): Promise<void> => expectHarmless(await distortedHtml(payload));
    await fc.assert(fc.asyncProperty(anyText, isHarmless), { numRuns: 6 });
  });
});

/** The annotated specification alone. */
function specificationOf(html: string): string {
  const from = html.indexOf('<section id="specification"');
  return html.slice(from, html.indexOf('<section id="open"'));
}

describe('the annotated specification', () => {
  const entry = (verdict: string, id: string): string => `<li class="requirement is-${verdict}" id="${id}"`;

  test('has each id of the catalogue once, whatever the verdicts', async () => {
    const rows = sampleRows({}).map((row, index) => ({
      ...row,
      verdict: verdicts[index % verdicts.length] ?? 'pass',
    }));
    const html = await renderHtml(htmlRun(recordOf(rows)));
    const entries = specificationOf(html).matchAll(/<li class="requirement [\w-]+" id="([\w-]+)"/g);
    const ids = Array.from(entries, ([, id = '']) => id);
    expect(ids).toHaveLength(requirementIds.length);
    expect(new Set(ids)).toEqual(new Set(requirementIds));
    for (const { verdict, id } of rows) expect(html).toContain(entry(verdict, id));
  });

  test('shows a requirement that an older record does not know as not tested', async () => {
    const rows = sampleRows({}).filter(({ id }) => id !== 'RATE-05');
    const html = await renderHtml(htmlRun(recordOf(rows)));
    expect(html).toContain(entry('not-tested', 'RATE-05'));
    expect(html).toContain('the record has no result for it');
  });

  test('shows a waived failure as waived, with reason, owner and date', async () => {
    const html = specificationOf(await renderHtml(htmlRun(faultyRecord())));
    expect(html).toContain(entry('waived', 'LIST-09'));
    expect(html.replaceAll(/<[^>]+>/g, '')).toContain(
      'Waived until 2026-04-30 by store team: legacy rows, migrated in April (PETS-812)',
    );
  });
});

describe('the document', () => {
  test.each([
    ['a faulty service', faultyRecord()],
    ['a conforming service', conformingRecord()],
    ['hostile ids', distorted(faultyRecord(), ' " <x>')],
  ])('has an anchor for each of its links and no id twice: %s', async (_, record) => {
    const { tags } = markupOf(await renderHtml(htmlRun(record)));
    const ids = valuesOf(tags, 'id');
    expect(new Set(ids).size).toBe(ids.length);
    const targets = valuesOf(tags, 'href').filter((address) => address.startsWith('#'));
    expect(targets.filter((target) => !ids.includes(target.slice(1)))).toEqual([]);
  });

  test('admits no request, no script, and no style but its own', async () => {
    const html = await renderHtml(htmlRun(faultyRecord()));
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(html).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(html).not.toContain('<script');
    expect(style).not.toMatch(/url\(|@import/);
  });

  test('shows 64-bit numbers to the last digit, and marks the one that is wrong', async () => {
    const html = (await renderHtml(htmlRun(faultyRecord()))).replaceAll('&quot;', '"');
    expect(html).toContain('"categoryId": 9007199254740993');
    expect(html).toContain('<mark><bdi>"categoryId": 9007199254740992');
  });

  test('says that a run did not finish, what became of waivers, and the findings of a run without exchanges', async () => {
    const { run } = faultyRecord();
    const record = faultyRecord({
      run: { ...run, complete: false, stopped: 'interrupted by the user' },
      waiverProblems: ['LIST-09: expired on 2026-01-01'],
    });
    const html = await renderHtml(htmlRun(record, []));
    expect(html).toContain('The run did not finish: interrupted by the user.');
    expect(html).toContain('LIST-09: expired on 2026-01-01');
    expect(html).toContain('finding-CREATE-12-1');
    expect(html).not.toContain('<details class="exchange"');
  });
});
