import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../lib/specification/catalogue.js';
import { verdicts, type RunRecord, type Verdict } from '../../lib/record/record.js';
import { comparisonExitCode, compareRuns, type ChangeKind } from './run-comparison.js';
import { comparisonMarkdown, comparisonText } from './comparison-text.js';
import { loadRecord } from '../testing/sample-load.js';
import { conformingRecord, faultyRecord, recordOf, sampleRows } from '../testing/sample-record.js';

const withVerdict = (verdict: Verdict): RunRecord => recordOf(sampleRows({ 'GET-01': { verdict } }));

function kindOf(before: Verdict, after: Verdict): ChangeKind | undefined {
  return compareRuns(withVerdict(before), withVerdict(after)).changes.find(({ id }) => id === 'GET-01')?.kind;
}

describe('a comparison of two loads', () => {
  const before = loadRecord();
  const bound = (kept: boolean, measured: string): RunRecord => {
    if (!before.load) throw new Error('the sample load has its figures');
    const thresholds = [{ name: 'p99', bound: 'at most 250ms', measured, kept }];
    return { ...before, load: { ...before.load, thresholds } };
  };

  it('finds the bound that is kept no longer, and the one that is kept again', () => {
    const [kept, missed] = [bound(true, '18.2ms'), bound(false, '300.0ms')];
    const broke = compareRuns(kept, missed);
    expect(comparisonExitCode(broke)).toBe(1);
    expect(comparisonText(broke, { columns: 100, colour: false })).toContain(
      'broke  p99 at most 250ms: 18.2ms → at most 250ms: 300.0ms',
    );
    expect(compareRuns(missed, kept).bounds).toMatchObject([{ kind: 'fixed' }]);
    expect(comparisonExitCode(compareRuns(missed, kept))).toBe(0);
    expect(comparisonExitCode(compareRuns(missed, missed))).toBe(0);
  });
});

describe('a comparison', () => {
  it.each<[Verdict, Verdict, ChangeKind | undefined]>([
    ['pass', 'fail', 'broke'],
    ['pass', 'warn', 'broke'],
    ['fail', 'pass', 'fixed'],
    ['warn', 'pass', 'fixed'],
    ['pass', 'inconclusive', 'no longer judged'],
    ['fail', 'not-tested', 'no longer judged'],
    ['observed', 'not-tested', 'no longer judged'],
    ['not-tested', 'pass', 'newly judged'],
    ['inconclusive', 'fail', 'newly judged'],
    ['inconclusive', 'not-tested', undefined],
    ['fail', 'fail', undefined],
  ])('of %s before and %s now says: %s', (before, after, kind) => {
    expect(kindOf(before, after)).toBe(kind);
  });

  it.each(verdicts)('finds nothing where %s stayed, and undoes itself the other way round', (verdict) => {
    expect(kindOf(verdict, verdict)).toBeUndefined();
    expect(kindOf('pass', verdict) === 'broke').toBe(kindOf(verdict, 'pass') === 'fixed');
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

  it('does not break on a new miss that a waiver covers', () => {
    const waived = { reason: 'r', owner: 'o', until: '2030-01-01' };
    const after = recordOf(sampleRows({ 'GET-01': { verdict: 'fail', waived } }));
    const comparison = compareRuns(withVerdict('pass'), after);
    expect(comparison.changes.map(({ kind }) => kind)).toEqual(['broke']);
    expect(comparisonExitCode(comparison)).toBe(0);
  });

  it('does not take a waiver for a repair, nor its end for a break', () => {
    const waived = recordOf(
      sampleRows({ 'GET-01': { verdict: 'fail', waived: { reason: 'r', owner: 'o', until: '2030-01-01' } } }),
    );
    expect(compareRuns(withVerdict('fail'), waived).changes).toEqual([]);
    expect(compareRuns(waived, withVerdict('fail')).changes).toEqual([]);
  });

  it('sees that a service behaves differently where the specification is silent', () => {
    const clamps = recordOf(
      sampleRows({
        'LIST-11': { observations: [{ subject: '`limit=0`', behaviour: 'clamped to 1', exchanges: ['e9'] }] },
      }),
    );
    const { changes } = compareRuns(recordOf(sampleRows({})), clamps);
    expect(changes.map(({ id, kind }) => `${id} ${kind}`)).toEqual(['LIST-11 behaves differently']);
  });

  it('names what else differs between the runs', () => {
    const quick = conformingRecord();
    quick.run = { ...quick.run, profile: 'quick', seed: 5 };
    expect(compareRuns(conformingRecord(), quick).facts).toEqual([
      { kind: 'differs', name: 'profile', before: 'standard', after: 'quick' },
    ]);
  });

  it('names what the runs rest on, if it differs', () => {
    const before = conformingRecord();
    before.suite.digest = 'a'.repeat(64);
    before.run.environment = { node: '20.18.0', platform: 'linux x64', commit: 'abcdef0' };
    const after = structuredClone(before);
    after.suite.digest = 'b'.repeat(64);
    after.run.environment = { node: '20.18.0', platform: 'linux x64', commit: 'abcdef1' };
    after.run.waivers = { file: 'waivers.yaml', sha256: 'c'.repeat(64) };
    expect(compareRuns(before, after).facts.map(({ name }) => name)).toEqual(['code', 'waivers']);
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
