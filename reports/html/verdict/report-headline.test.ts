import { expect, test } from 'vitest';
import { headline } from '../../summary/headline.js';
import { conformingRecord, faultyRecord } from '../../testing/sample-record.js';
import { headlineOf } from './report-headline.js';

const waived = { reason: 'known', owner: 'store team', until: '2026-04-30' };

test('a partial run says of its waived failures that they are there', () => {
  const record = { ...conformingRecord(), verdict: 'partial' as const };
  expect(headlineOf(record).claim).toBe('shows no failure in what was judged');
  const [first, second, ...others] = record.requirements;
  if (!first || !second) throw new Error('a record has rows');
  const one = {
    ...record,
    requirements: [{ ...first, verdict: 'fail' as const, waived }, second, ...others],
  };
  expect(headlineOf(one).claim).toBe('shows no failure but the one waived');
  expect(headline(one)).toContain('has no unwaived failure among what was judged');
  const two = [first, second].map((row) => ({ ...row, verdict: 'fail' as const, waived }));
  expect(headlineOf({ ...record, requirements: [...two, ...others] }).claim).toBe(
    'shows no failure but the 2 waived',
  );
});

test('a failed run says so in a word', () => {
  expect(headlineOf(faultyRecord())).toMatchObject({ word: 'non-conformant', outcome: 'fail' });
});
