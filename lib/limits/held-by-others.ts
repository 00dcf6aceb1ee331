import { disagreement, ownAround } from './own-figure.js';
import { admitted, type Seen } from './seen.js';

/** What the key's answers are compared with. */
export interface HeldOptions {
  /** The earlier answers of the run, with this key, in the order of sending. */
  readonly before: readonly Seen[];
  /** What a window shows as its whole. */
  readonly full: number;
  readonly windowMs: number;
  /** When requests with other keys were sent: where all keys are counted together, they use this one's limit up. */
  readonly strangersAt: readonly number[];
  readonly showsMinute: (seen: Seen) => boolean;
}

/**
 * Requests of other clients that a window holds when it is found: it is short, and Remaining has been higher, now or at
 * an earlier look, than a limiter that counts the suite's own requests alone would show.
 */
export function heldByOthers(look: Seen, options: HeldOptions): number {
  const { before, full, windowMs, strangersAt } = options;
  const told = remainingOf(look, options);
  if (told === undefined) return 0;
  const answered = before.filter((seen) => admitted(seen) && remainingOf(seen, options) !== undefined);
  const most = Math.max(0, ...answered.map((seen) => remainingOf(seen, options) ?? 0));
  const around = ownAround({ requests: before, windowMs, strangersAt });
  const own = around(look);
  const now = Math.min(most + 1, full) - (told + 1) - own;
  if (now > 0) return nothingComesBack([...answered, look], before, options) ? 0 : now;
  const short = full - (told + 1) - own;
  // Each answer leaves room between what it tells and what it tells with all of the suite's requests added.
  const bounds = [...answered, look].map((seen) => {
    const least = (remainingOf(seen, options) ?? 0) + 1;
    return { least, most: least + around(seen) };
  });
  return Math.min(Math.max(0, short), disagreement(bounds));
}

/** Whether Remaining has only ever fallen, by what was sent: a window that never resets shows the same. */
function nothingComesBack(answered: readonly Seen[], before: readonly Seen[], options: HeldOptions): boolean {
  return answered.every((seen, index) => {
    const earlier = answered[index - 1];
    if (!earlier) return true;
    const own = 1 + before.filter((one) => between(one, earlier, seen) && admitted(one)).length;
    return (remainingOf(earlier, options) ?? 0) - (remainingOf(seen, options) ?? 0) === own;
  });
}

function between({ sentAt }: Seen, one: Seen, other: Seen): boolean {
  return sentAt > one.sentAt && sentAt < other.sentAt;
}

function remainingOf(seen: Seen, { showsMinute }: HeldOptions): number | undefined {
  return showsMinute(seen) ? seen.told.remaining : undefined;
}
