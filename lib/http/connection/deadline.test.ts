import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startDeadline } from './reception.js';

afterEach(() => void vi.useRealTimers());

describe('a deadline', () => {
  it.each([1, 10_000])('of %d ms passes after as many', (milliseconds) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const passed = vi.fn();
    startDeadline(milliseconds, passed);
    vi.advanceTimersByTime(milliseconds - 1);
    expect(passed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(passed).toHaveBeenCalledOnce();
  });

  it('does not pass if it was ended', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const passed = vi.fn();
    const end = startDeadline(200, passed);
    vi.advanceTimersByTime(100);
    end();
    vi.advanceTimersByTime(1_000);
    expect(passed).not.toHaveBeenCalled();
  });

  it('does not pass while the process stands still, and passes after that', async () => {
    let isPassed = false;
    const passed = new Promise<void>((resolve) => {
      startDeadline(80, () => {
        isPassed = true;
        resolve();
      });
    });
    standStill(200);
    // What came meanwhile is received in these turns.
    for (let turns = 0; turns < 3; turns += 1) await turn();
    expect(isPassed).toBe(false);
    await passed;
  });
});

function standStill(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}
