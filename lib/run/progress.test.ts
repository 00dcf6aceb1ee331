import { expect, it } from 'vitest';
import { activityLines } from './progress.js';

it('tells what is done, and the seconds that are left of its wait', () => {
  const activity = { text: 'waiting as the 429 says', until: 61_500 };
  const at = (now: number): string[] => activityLines(activity, now);
  expect(at(0)).toEqual(['waiting as the 429 says, 62 s']);
  expect(at(15_000)).toEqual(['waiting as the 429 says, 47 s']);
  expect(at(61_500)).toEqual(['waiting as the 429 says']);
});
