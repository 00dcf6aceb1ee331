import * as fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../lib/specification/catalogue.js';
import { markdownSummary } from './markdown.js';
import { markdownBlock, markdownText } from './text/markdown-text.js';
import { hostileName } from './testing/sample-exchanges.js';
import {
  conformingRecord,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
  type Changes,
} from './testing/sample-record.js';

/** Markup that only a text which broke out could have made. */
const brokenOut = /<(?:script|img|a|em|strong|del|input)\b|javascript:alert/iu;

describe('the Markdown summary', () => {
  it('begins with the verdict and has what was not judged beside what passed', () => {
    const text = markdownSummary(faultyRecord());
    expect(text).toMatch(/^## ❌ Pet Store Service: non-conformant\n\n7 requirements failed\. /u);
    expect(text).toMatch(
      /\| class +\| verdict +\| passed \| failed \| waived \| warned \| not judged \| observed \|/u,
    );
    expect(text).toContain('### Causes of failures (7)');
    expect(text).toContain('Waived until 2026-04-30 by store team: legacy rows');
    expect(text).toContain('needs a second key');
  });

  it('tells several requirements that fail by one cause once', () => {
    const text = markdownSummary(oneCauseRecord());
    expect(text).toContain('### Causes of failures (1)');
    expect(text.match(/reproduce:/gu)).toHaveLength(1);
    expect(text).toContain('Not judged because of it: CREATE-11.');
  });

  it('has nothing to complain of for a conforming run', () => {
    const text = markdownSummary(conformingRecord());
    expect(text).not.toContain('### Causes');
    expect(text).not.toContain('### Warnings');
  });

  it('reads as GitHub-flavoured Markdown in which the text of the target stays text', async () => {
    const html = await marked.parse(markdownSummary(faultyRecord()), { gfm: true });
    expect(html.match(/<table>/gu)).toHaveLength(2);
    expect(html.match(/<details>/gu)?.length).toBe(html.match(/<\/details>/gu)?.length);
    expect(
      html.replaceAll(/<strong>(?:non-conformant|conformant|partial|incomplete)<\/strong>/gu, ''),
    ).not.toMatch(/<(?:script|img|a)\b/u);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('stays small where a requirement has thousands of findings', () => {
    const finding = { message: 'x'.repeat(10_000), received: hostileName.repeat(1_000), exchanges: ['e1'] };
    const record = recordOf(
      sampleRows({ 'GET-01': { verdict: 'fail', findings: Array.from({ length: 5_000 }, () => finding) } }),
    );
    expect(markdownSummary(record).length).toBeLessThan(60_000);
    expect(markdownSummary(record)).toContain('and 4997 more findings');
  });
});

describe('the size of the summary', () => {
  it('stays below what GitHub takes, however much a service does wrong in however large characters', () => {
    const long = '\u{1f63a}\u0301'.repeat(700);
    const finding = { message: long, received: long, exchanges: [long] };
    const observation = { subject: long, behaviour: long, exchanges: [] };
    const changes = Object.fromEntries(
      catalogue.map(({ id, level }) => [
        id,
        level === 'OBSERVE'
          ? { observations: Array.from({ length: 12 }, () => observation) }
          : { verdict: 'fail', findings: Array.from({ length: 5 }, () => finding) },
      ]),
    ) as Changes;
    const text = markdownSummary(recordOf(sampleRows(changes), { notes: [long] }));
    expect(Buffer.byteLength(text)).toBeLessThan(1_048_576);
    expect(text).toContain('And, in the report: ');
  });
});

describe('text inside Markdown', () => {
  const character = fc.constantFrom(
    ...'\\`*_[]()<>&|~#@:$!-+.=x1 w'.split(''),
    '\n',
    '\t',
    'www.',
    'http://a',
    '&lt;',
    '- ',
    '```',
  );

  it('stays text in a paragraph and in a cell, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(character), async (characters) => {
        const text = characters.join('');
        const shown = markdownText(text);
        const html = await marked.parse(
          `before ${shown} after\n\n| a | b |\n| - | - |\n| ${shown} | end |\n`,
          { gfm: true },
        );
        expect(html).not.toMatch(brokenOut);
        expect(html.match(/<td>/gu)).toHaveLength(2);
        expect(html.match(/<(?!\/)[a-z]+/gu)).toEqual([
          '<p',
          '<table',
          '<thead',
          '<tr',
          '<th',
          '<th',
          '<tbody',
          '<tr',
          '<td',
          '<td',
        ]);
      }),
    );
  });

  it('keeps a block closed until its own fence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(character), async (characters) => {
        const html = await marked.parse(markdownBlock([characters.join('')], 400), { gfm: true });
        expect(html).toMatch(/^<pre><code class="language-text">[^<]*<\/code><\/pre>\s*$/u);
      }),
    );
  });

  it('says what it was given', async () => {
    const html = await marked.parse(markdownText('a_b <c> | `d` & www.e.org'));
    expect(html).toContain('a_b &lt;c&gt; | `d` &amp; www.e.org');
  });
});
