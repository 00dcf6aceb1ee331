import { expect, test } from 'vitest';
import type { Finding } from '../../../lib/record/record.js';
import { wrongPlaces } from './wrong-places.js';

const finding = (more: Partial<Finding>): Finding => ({ message: '', exchanges: [], ...more });
const response = {
  status: 201,
  headers: [
    ['X-RateLimit-Reset', 'soon'],
    ['Date', 'today'],
    ['Sunset', 'never'],
  ] satisfies [string, string][],
};

test('a header that the requirement names is wrong', () => {
  const { headers } = wrongPlaces(
    finding({}),
    'Every response carries `X-RateLimit-Reset`, a date',
    response,
  );
  expect([...headers]).toEqual(['x-ratelimit-reset']);
});

test('a header of one word is told only where the specification speaks of it', () => {
  expect([...wrongPlaces(finding({ message: 'Sunset is no date.' }), '', response).headers]).toEqual([
    'sunset',
  ]);
});

test('the status is wrong where it was received and not expected', () => {
  expect(wrongPlaces(finding({ expected: '400', received: '201 {}' }), '', response).status).toBe(true);
  expect(wrongPlaces(finding({ expected: '201', received: '201 {}' }), '', response).status).toBe(false);
  expect(wrongPlaces(finding({ expected: 'a bare array', received: '201' }), '', response).status).toBe(
    false,
  );
  expect(wrongPlaces(finding({ expected: '400', received: '500' }), '', response).status).toBe(false);
});
