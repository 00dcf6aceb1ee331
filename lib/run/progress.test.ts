import { expect, it } from 'vitest';
import { standingLines } from './progress.js';

const standing = { total: 61, judged: 14, failed: 1, sent: 104, wait: null, activities: [] };

it('counts what was judged, failed and sent', () => {
  expect(standingLines(standing, 0)).toEqual(['14 of 61 requirements judged, 1 failed, 104 requests']);
  expect(standingLines({ ...standing, sent: 1 }, 0)[0]).toContain('1 failed, 1 request');
});

it('tells a wait in a line of its own, so that a terminal of 80 columns shows its reason', () => {
  const wait = { until: 61_500, reason: "the plan's requests of this minute are used up" };
  const [, line = ''] = standingLines({ ...standing, wait }, 20_000);
  expect(line).toBe("waiting 42 s: the plan's requests of this minute are used up");
  expect(line.length).toBeLessThan(80);
});

it('tells each activity in a line of its own', () => {
  expect(standingLines({ ...standing, activities: ['free: a burst', 'pro: a burst'] }, 0)).toHaveLength(3);
});
