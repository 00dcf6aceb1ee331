import { expect, it } from 'vitest';
import { evidenceOf, limited, times } from '../testing/limited.js';
import { explanationRecord } from './explanation-record.js';

const sent = [...times(5, 9), 61, ...times(62, 8)];

it('records what a conforming limiter would have left, if the explanation does not conform', () => {
  const { diagnosis } = evidenceOf(limited(sent, { admits: 6, shows: (left) => Math.max(0, left - 1) }));
  const { conforming, windows } = explanationRecord(diagnosis, []);
  expect(conforming).toBe(false);
  const left = windows[0]?.points.map((point) => [point.explained?.[0], point.conforming?.[0]]);
  // The range is that after a burst.
  expect(left?.slice(0, 2)).toEqual([
    [1, 0],
    [1, 0],
  ]);
});

it('records one range of Remaining, if the explanation conforms', () => {
  const { diagnosis } = evidenceOf(limited(sent));
  const { conforming, windows } = explanationRecord(diagnosis, []);
  expect(conforming).toBe(true);
  const points = windows.flatMap((window) => window.points);
  expect(points.filter((point) => point.explained === undefined || point.conforming)).toEqual([]);
});
