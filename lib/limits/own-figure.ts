import type { Seen } from './seen.js';
import { ascending, notAfter } from './sorted-times.js';

/** Between which figures the one that a key's limiter applies may lie, as one answer leaves it open. */
export interface FigureBounds {
  readonly least: number;
  readonly most: number;
}

/** By how much answers disagree on a figure of the key's own. */
export function disagreement(bounds: readonly FigureBounds[]): number {
  const least = bounds.reduce((highest, one) => Math.max(highest, one.least), 0);
  const most = bounds.reduce((lowest, one) => Math.min(lowest, one.most), Infinity);
  return Math.max(0, least - most);
}

export interface Sent {
  readonly requests: readonly Seen[];
  readonly windowMs: number;
  /** When requests with other keys were sent: where all keys are counted together, they use this one's limit up. */
  readonly strangersAt: readonly number[];
}

/** Counts the suite's own requests, refused ones too, that a sliding counter may hold beside one: of two windows. */
export function ownAround({ requests, windowMs, strangersAt }: Sent): (look: Seen) => number {
  const sent = ascending([...requests.map(({ sentAt }) => sentAt), ...strangersAt]);
  const answered = ascending([...requests.map(({ at }) => at), ...strangersAt]);
  const own = new Set(requests);
  return (look) =>
    notAfter(sent, look.sentAt) - notAfter(answered, look.sentAt - 2 * windowMs) - (own.has(look) ? 1 : 0);
}
