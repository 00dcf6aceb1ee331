import { expect, test } from 'vitest';
import { conformingRecord } from '../testing/sample-record.js';
import { recordDifferences } from './evidence-problems.js';

test('what differs is told by its path, and a result by what the exchanges give', () => {
  const recorded = conformingRecord();
  const again = structuredClone(recorded);
  again.requests.sent += 1;
  const row = again.requirements.find(({ id }) => id === 'LIST-02');
  Object.assign(row ?? {}, { verdict: 'fail', findings: [{ message: 'too many', exchanges: [] }] });
  expect(recordDifferences(recorded, again).map(({ text }) => text)).toEqual([
    'LIST-02.verdict recorded as "pass", judged again "fail"',
    expect.stringContaining('LIST-02.findings recorded as [], judged again [{"message"'),
    `requests.sent recorded as ${recorded.requests.sent}, judged again ${again.requests.sent}`,
  ]);
  expect(recordDifferences(recorded, recorded)).toEqual([]);
});
