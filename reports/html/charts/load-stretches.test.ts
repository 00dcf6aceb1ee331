import { expect, test } from 'vitest';
import { loadRecord } from '../../testing/sample-load.js';
import { stretchesOf } from './load-stretches.js';

const phase = loadRecord().plans?.[0]?.phases[0];
if (!phase) throw new Error('the sample load has a phase');

test('tells rates stretch by stretch: the planned one, a refusal, and silence', () => {
  const course = stretchesOf(phase, 5);
  expect(course).toHaveLength(15);
  expect(course.map(({ goodPerSecond }) => goodPerSecond)).toEqual([
    5, 5, 4.5, 5, 5, 2.5, 0, 0, 2, 5, 5, 5, 5, 5, 5,
  ]);
  expect(course[2]?.missedPerSecond).toBe(0.5);
  expect(course[5]?.missedPerSecond).toBe(0.5);
  expect(course[6]?.median).toBeUndefined();
  expect([course[0]?.median, course[0]?.longest]).toEqual([4, 6]);
});

test('counts each point of a sample for as many as it stands for, and a refusal once', () => {
  const series = phase.series.filter(({ status }, index) => index % 5 === 0 || status !== 200);
  const course = stretchesOf({ ...phase, series }, 5);
  const sum = course.reduce(
    (total, { goodPerSecond, missedPerSecond }) => total + 2 * (goodPerSecond + missedPerSecond),
    0,
  );
  expect(sum).toBeCloseTo(phase.sent, 6);
  expect(course[5]?.missedPerSecond).toBe(0.5);
});

test('has nothing to tell of a load that was never answered', () => {
  expect(stretchesOf({ ...phase, series: [] }, 5)).toEqual([]);
});
