import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageAddress } from '../../lib/explain/page-address.js';
import { anyText } from '../testing/sample-text.js';
import { requirementIds } from '../../lib/specification/catalogue.js';
import { verdicts } from '../../lib/evidence/record/record.js';
import { hostileName, sampleExchanges } from '../testing/sample-exchanges.js';
import {
  conformingRecord,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
} from '../testing/sample-record.js';
import { copyScript } from './parts.js';
import { type Outcome, outcomeTexts } from '../summary/outcomes.js';
import { sampleMeasurement } from '../testing/sample-measurement.js';
import { renderHtml } from './render.js';
import { distorted } from './testing/distort.js';
import { htmlRun } from './testing/html-run.js';
import { markupOf, valuesOf } from './testing/markup.js';

const elements = new Set(
  'html head meta title style script body a svg path rect line g text desc header p h1 h2 h3 span bdi b i nav ul li main section article dl div dt dd code pre mark button details summary table caption thead tbody tr th td label input figure figcaption footer'.split(
    ' ',
  ),
);

/** What no data may do to the document. */
function expectHarmless(html: string): void {
  const { tags, text } = markupOf(html.replace(`<script>${copyScript}</script>`, ''));
  expect(text).not.toContain('<');
  expect(tags.filter(({ name }) => name === 'script')).toEqual([]);
  expect(tags.map(({ name }) => name).filter((name) => !elements.has(name))).toEqual([]);
  const names = new Set(tags.flatMap(({ attributes }) => attributes.map(([name]) => name)));
  expect([...names].filter((name) => /^(?:on.*|style|src)$/.test(name))).toEqual([]);
  const pages = new Set<string>(requirementIds.map(pageAddress));
  const isOurs = (address: string): boolean => pages.has(address) || address.startsWith('#');
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
    expect(html).toContain('\\u202egpj.exe');
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

/** The part for those who audit alone. */
function requirementsOf(html: string): string {
  return html.slice(html.indexOf('<section id="requirements"'), html.indexOf('<section id="run"'));
}

describe('the requirements', () => {
  const entry = (outcome: Outcome, id: string): RegExp =>
    new RegExp(
      `<li class="requirement \\w+" id="${id}"><span class="outcome \\w+"><span aria-hidden="true">.</span> <span>${outcomeTexts[outcome].word}<`,
      'u',
    );

  test('has each id of the catalogue once, whatever the verdicts', async () => {
    const rows = sampleRows({}).map((row, index) => ({
      ...row,
      verdict: verdicts[index % verdicts.length] ?? 'pass',
    }));
    const html = await renderHtml(htmlRun(recordOf(rows)));
    const entries = requirementsOf(html).matchAll(/<li class="requirement \w+" id="([\w-]+)"/g);
    const ids = Array.from(entries, ([, id = '']) => id);
    expect(ids).toHaveLength(requirementIds.length);
    expect(new Set(ids)).toEqual(new Set(requirementIds));
    for (const { verdict, id } of rows) expect(html).toMatch(entry(verdict, id));
  });

  test('have each of their own findings below them, also those that another cause tells', async () => {
    const html = requirementsOf(await renderHtml(htmlRun(oneCauseRecord())));
    for (const message of ['got 422</bdi>', 'createPet responds 422']) expect(html).toContain(message);
    const created = /id="CREATE-06".*?<\/li><li class="requirement/s.exec(html)?.[0] ?? '';
    expect(created.replaceAll(/<[^>]+>/g, '')).toContain('a body without categoryId: got 422');
    expect(created).toContain('<dt>Received</dt>');
  });

  test('shows a waived failure as waived, with reason, owner and date', async () => {
    const html = requirementsOf(await renderHtml(htmlRun(faultyRecord())));
    expect(html).toMatch(entry('waived', 'LIST-09'));
    expect(html.replaceAll(/<[^>]+>/g, '')).toContain(
      'Waived until 2026-04-30 by store team: legacy rows, migrated in April (PETS-812)',
    );
  });
});

describe('the verdict', () => {
  const headOf = (html: string): string =>
    html
      .slice(html.indexOf('<header'), html.indexOf('</header>'))
      .replaceAll(/<[^>]+>/g, '|')
      .replaceAll(/[| ]+/g, ' ');

  test('is a word with four numbers and the target, and nothing is said to be wrong if nothing is', async () => {
    const html = await renderHtml(htmlRun(conformingRecord()));
    expect(headOf(html)).toMatch(/ Conformant \d+ passed 0 failed 0 warnings \d+ not judged staging https:/);
    expect(html).not.toContain('What is wrong');
  });

  test('is followed by each cause once, with what to do and a command', async () => {
    const html = await renderHtml(htmlRun(oneCauseRecord()));
    expect(headOf(html)).toMatch(/ Non-conformant \d+ passed 3 failed /);
    expect(html.match(/<article/g)).toHaveLength(1);
    const cause = /<article.*?<\/article>/s.exec(html)?.[0] ?? '';
    for (const part of [
      '#CREATE-05',
      '#ROBUST-01',
      'What to do:',
      '<dt>Expected</dt>',
      'curl -d 30',
      'id="exchange-e4"',
    ])
      expect(cause).toContain(part);
    expect(cause).toContain('Not judged because of it: CREATE-11.');
  });

  test('of a killed run and of a self-check says what they are', async () => {
    const { run, target } = conformingRecord();
    const killed = conformingRecord({ run: { ...run, complete: false, stopped: 'the run was cut off' } });
    const html = await renderHtml(htmlRun(killed));
    expect(html).toContain('The run did not finish: the run was cut off');
    expect(html).toContain('<dt>Requests</dt><dd>not known</dd>');
    expect(html).not.toContain('16 requests');
    const checked = conformingRecord({ target: { ...target, name: 'reference' } });
    expect(headOf(await renderHtml(htmlRun(checked)))).toContain(
      'This is a self-check of the embedded reference service',
    );
  });

  test('of the limits has the windows', async () => {
    const html = await renderHtml(htmlRun(faultyRecord({ plans: [sampleMeasurement()] })));
    expect(html.match(/<svg class="window"/g)).toHaveLength(2);
    expect(html).toContain('a fixed window of 60 in 60 s that admits one more under concurrency');
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

  test('admits no request, and no style and no script but its own', async () => {
    const html = await renderHtml(htmlRun(faultyRecord()));
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
    expect(html).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash(style)}'; script-src 'sha256-${hash(copyScript)}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(style).not.toMatch(/url\(|@import/);
  });

  test('is the same to the byte if it is rendered again', async () => {
    const render = () => renderHtml(htmlRun(faultyRecord()));
    expect(await render()).toBe(await render());
  });

  test('shows 64-bit numbers to the last digit', async () => {
    const html = (await renderHtml(htmlRun(faultyRecord()))).replaceAll('&quot;', '"');
    expect(html).toContain('"categoryId":9007199254740993');
    expect(html).toContain('"categoryId":9007199254740992');
  });

  test('says that a run did not finish, what became of waivers, and the findings of a run without exchanges', async () => {
    const { run } = faultyRecord();
    const record = faultyRecord({
      run: { ...run, complete: false, stopped: 'interrupted by the user' },
      waiverProblems: ['LIST-09: expired on 2026-01-01'],
    });
    const html = await renderHtml(htmlRun(record, []));
    expect(html).toContain('The run did not finish: interrupted by the user');
    expect(html).toContain('LIST-09: expired on 2026-01-01');
    expect(html).toContain('id="cause-CREATE-12"');
    expect(html).toContain('left out of this page to keep it small');
    expect(html).not.toContain('<details class="exchange"');
  });
});
