import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import type { ExplanationWindow } from '../../lib/evidence/record/measurements.js';
import { sampleExchanges } from '../testing/sample-exchanges.js';
import { sampleExplanation } from '../testing/sample-explanation.js';
import { sampleMeasurement } from '../testing/sample-measurement.js';
import { drawnWindows, flagsOf, WindowBar } from './limits.js';

const [first, second] = drawnWindows(sampleMeasurement());
const rejection = sampleExchanges().find(({ id }) => id === 'e16');
if (!first || !second || !rejection?.response) throw new Error('the samples have two windows and a 429');
const begin = Date.parse(first.startedAt);

const flags = (headers: [string, string][], aheadMs = 0) =>
  flagsOf(first, { ...rejection, response: { status: 429, headers, body: { bytes: 0 } } }, aheadMs);
const html = (window: Partial<ExplanationWindow> = {}) =>
  renderToString(
    <WindowBar drawn={{ ...second, ...window }} perMinute={60} flags={flags([['Retry-After', '20']])} />,
  );
const pathOf = (name: string, text: string): string =>
  new RegExp(`class="${name}" d="([^"]*)"`).exec(text)?.[1] ?? '';

test('a bar says how many of how many were admitted, and has a lane for each outcome', () => {
  expect(html()).toContain('Window 2: 61 of 65 requests admitted');
  expect(html().match(/<path class="(?:green|red|yellow|dim)"/g)).toHaveLength(2);
  expect(html()).toContain('Retry-After 20');
});

test('time is true: places and marks are as far from each other as the moments', () => {
  const marks = [...html().matchAll(/class="mark" x1="([\d.]+)%"/g)].map(([, place]) => Number(place));
  expect(marks.map((place) => Math.round(place))).toEqual([0, 17, 33, 50, 67, 83, 100]);
  const [place] = /M(\d+)/.exec(pathOf('red', html())) ?? [];
  expect(place).toBe('M97');
});

test('the band is what a conforming limiter would have reported until the next response', () => {
  const points = second.points.map((point) => ({
    ...point,
    explained: [30, 45] as [number, number],
  }));
  const [, top, bottom] = /^M\d+ (\d+)H\d+V(\d+)/.exec(pathOf('conforming', html({ points }))) ?? [];
  expect([Number(top), Number(bottom)]).toEqual([16, 32]);
});

test('a window in which nobody reported Remaining has its requests all the same', () => {
  const points = second.points.map(({ id, sent, received, outcome }) => {
    return { id, sent, received, outcome };
  });
  expect(pathOf('reported', html({ points }))).toBe('');
  expect(pathOf('green', html({ points }))).not.toBe('');
});

test('flags are the first 429, Retry-After in seconds or as a date, and Reset by the clock of the target', () => {
  const reset = String(begin / 1_000 + 50);
  const date = new Date(begin + 45_000).toUTCString();
  expect(
    flags([
      ['retry-after', '3'],
      ['X-RateLimit-Reset', reset],
    ]).map(({ at }) => at),
  ).toEqual([first.rejected?.received, (first.rejected?.received ?? 0) + 3_000, 50_000]);
  expect(flags([['Retry-After', date]])[1]?.at).toBeCloseTo(45_000);
  expect(flags([['X-RateLimit-Reset', reset]], 10_000)[1]?.at).toBe(40_000);
});

test.each(['soon', '-5', '1e9', ''])(
  'an announcement without a moment near the window is not drawn: %j',
  (value) => {
    for (const name of ['Retry-After', 'X-RateLimit-Reset']) expect(flags([[name, value]])).toHaveLength(1);
  },
);

test('a window without a 429, or whose 429 was not recorded, has the flags that it can have', () => {
  expect(flagsOf({ ...first, rejected: undefined }, undefined, 0)).toEqual([]);
  expect(flagsOf(first, undefined, 0)).toHaveLength(1);
  expect(sampleExplanation().windows).toHaveLength(2);
});
