import { expect, test } from 'vitest';
import { conformingRecord } from '../testing/sample-record.js';
import { recordDifferences } from './compare-records.js';

test('what differs is told by its path, and a result by what the exchanges give', () => {
  const recorded = conformingRecord();
  const again = structuredClone(recorded);
  again.requests.sent += 1;
  const row = again.requirements.find(({ id }) => id === 'LIST-02');
  Object.assign(row ?? {}, { verdict: 'fail', findings: [{ message: 'too many', exchanges: [] }] });
  expect(recordDifferences(recorded, again).map(({ subject, text }) => `${subject} ${text}`)).toEqual([
    'LIST-02 verdict recorded as "pass", judged again "fail"',
    `requests.sent recorded as ${recorded.requests.sent}, judged again ${again.requests.sent}`,
  ]);
  expect(recordDifferences(recorded, recorded)).toEqual([]);
});
