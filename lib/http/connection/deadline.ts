/** Milliseconds by which a timer may be late that tells nothing of the machine. */
const punctualMs = 10;

/**
 * Calls back after so many milliseconds. If this process stood still until then, so does what it has received: it gets as
 * long again as it stood still, since what came meanwhile tells of the target, and the delay of the machine.
 * @returns ends the wait
 */
export function startDeadline(milliseconds: number, passed: () => void): () => void {
  const due = performance.now() + milliseconds;
  let timer = setTimeout(() => {
    const lateMs = performance.now() - due;
    if (lateMs < punctualMs) passed();
    else timer = setTimeout(passed, Math.min(lateMs, milliseconds));
  }, milliseconds);
  return () => clearTimeout(timer);
}
