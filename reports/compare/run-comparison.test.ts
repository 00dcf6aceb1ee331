import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../lib/specification/catalogue.js';
import type { RunRecord, Verdict } from '../../lib/record/record.js';
import { comparisonExitCode, compareRuns, type ChangeKind } from './run-comparison.js';
import { comparisonMarkdown, comparisonText } from './comparison-text.js';
import { conformingRecord, faultyRecord, recordOf, sampleRows } from '../testing/sample-record.js';

const withVerdict = (verdict: Verdict): RunRecord => recordOf(sampleRows({ 'GET-01': { verdict } }));

function kindOf(before: Verdict, after: Verdict): ChangeKind | undefined {
  return compareRuns(withVerdict(before), withVerdict(after)).changes.find(({ id }) => id === 'GET-01')?.kind;
}

describe('a comparison', () => {
  it.each<[Verdict, Verdict, ChangeKind | undefined]>([
    ['pass', 'fail', 'broke'],
    ['pass', 'warn', 'broke'],
    ['fail', 'pass', 'fixed'],
    ['warn', 'pass', 'fixed'],
    ['pass', 'inconclusive', 'no longer judged'],
    ['fail', 'not-tested', 'no longer judged'],
    ['observed', 'not-tested', 'no longer judged'],
    ['observed', 'pass', undefined],
    ['not-tested', 'pass', 'newly judged'],
    ['inconclusive', 'fail', 'newly judged'],
    ['inconclusive', 'not-tested', undefined],
    ['fail', 'fail', undefined],
  ])('of %s before and %s now says: %s', (before, after, kind) => {
    expect(kindOf(before, after)).toBe(kind);
  });

  it('breaks on a new miss, judged before or not, and is open if a MUST is no longer judged', () => {
    const exitCode = (before: Verdict, after: Verdict) =>
      comparisonExitCode(compareRuns(withVerdict(before), withVerdict(after)));
    expect(exitCode('pass', 'fail')).toBe(1);
    expect(exitCode('not-tested', 'fail')).toBe(1);
    expect(exitCode('not-tested', 'pass')).toBe(0);
    expect(exitCode('fail', 'pass')).toBe(0);
    expect(exitCode('fail', 'fail')).toBe(0);
    expect(exitCode('pass', 'inconclusive')).toBe(3);
    expect(exitCode('fail', 'not-tested')).toBe(3);
  });

  it('breaks on no miss that a waiver covers, and takes no waiver for a repair, nor its end for a break', () => {
    const waived = recordOf(
      sampleRows({ 'GET-01': { verdict: 'fail', waived: { reason: 'r', owner: 'o', until: '2030-01-01' } } }),
    );
    const comparison = compareRuns(withVerdict('pass'), waived);
    expect(comparison.changes.map(({ kind }) => kind)).toEqual(['broke']);
    expect(comparisonExitCode(comparison)).toBe(0);
    expect(compareRuns(withVerdict('fail'), waived).changes).toEqual([]);
    expect(compareRuns(waived, withVerdict('fail')).changes).toEqual([]);
  });

  it('names what else differs between the runs', () => {
    const quick = conformingRecord();
    quick.run = { ...quick.run, profile: 'quick', seed: 5 };
    expect(compareRuns(conformingRecord(), quick).facts).toEqual([
      { name: 'profile', before: 'standard', after: 'quick' },
    ]);
  });

  it('takes a requirement that one version does not know for not judged', () => {
    const older = conformingRecord();
    older.requirements = older.requirements.filter(({ id }) => id !== 'GET-01');
    expect(compareRuns(older, conformingRecord()).changes.map(({ id }) => id)).toEqual(['GET-01']);
  });
});

describe('a comparison for a pull request', () => {
  it('is a table in which nothing of the target is markup', () => {
    const after = faultyRecord();
    const text = comparisonMarkdown(compareRuns(conformingRecord(), after));
    expect(text).toMatch(/^## Pet Store Service: what changed\n\n9 broke, /u);
    expect(text).toMatch(/^\| broke +\| LIST-02 +\| pass → fail/mu);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
    expect(comparisonMarkdown(compareRuns(after, after))).toContain('9 still missed');
  });
});

describe('a comparison on the terminal', () => {
  it('puts what broke first, within 80 columns and without a control from the target', () => {
    const text = comparisonText(compareRuns(conformingRecord(), faultyRecord()), {
      columns: 80,
      colour: false,
    });
    expect(text).toContain('broke (9)');
    expect(text).toMatch(/ {2}LIST-02 {2}MUST {2}pass → fail {2}`limit=n`/u);
    // No line is cut inside a word.
    const long = text.split('\n').filter((line) => stringWidth(line) > 80);
    expect(long.filter((line) => /\S\s/u.test(line))).toEqual([]);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^9 broke, .*; \d+ unchanged$/u);
  });

  it('says that nothing changed', () => {
    const text = comparisonText(compareRuns(faultyRecord(), faultyRecord()), {
      columns: 80,
      colour: false,
    });
    expect(text.trim()).toBe(`Nothing changed; ${catalogue.length} unchanged, 9 still missed`);
  });
});
