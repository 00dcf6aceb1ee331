import { describe, expect, test } from 'vitest';
import type { RequirementResult, RunRecord } from '../../lib/record/record.js';
import { conformingRecord, faultyRecord } from '../testing/sample-record.js';
import { headline, verdictOf, verdictSentences } from './verdict-sentences.js';

const result = (more: Partial<RequirementResult>): RequirementResult => ({
  id: 'AUTH-01',
  level: 'MUST',
  section: '5',
  title: 'A request without a credential gets 401',
  verdict: 'pass',
  checks: 1,
  findings: [],
  ...more,
});
const waived = { reason: 'known', owner: 'us', until: '2026-04-30' };
const notSelected = result({ verdict: 'not-tested' });

describe('the results of a class in sentences', () => {
  test.each<[RequirementResult[], string]>([
    [[result({}), result({})], 'All 2 MUST requirements that apply passed.'],
    [[result({ verdict: 'inconclusive' })], '1 MUST requirement could not be judged.'],
    [
      [result({}), notSelected],
      'No failures in what was tested. 1 MUST requirement was not tested (AUTH-01).',
    ],
    [
      [result({}), result({ verdict: 'fail', waived }), notSelected, notSelected],
      '1 known failure was waived. No other failures in what was tested. 2 MUST requirements were not tested (AUTH-01, AUTH-01).',
    ],
    [
      [result({}), result({ verdict: 'inconclusive' }), result({ verdict: 'not-tested', selected: true })],
      'No failures in what was tested. 2 MUST requirements could not be judged.',
    ],
    [
      [result({ verdict: 'fail' }), result({ level: 'SHOULD', verdict: 'warn' })],
      '1 requirement failed. 1 warning.',
    ],
  ])('%#', (results, sentences) => {
    expect(verdictSentences(results, faultyRecord())).toBe(sentences);
  });

  test('a warning fails a strict run', () => {
    const { run } = faultyRecord();
    const warning = result({ level: 'SHOULD', verdict: 'warn' });
    expect(verdictSentences([warning], { run: { ...run, strict: true } })).toBe('1 requirement failed.');
  });
});

test('the headline says first that no target was given', () => {
  const { target, ...record } = conformingRecord();
  const own = { ...record, target: { ...target, name: 'staging' } };
  expect(headline(own)).not.toContain('self-check');
  expect(headline({ ...own, target: { ...target, name: 'reference' } })).toBe(
    `This is a self-check of the embedded reference service: no other service is judged. ${headline(own)}`,
  );
});

test('the headline says what was not tested', () => {
  expect(headline(faultyRecord())).toBe(
    '7 requirements failed. 1 known failure was waived. 1 warning. 2 MUST requirements could not be judged. 3 MUST requirements were not tested (LIST-05, LIMIT-08, LIMIT-10). Description was not tested.',
  );
  const functional = conformingRecord().classes.filter(({ id }) => id === 'functional');
  const record: RunRecord = { ...conformingRecord(), classes: functional };
  expect(headline(record)).toMatch(/passed\. Limits and description were not tested\.$/u);
});

test('the verdict is one word with an outcome', () => {
  expect(verdictOf(faultyRecord())).toMatchObject({ word: 'non-conformant', outcome: 'fail' });
});
