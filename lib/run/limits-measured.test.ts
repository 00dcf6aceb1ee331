import { expect, it } from 'vitest';
import { evidenceOf, limited, times } from '../limits/testing/limited.js';
import { explanationRecord } from './limits-measured.js';

const sent = [...times(5, 9), 61, ...times(62, 8)];

it('records what a conforming limiter would have left, whether the explanation conforms or not', () => {
  const { diagnosis } = evidenceOf(limited(sent, { admits: 6, shows: (left) => Math.max(0, left - 1) }));
  const { conforming, windows } = explanationRecord(diagnosis);
  expect(conforming).toBe(false);
  // The range is that after a burst.
  expect(windows[0]?.points.slice(0, 2).map(({ explained }) => explained?.[0])).toEqual([0, 0]);
});

it('records a range of Remaining for each request', () => {
  const { diagnosis } = evidenceOf(limited(sent));
  const { conforming, windows } = explanationRecord(diagnosis);
  expect(conforming).toBe(true);
  const points = windows.flatMap((window) => window.points);
  expect(points.filter(({ explained }) => explained === undefined)).toEqual([]);
});
