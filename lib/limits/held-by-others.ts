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
  const { before, full } = options;
  const told = remainingOf(look, options);
  if (told === undefined) return 0;
  const answered = before.filter((seen) => admitted(seen) && remainingOf(seen, options) !== undefined);
  const most = Math.max(0, ...answered.map((seen) => remainingOf(seen, options) ?? 0));
  const now = Math.min(most + 1, full) - (told + 1) - ownAround(look, options);
  if (now > 0) return nothingComesBack([...answered, look], before, options) ? 0 : now;
  const short = full - (told + 1) - ownAround(look, options);
  return Math.min(Math.max(0, short), disagreement([...answered, look], options));
}

/** The suite's own requests, refused ones too, that a sliding counter may hold beside this one: of two windows. */
function ownAround(look: Seen, { before, windowMs, strangersAt }: HeldOptions): number {
  const since = look.sentAt - 2 * windowMs;
  const own = before.filter((seen) => seen !== look && seen.sentAt <= look.sentAt && seen.at > since);
  const strangers = strangersAt.filter((at) => at <= look.sentAt && at > since);
  return own.length + strangers.length;
}

/**
 * By how much two answers disagree on a figure of the key's own: each leaves room for it between what it tells and what
 * it tells with all of the suite's requests added.
 */
function disagreement(answered: readonly Seen[], options: HeldOptions): number {
  const least = Math.max(...answered.map((seen) => (remainingOf(seen, options) ?? 0) + 1));
  const most = Math.min(
    ...answered.map((seen) => (remainingOf(seen, options) ?? 0) + 1 + ownAround(seen, options)),
  );
  return Math.max(0, least - most);
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
