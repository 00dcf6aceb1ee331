/** Milliseconds by which a timer may be late, whatever the machine does. */
const usualLateness = 10;

/**
 * Calls back when so many milliseconds have passed. If this process stood still until then, so did what it has received:
 * the timer would tell of the machine, and not of the target. As long as it came too late is waited for once more.
 * @returns ends the wait
 */
export function startDeadline(milliseconds: number, passed: () => void): () => void {
  const due = performance.now() + milliseconds;
  let timer = setTimeout(() => {
    const late = performance.now() - due;
    if (late > Math.max(usualLateness, milliseconds / 8))
      timer = setTimeout(passed, Math.min(late, milliseconds));
    else passed();
  }, milliseconds);
  return () => clearTimeout(timer);
}
