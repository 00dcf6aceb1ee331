import * as fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { printable } from '../lib/explain/printable.js';
import { catalogue } from '../lib/specification/catalogue.js';
import { markdownSummary } from './markdown.js';
import { markdownBlock, markdownText } from './text/markdown-text.js';
import { hostileName } from './testing/sample-exchanges.js';
import {
  conformingRecord,
  everyRow,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
} from './testing/sample-record.js';

/** Markup that only a text which broke out could have made. */
const brokenOut = /<(?:script|img|a|em|strong|del|input)\b|javascript:alert/iu;

describe('the Markdown summary', () => {
  it('begins with the verdict and has what was not judged beside what passed', () => {
    const text = markdownSummary(faultyRecord());
    expect(text).toMatch(/^## ❌ Pet Store Service: non-conformant\n\n7 requirements failed\. /u);
    expect(text).toMatch(
      /^- Functional: non-conformant: \d+ passed, 6 failed, 1 waived, 1 warned, 5 not judged/mu,
    );
    expect(text).toContain('### What is wrong (9)');
    expect(text).toContain('Waived until 2026-04-30 by store team: legacy rows');
    expect(text).toContain('needs a second key');
  });

  it('tells several requirements that fail by one cause once, and complains of no conforming run', () => {
    const text = markdownSummary(oneCauseRecord());
    expect(text).toContain('### What is wrong (1)');
    expect(text.match(/curl -d 30/gu)).toHaveLength(1);
    expect(text).toContain('Not judged because of it: CREATE-11.');
    expect(markdownSummary(conformingRecord())).not.toMatch(/### What is wrong/u);
  });

  it('reads as GitHub-flavoured Markdown in which the text of the target stays text', async () => {
    const html = await marked.parse(markdownSummary(faultyRecord()), { gfm: true });
    expect(html.match(/<details>/gu)?.length).toBe(html.match(/<\/details>/gu)?.length);
    expect(html).not.toMatch(/<(?:script|img|a)\b/u);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  // Both together stay below the 1 MiB that GitHub takes.
  it('takes at most 45 kB for a cause, in however large characters, and tells how many findings it leaves out', () => {
    const long = '\u{1f63a}\u0301'.repeat(700);
    const finding = { message: long, received: long, exchanges: [long] };
    const summary = (findings: (typeof finding)[]): string =>
      markdownSummary(recordOf(sampleRows({ 'GET-01': { verdict: 'fail', findings } })));
    const text = summary(Array.from({ length: 500 }, () => finding));
    expect(text).toContain('and 487 more findings');
    expect(Buffer.byteLength(text) - Buffer.byteLength(summary([]))).toBeLessThan(45_000);
  });

  it('tells at most twenty causes in full, and names the others', () => {
    const findings = [{ message: 'Wrong.', exchanges: [] }];
    const text = markdownSummary(recordOf(everyRow(() => ({ verdict: 'fail', findings }))));
    expect(text.match(/<details><summary>✗ <b>/gu)).toHaveLength(20);
    expect(text).toContain('And, in the report: ');
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
    expect(catalogue.length).toBeGreaterThan(20);
  });
});

describe('text inside Markdown', () => {
  const character = fc.constantFrom(
    ...'\\`*_[]()<>&|~#@:$!-+.=x1 w\n\t'.split(''),
    ...'www. http://a &lt; - ```'.split(' '),
  );

  it('stays text in a paragraph and in a cell, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(character), async (characters) => {
        const shown = markdownText(printable(characters.join('')));
        const document = `before ${shown} after\n\n| a | b |\n| - | - |\n| ${shown} | end |\n`;
        const html = await marked.parse(document, { gfm: true });
        expect(html).not.toMatch(brokenOut);
        expect(html.match(/<(?!\/)[a-z]+/gu)?.join('')).toBe('<p<table<thead<tr<th<th<tbody<tr<td<td');
      }),
    );
  });

  it('keeps a block closed until its own fence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(character), async (characters) => {
        const html = await marked.parse(markdownBlock([printable(characters.join(''))], 400), { gfm: true });
        expect(html).toMatch(/^<pre><code class="language-text">[^<]*<\/code><\/pre>\s*$/u);
      }),
    );
  });

  it('says what it was given', async () => {
    expect(await marked.parse(markdownText('a_b <c> | `d` & www.e.org'))).toContain(
      'a_b &lt;c&gt; | `d` &amp; www.e.org',
    );
    expect(markdownText(printable(hostileName))).not.toMatch(/(?<!\\)</u);
  });
});
