import * as fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { markdownPage, markdownSummary } from './github.js';
import {
  conformingRecord,
  everyRow,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
} from './testing/sample-record.js';

/** A heading and one block of code: nothing of the target is markup. */
const onePage = /^<h2>[^<]*<\/h2>\s*<pre><code class="language-text">[^<]*<\/code><\/pre>\s*$/u;

describe('the Markdown summary', () => {
  it('begins with the verdict and has what was not judged beside what passed', () => {
    const text = markdownSummary(faultyRecord());
    expect(text).toMatch(/^## ❌ Pet Store Service: non-conformant\n\n```text\n/u);
    expect(text).toMatch(/^Functional +non-conformant: \d+ passed, 6 failed, 1 waived, 1 warned/mu);
    expect(text).toContain('Waived until 2026-04-30 by store team: legacy rows');
    expect(text).toContain('needs a second key');
  });

  it('tells several requirements that fail by one cause once, and complains of no conforming run', () => {
    const text = markdownSummary(oneCauseRecord());
    expect(text.match(/curl -d 30/gu)).toHaveLength(1);
    expect(text).toContain('Not judged because of it: CREATE-11.');
    expect(markdownSummary(conformingRecord())).not.toMatch(/✗/u);
  });

  it('reads as GitHub-flavoured Markdown in which the text of the target stays text', async () => {
    const html = await marked.parse(markdownSummary(faultyRecord()), { gfm: true });
    expect(html).toMatch(onePage);
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

  it('tells at most eight causes in full, and names the others', () => {
    const findings = [{ message: 'Wrong.', exchanges: [] }];
    const text = markdownSummary(recordOf(everyRow(() => ({ verdict: 'fail', findings }))));
    expect(text).toMatch(/^✗ and \d+ more causes, in the report: /mu);
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
  });
});

it('a page is a block that is closed by its own fence, whatever the text', async () => {
  const character = fc.constantFrom(
    ...'\\`*_[]()<>&|~#@:$!-+.=x1 w\n'.split(''),
    ...'www. http://a &lt; - ```'.split(' '),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(character), async (characters) => {
      expect(await marked.parse(markdownPage('a', characters.join('')), { gfm: true })).toMatch(onePage);
    }),
  );
});
