import { expect, test } from 'vitest';
import { conformingRecord } from '../../reports/testing/sample-record.js';
import { compareRecords } from './compare-records.js';

test('what is noted of the key need not come out of the exchanges again, other notes must', () => {
  const subjects = (...notes: string[]): string[] =>
    compareRecords(conformingRecord({ notes }), conformingRecord({ notes: undefined })).differences.map(
      ({ subject }) => subject,
    );
  expect(subjects('The key is a plain word or number: ERR-04 looks elsewhere.')).toEqual([]);
  expect(subjects('The target closed a connection.')).toEqual(['notes']);
});
