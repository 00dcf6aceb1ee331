import { expect, it } from 'vitest';
import { conformingRecord } from '../testing/sample-record.js';
import { stableObservations } from './stable-observations.js';

function steady(subject: string, behaviour: string, marker = 'pc1'): string {
  const record = conformingRecord({ leftovers: [{ id: '1', name: `${marker} control 1` }] });
  const [row] = record.requirements;
  if (!row) throw new Error('a record has rows');
  const observations = [{ subject, behaviour, exchanges: [] }];
  return stableObservations({ ...row, observations }, record)
    .map((one) => `${one.subject}: ${one.behaviour}`)
    .join();
}

it.each([
  [
    'a name with outer space',
    'created with `name` " pc1 CREATE-15 7 "',
    'a name with outer space: created with `name` " … CREATE-15 7 "',
  ],
  ['`Location` on creation', '/v1/pets/37', '`Location` on creation: /v1/pets/{petId}'],
  ['`petId` 12.0 for 12', 'refused with 404', '`petId` N.0 for N: refused with 404'],
  ['`petId` -012 for -12', 'finds the animal', '`petId` -0N for -N: finds the animal'],
  ['the Error of a 400', 'code "invalid", 17 times', 'the Error of a 400: code "invalid"'],
  ['the Error of a 415', 'code "media", once', 'the Error of a 415: code "media"'],
  ['free: trace of Remaining', '0.0 s: 59; 0.5 s: 429', ''],
  ['limit=101', 'refused with 400', 'limit=101: refused with 400'],
  ['limit=0', '20 animals, of 216 known (clamped or ignored)', 'limit=0: 20 animals (clamped or ignored)'],
  ['status=', '20 animals with "pending", absent', 'status=: 20 animals of several statuses'],
  ['status=sleeping', '20 animals with "sold"', 'status=sleeping: 20 animals with "sold"'],
])('tells of %s, %s: %s', (subject, behaviour, told) => {
  expect(steady(subject, behaviour)).toBe(told);
});
