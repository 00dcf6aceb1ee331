import { expect, it } from 'vitest';
import { progressLines } from './progress.js';

const state = { total: 61, judged: 14, failed: 1, sent: 104, wait: null, activities: [] };

it('counts what was judged, failed and sent', () => {
  expect(progressLines(state, 0)).toEqual(['14 of 61 requirements judged, 1 failed, 104 requests']);
  expect(progressLines({ ...state, sent: 1 }, 0)[0]).toContain('1 failed, 1 request');
});

it('tells a wait in a line of its own, so that a terminal of 80 columns shows its reason', () => {
  const wait = { until: 61_500, reason: "the plan's requests of this minute are used up" };
  const [, line = ''] = progressLines({ ...state, wait }, 20_000);
  expect(line).toBe("waiting 42 s: the plan's requests of this minute are used up");
  expect(line.length).toBeLessThan(80);
});

it('tells each activity in a line of its own, and the seconds that are left of its wait', () => {
  const activities = [{ text: 'free: a burst' }, { text: 'pro: waiting as the 429 says', until: 61_500 }];
  const at = (now: number): string[] => progressLines({ ...state, activities }, now).slice(1);
  expect(at(0)).toEqual(['free: a burst', 'pro: waiting as the 429 says, 62 s']);
  expect(at(15_000)[1]).toBe('pro: waiting as the 429 says, 47 s');
  expect(at(61_500)[1]).toBe('pro: waiting as the 429 says');
});
