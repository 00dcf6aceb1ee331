import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdicts } from '../evidence/record/record.js';
import { classResult, classVerdict, runVerdict, type JudgedResult } from './class-verdict.js';

const waived = { reason: 'known', owner: 'team', until: '2030-01-01' };
const must = (verdict: JudgedResult['verdict'], more: Partial<JudgedResult> = {}): JudgedResult => ({
  level: 'MUST',
  verdict,
  ...more,
});
const should = (verdict: JudgedResult['verdict']): JudgedResult => ({ level: 'SHOULD', verdict });

describe('the verdict of a class', () => {
  it.each<[string, JudgedResult[], ReturnType<typeof classVerdict>]>([
    ['all pass', [must('pass'), should('pass')], 'conformant'],
    ['a condition that did not arise is fine', [must('pass'), must('not-applicable')], 'conformant'],
    ['an inconclusive SHOULD is fine', [must('pass'), should('inconclusive')], 'conformant'],
    ['a failed MUST', [must('pass'), must('fail')], 'non-conformant'],
    ['an inconclusive MUST', [must('pass'), must('inconclusive')], 'incomplete'],
    ['a selected MUST never reached', [must('not-tested', { selected: true })], 'incomplete'],
    ['a MUST left out by selection', [must('pass'), must('not-tested')], 'partial'],
    ['a waived MUST is no failure and no conformance', [must('pass'), must('fail', { waived })], 'partial'],
    ['no result at all', [], 'partial'],
  ])('%s', (_, results, expected) => {
    expect(classVerdict(results)).toBe(expected);
  });

  it('lets a warning fail only if the run is strict, and a waiver covers it there too', () => {
    expect(classVerdict([should('warn')], { strict: true })).toBe('non-conformant');
    expect(classVerdict([should('warn')], { strict: false })).toBe('conformant');
    expect(classVerdict([{ ...should('warn'), waived }], { strict: true })).toBe('conformant');
  });

  it('is never conformant if a MUST neither passed nor was inapplicable nor observed', () => {
    const result = fc.record({
      level: fc.constantFrom('MUST' as const, 'SHOULD' as const, 'OBSERVE' as const),
      verdict: fc.constantFrom(...verdicts),
      waived: fc.constantFrom(undefined, waived),
    });
    fc.assert(
      fc.property(fc.array(result, { minLength: 1 }), fc.boolean(), (results, strict) => {
        const open = results.some(
          ({ level, verdict }) =>
            level === 'MUST' && ['fail', 'inconclusive', 'not-tested'].includes(verdict),
        );
        return !open || classVerdict(results, { strict }) !== 'conformant';
      }),
    );
  });
});

it('the verdict of a run is that of its worst class; without one it is incomplete', () => {
  const worst = (...verdicts: Array<ReturnType<typeof classVerdict>>): string =>
    runVerdict(verdicts.map((verdict) => ({ verdict })));
  expect(worst('conformant', 'partial')).toBe('partial');
  expect(worst('non-conformant', 'incomplete')).toBe('non-conformant');
  expect(worst('incomplete', 'partial')).toBe('incomplete');
  expect(worst()).toBe('incomplete');
});

it('the line of a class counts the results of its own class only, each verdict and the waived ones', () => {
  const results = [
    { id: 'AUTH-01', ...must('pass') },
    { id: 'AUTH-02', ...must('fail', { waived }) },
    { id: 'LIMIT-01', ...must('fail') },
  ];
  const line = classResult('functional', results);
  expect(line).toMatchObject({ verdict: 'partial', waived: 1, counts: { pass: 1, fail: 1, warn: 0 } });
  expect(classResult('limits', results)).toMatchObject({ verdict: 'non-conformant', counts: { fail: 1 } });
});
