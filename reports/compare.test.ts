import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../lib/specification/catalogue.js';
import type { RunRecord, Verdict } from '../lib/evidence/record/record.js';
import { compareRuns, comparisonMarkdown, comparisonText, type ChangeKind } from './compare.js';
import { conformingRecord, faultyRecord, recordOf, sampleRows } from './testing/sample-record.js';

const waived = { reason: 'r', owner: 'o', until: '2030-01-01' };
const withVerdict = (verdict: Verdict, more = {}): RunRecord =>
  recordOf(sampleRows({ 'GET-01': { verdict, ...more } }));

describe('a comparison', () => {
  it.each<[Verdict, Verdict, ChangeKind | undefined, code: number]>([
    ['pass', 'fail', 'broke', 1],
    ['pass', 'warn', 'broke', 1],
    ['fail', 'pass', 'fixed', 0],
    ['warn', 'pass', 'fixed', 0],
    ['pass', 'inconclusive', 'no longer judged', 3],
    ['fail', 'not-tested', 'no longer judged', 3],
    ['observed', 'not-tested', 'no longer judged', 3],
    ['not-tested', 'pass', 'newly judged', 0],
    ['inconclusive', 'fail', 'newly failed', 1],
    ['not-tested', 'warn', 'newly judged', 0],
    ['inconclusive', 'not-tested', undefined, 0],
    ['fail', 'fail', undefined, 0],
  ])('of %s before and %s now says %s, and exits with %i', (before, after, kind, code) => {
    const comparison = compareRuns(withVerdict(before), withVerdict(after));
    expect(comparison.changes.find(({ id }) => id === 'GET-01')?.kind).toBe(kind);
    expect(comparison.code).toBe(code);
  });

  it('breaks on no miss that a waiver covers, and takes no waiver for a repair, nor its end for a break', () => {
    const tolerated = withVerdict('fail', { waived });
    const comparison = compareRuns(withVerdict('pass'), tolerated);
    expect(comparison.changes.map(({ kind }) => kind)).toEqual(['broke']);
    expect(comparison.code).toBe(0);
    expect(compareRuns(withVerdict('fail'), tolerated).changes).toEqual([]);
    expect(compareRuns(tolerated, withVerdict('fail')).changes).toEqual([]);
  });

  it('takes a requirement that one version does not know for not judged', () => {
    const older = conformingRecord();
    older.requirements = older.requirements.filter(({ id }) => id !== 'GET-01');
    expect(compareRuns(older, conformingRecord()).changes.map(({ id }) => id)).toEqual(['GET-01']);
  });

  it('is a block of text on a Markdown page, in which nothing of the target is markup', () => {
    const after = faultyRecord();
    const text = comparisonMarkdown(compareRuns(conformingRecord(), after));
    expect(text).toMatch(/^## Pet Store Service: what changed\n\n```text\nbroke \(9\)\n/u);
    expect(text).toMatch(/^ {2}LIST-02 {2}pass → fail {2}A page holds more/mu);
    expect(text).toMatch(/^Exit code 1: broke (?:[A-Z]+-\d\d, )*LIST-02[^`]*\n```\n$/mu);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
  });

  it('puts what broke first on a terminal, within 80 columns and without a control from the target', () => {
    const layout = { columns: 80, colour: false };
    const text = comparisonText(compareRuns(conformingRecord(), faultyRecord()), layout);
    expect(text).toMatch(/^\nbroke \(9\)\n/u);
    expect(text).toMatch(/ {2}LIST-02 {2}pass → fail {2}A page holds more animals than/u);
    // No line is cut inside a word.
    const long = text.split('\n').filter((line) => stringWidth(line) > 80);
    expect(long.filter((line) => /\S\s/u.test(line))).toEqual([]);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
    expect(text).toMatch(
      /\n9 broke, .*; \d+ unchanged\.\nExit code 1: broke (?:[A-Z]+-\d\d,\s)*LIST-02[^.]*\.\n$/u,
    );
    expect(comparisonText(compareRuns(faultyRecord(), faultyRecord()), layout).trim()).toBe(
      `nothing changed; ${catalogue.length} unchanged.`,
    );
  });
});
