import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { VirtualClock } from '../http/clock/testing/virtual-clock.js';
import { activityLine, progressOn } from './progress.js';

it('tells what is done, and the seconds that are left of its wait', () => {
  const activity = { text: 'waiting as the 429 says', until: 61_500 };
  const at = (now: number): string => activityLine(activity, now);
  expect(at(0)).toBe('waiting as the 429 says, 62 s');
  expect(at(15_000)).toBe('waiting as the 429 says, 47 s');
  expect(at(61_500)).toBe('waiting as the 429 says');
});

it('tells a log of a wait when it begins, and of no short one', async () => {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += String(chunk);
      done();
    },
  }) as unknown as NodeJS.WriteStream;
  const clock = new VirtualClock();
  const progress = await progressOn({ stream, clock, total: 61 });
  progress.activity({ text: 'a moment', until: clock.now() + 500 });
  progress.activity(null);
  progress.activity({ text: 'a minute', until: clock.now() + 60_000 });
  progress.activity({ text: 'the same minute', until: clock.now() + 60_000 });
  progress.end();
  expect(text).toBe('a minute, 60 s\n');
});
