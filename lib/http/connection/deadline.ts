/** Parts that a deadline is waited for in, and how many of them may be waited for again. */
const parts = 8;
/** Milliseconds of the shortest part: timers are that exact. */
const shortestMs = 10;

/**
 * Calls back when so many milliseconds have passed in which this process could work. If it stands still, so does what it
 * has received: a timer that fires right after that would tell of the machine, and not of the target. A part of the time
 * in which that happened is waited for again, but not without end.
 * @returns ends the wait
 */
export function startDeadline(milliseconds: number, passed: () => void): () => void {
  const part = Math.max(shortestMs, milliseconds / parts);
  let left = milliseconds;
  let again = parts;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const share = Math.min(part, left);
    const due = performance.now() + share;
    timer = setTimeout(() => {
      if (again > 0 && performance.now() - due > part) again -= 1;
      else left -= share;
      if (left > 0) wait();
      else passed();
    }, share);
  };
  wait();
  return () => clearTimeout(timer);
}
