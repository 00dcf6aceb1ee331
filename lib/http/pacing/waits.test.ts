import { expect, it } from 'vitest';
import { Waits } from './pacing.js';

it('the time in which two wait is counted once', () => {
  const waits = new Waits();
  waits.begin(1_000);
  waits.begin(1_500);
  waits.end(3_000);
  waits.end(4_000);
  waits.begin(10_000);
  waits.end(10_100);
  expect(waits.milliseconds).toBe(3_100);
});
