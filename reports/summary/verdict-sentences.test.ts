import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { exitCode } from '../../lib/verdict/class-verdict.js';
import {
  conformingRecord,
  faultyRecord,
  recordOf,
  sampleRows,
  type Changes,
} from '../testing/sample-record.js';
import { headline, verdictOf } from './verdict-sentences.js';

const waived = { reason: 'known', owner: 'us', until: '2026-04-30' };
const notSelected = { verdict: 'not-tested', selected: false, reason: 'left out' } as const;
const findings = [{ message: 'wrong', exchanges: [] }];
const changed = (changes: Changes, more: Partial<RunRecord> = {}): RunRecord =>
  recordOf(sampleRows(changes), more);
const must = recordOf(sampleRows({})).requirements.filter(({ level }) => level === 'MUST').length;

describe('the headline', () => {
  test.each<[what: string, changes: Changes, text: string]>([
    ['everything passed', {}, `All ${must} applicable MUST requirements passed.`],
    [
      'some was left out',
      { 'LIMIT-10': notSelected, 'LIMIT-15': notSelected },
      `Conformant in all that was selected: ${must - 2} MUST requirements passed; not selected: LIMIT-10, LIMIT-15.`,
    ],
    [
      'a warning',
      { 'AUTH-07': { verdict: 'warn', findings } },
      `All ${must} applicable MUST requirements passed. 1 warning.`,
    ],
    [
      'what could not be judged',
      {
        'AUTH-06': { verdict: 'inconclusive', reason: 'lost' },
        'LIST-05': { ...notSelected, selected: true },
      },
      '2 MUST requirements could not be judged.',
    ],
    [
      'a waiver',
      { 'LIST-09': { verdict: 'fail', findings, waived }, 'LIST-05': notSelected },
      '1 known failure waived. Not selected: LIST-05.',
    ],
    [
      'a failure',
      { 'LIST-09': { verdict: 'fail', findings }, 'AUTH-07': { verdict: 'warn', findings } },
      '1 requirement failed. 1 warning.',
    ],
  ])('of %s', (_, changes, text) => {
    expect(headline(changed(changes))).toBe(text);
  });

  test('counts a warning as a failure if the run is strict', () => {
    const record = changed({ 'AUTH-07': { verdict: 'warn', findings } });
    expect(headline({ ...record, run: { ...record.run, strict: true } })).toBe('1 requirement failed.');
  });

  test('says first that no target was given', () => {
    const record = conformingRecord();
    const self = { ...record, target: { ...record.target, name: 'reference' } };
    expect(headline(record)).not.toContain('self-check');
    expect(headline(self)).toBe(
      `This is a self-check of the embedded reference service: no other service is judged. ${headline(record)}`,
    );
  });

  test('says what was not selected, whole classes, too', () => {
    expect(headline(faultyRecord())).toBe(
      '7 requirements failed. 1 known failure waived. 1 warning. 2 MUST requirements could not be judged. Not selected: LIST-05, LIMIT-08, LIMIT-10, the description.',
    );
    expect(headline(conformingRecord())).toMatch(/passed; not selected: the description\.$/u);
    const functional = conformingRecord().classes.filter(({ id }) => id === 'functional');
    expect(headline({ ...conformingRecord(), classes: functional })).toMatch(
      /passed; not selected: the limits, the description\.$/u,
    );
  });
});

describe('the verdict in a word', () => {
  const complete = conformingRecord();
  test.each<[word: string, outcome: string, code: number, record: RunRecord]>([
    ['conformant', 'pass', 0, complete],
    ['non-conformant', 'fail', 1, faultyRecord()],
    ['non-conformant', 'fail', 1, faultyRecord({ waiverProblems: ['expired'] })],
    ['waivers out of date', 'fail', 1, conformingRecord({ waiverProblems: ['expired'] })],
    ['waivers out of date', 'fail', 1, changed({ 'LIMIT-10': notSelected }, { waiverProblems: ['expired'] })],
    ['partial', 'pass', 0, changed({ 'LIMIT-10': notSelected })],
    ['partial', 'not-tested', 0, changed({ 'LIST-09': { verdict: 'fail', findings, waived } })],
    ['incomplete', 'inconclusive', 3, { ...complete, run: { ...complete.run, complete: false } }],
  ])('is %s, as the exit code says', (word, outcome, code, record) => {
    expect(verdictOf(record)).toMatchObject({ word, outcome });
    expect(exitCode(record)).toBe(code);
  });
});
