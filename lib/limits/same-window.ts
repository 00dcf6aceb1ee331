import { admitted, type Seen } from './seen.js';

interface SameWindow {
  /** What the run sent with the key before, in the order of sending. */
  readonly earlier: readonly Seen[];
  /** The first request of the measuring. */
  readonly look: Seen;
  /** What Remaining and the request that told it make together in a window that nobody has used. */
  readonly full: number;
  readonly windowMs: number;
  readonly showsMinute: (seen: Seen) => boolean;
}

/**
 * The requests before `look` that one window has held from its beginning, as Remaining shows: it began full, and fell by
 * one with each. They belong to what the window admits, and no other one has to be waited for. Empty where it is not so
 * certain: a window may have ended in between, something refilled, or others used the key.
 */
export function sharingWindow({ earlier, look, full, windowMs, showsMinute }: SameWindow): readonly Seen[] {
  const shared: Seen[] = [];
  for (const before of earlier.toReversed()) {
    const after = shared[0] ?? look;
    const [remaining, next] = [before, after].map((seen) =>
      showsMinute(seen) ? seen.told.remaining : undefined,
    );
    const oneMore = remaining !== undefined && next !== undefined && remaining === next + 1;
    if (!oneMore || !admitted(before) || before.at > after.sentAt) break;
    if (look.sentAt - before.sentAt >= windowMs) break;
    shared.unshift(before);
  }
  return (shared[0]?.told.remaining ?? -1) + 1 >= full ? shared : [];
}
