import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageAddress } from '../../lib/explain/page-address.js';
import { anyText } from '../testing/sample-text.js';
import { requirementIds } from '../../lib/specification/catalogue.js';
import { verdicts, type RunRecord } from '../../lib/record/record.js';
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
  expect([...names].filter((name) => name.startsWith('on') || name === 'style' || name === 'src')).toEqual(
    [],
  );
  const pages = new Set<string>(requirementIds.map(pageAddress));
  const addresses = valuesOf(tags, 'href').filter(
    (address) => !address.startsWith('#') && !pages.has(address),
  );
  expect(
    addresses.filter((address) => !/^https:\/\/www\.rfc-editor\.org\/rfc\/[\w#.-]+$/.test(address)),
  ).toEqual([]);
  expect(html).not.toMatch(/[\p{Bidi_Control}\u0000-\u0008\u001b\u200b]/u);
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
    '</textarea><img onerror=alert(1)>',
    '" onmouseover="alert(1)" x="',
    '--><svg onload=alert(1)>',
    'javascript:alert(1)',
    '`<b>`',
    hostileName,
  ])('is text in every field of the record and of the exchanges: %j', async (payload) => {
    const record = distorted(faultyRecord(), payload);
    const exchanges = sampleExchanges().map((exchange) => distorted(exchange, payload));
    expectHarmless(await renderHtml(htmlRun(record, exchanges)));
  });

  test('is text, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (payload) => {
        const record = distorted(faultyRecord(), payload);
        const exchanges = sampleExchanges().map((exchange) => distorted(exchange, payload));
        expectHarmless(await renderHtml(htmlRun(record, exchanges)));
      }),
      { numRuns: 6 },
    );
  });
});

const rowsOfAnyVerdict = fc
  .array(fc.constantFrom(...verdicts), { minLength: requirementIds.length, maxLength: requirementIds.length })
  .map((drawn) => sampleRows({}).map((row, index) => ({ ...row, verdict: drawn[index] ?? 'pass' })));

/** The annotated specification alone. */
function specificationOf(html: string): string {
  const from = html.indexOf('<section id="specification"');
  return html.slice(from, html.indexOf('<section id="open"'));
}

describe('the annotated specification', () => {
  test('has each id of the catalogue once, whatever the verdicts', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOfAnyVerdict, async (rows) => {
        const html = await renderHtml(htmlRun(recordOf(rows)));
        const entries = specificationOf(html).match(/<li class="requirement [\w-]+" id="([\w-]+)"/g) ?? [];
        const ids = entries.map((entry) => /id="([\w-]+)"/.exec(entry)?.[1] ?? '');
        expect([...ids].sort()).toEqual([...requirementIds].sort());
        for (const row of rows) {
          expect(html).toContain(`<li class="requirement is-${row.verdict}" id="${row.id}"`);
        }
      }),
      { numRuns: 3 },
    );
  });

  test('shows a requirement that an older record does not know as not tested', async () => {
    const rows = sampleRows({}).filter(({ id }) => id !== 'RATE-05');
    const html = await renderHtml(htmlRun(recordOf(rows)));
    expect(html).toContain('<li class="requirement is-not-tested" id="RATE-05"');
    expect(html).toContain('the record has no result for it');
  });

  test('shows a waived failure as waived, with reason, owner and date', async () => {
    const html = specificationOf(await renderHtml(htmlRun(faultyRecord())));
    expect(html).toContain('<li class="requirement is-waived" id="LIST-09"');
    expect(html.replaceAll(/<[^>]+>/g, '')).toContain(
      'Waived until 2026-04-30 by store team: legacy rows, migrated in April (PETS-812)',
    );
  });
});

describe('the document', () => {
  const links = async (record: RunRecord) => {
    const { tags } = markupOf(await renderHtml(htmlRun(record)));
    const ids = valuesOf(tags, 'id');
    return { ids, targets: valuesOf(tags, 'href').filter((address) => address.startsWith('#')) };
  };

  test.each([
    ['a faulty service', faultyRecord()],
    ['a conforming service', conformingRecord()],
    ['hostile ids', distorted(faultyRecord(), ' " <x>')],
  ])('has an anchor for each of its links and no id twice: %s', async (_, record) => {
    const { ids, targets } = await links(record);
    expect(new Set(ids).size).toBe(ids.length);
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

  test('says that a run did not finish, and what became of waivers', async () => {
    const { run } = faultyRecord();
    const html = await renderHtml(
      htmlRun(
        faultyRecord({
          run: { ...run, complete: false, stopped: 'interrupted by the user' },
          waiverProblems: ['LIST-09: expired on 2026-01-01'],
        }),
      ),
    );
    expect(html).toContain('The run did not finish: interrupted by the user.');
    expect(html).toContain('LIST-09: expired on 2026-01-01');
  });

  test('of a run without exchanges still tells the findings', async () => {
    const html = await renderHtml(htmlRun(faultyRecord(), []));
    expect(html).toContain('finding-CREATE-12-1');
    expect(html).not.toContain('<details class="exchange"');
  });
});
