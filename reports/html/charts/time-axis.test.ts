import { describe, expect, test } from 'vitest';
import { plot } from './frame.js';
import type { TimelinePoint } from './plan-timeline.js';
import { timeAxis } from './time-axis.js';
import { longWaits } from './waits.js';

const point = (seconds: number): TimelinePoint => ({
  phase: 0,
  seconds,
  refused: false,
  failed: false,
  weight: 1,
  remaining: undefined,
  latencyMs: undefined,
});

/** A volley of 60 in a fifth of a second. */
const volley = (at: number): TimelinePoint[] =>
  Array.from({ length: 60 }, (_, index) => point(at + index / 300));

describe('waits that would leave no room for the volleys', () => {
  const timeline = { seconds: 102.7, points: [...volley(0), point(42), ...volley(48.4), ...volley(102.5)] };

  test('are found, the short ones among them too, once the long ones are cut', () => {
    expect(longWaits(timeline).map(({ from, to }) => [Math.round(from), Math.round(to)])).toEqual([
      [0, 42],
      [42, 48],
      [49, 103],
    ]);
  });

  test('are narrow in the picture, and every volley is wider than one', () => {
    const { x, waits, xName, xTicks, xText } = timeAxis(timeline);
    expect(waits).toHaveLength(3);
    expect(Math.max(...waits.map(({ from, to }) => to - from))).toBeLessThanOrEqual(16.01);
    expect(x(0.2) - x(0)).toBeGreaterThan(20);
    expect(x(48.6) - x(48.4)).toBeGreaterThan(20);
    expect(xName).toBe('seconds; waits cut short');
    expect(xTicks.map(xText)).toEqual(['0', '42', '48', '103']);
  });

  test('leave time in its order, from one end of the picture to the other', () => {
    const { x } = timeAxis(timeline);
    const places = Array.from({ length: 1_028 }, (_, index) => x(index / 10));
    expect(places[0]).toBe(plot.left);
    expect(x(timeline.seconds)).toBeCloseTo(plot.right, 6);
    expect(places.every((place, index) => place > (places[index - 1] ?? 0))).toBe(true);
  });
});

test('a steady course has no wait, though it paused now and then', () => {
  const points = Array.from({ length: 300 }, (_, index) => point(index < 150 ? index / 10 : index / 10 + 6));
  const axis = timeAxis({ seconds: 36, points });
  expect(axis.waits).toEqual([]);
  expect(axis.x(18)).toBe((plot.left + plot.right) / 2);
});

test('a single answer after a long wait is drawn, and nothing divides by nothing', () => {
  const { x, waits } = timeAxis({ seconds: 42, points: [point(42)] });
  expect(waits).toHaveLength(1);
  expect([x(0), x(42)].every(Number.isFinite)).toBe(true);
});
