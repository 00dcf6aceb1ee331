import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import { valuesOf } from '../../../lib/http/headers/header-list.js';
import { duration } from '../../text/quantity.js';
import type { DrawnWindow } from '../evidence/drawn-windows.js';

/** A moment of a window that the limiter announced or that was seen. */
export interface Flag {
  readonly text: string;
  /** Milliseconds since the window's first request; undefined if the text names no moment near it. */
  readonly at: number | undefined;
}

/** Milliseconds behind a window's first request up to which a moment is drawn: a window of two minutes shows as one. */
const farthest = 180_000;

/**
 * The first 429 of a window, and what it announced: Retry-After (RFC 9110 10.2.3) and X-RateLimit-Reset (section 8).
 * @param aheadMs the target's clock minus ours, in milliseconds
 */
export function flagsOf(
  { startedAt, rejected }: DrawnWindow,
  rejection: RecordedExchange | undefined,
  aheadMs: number,
): Flag[] {
  if (!rejected) return [];
  const begin = Date.parse(startedAt) + aheadMs;
  const announced = (name: string, header: string, momentOf: (value: string) => number): Flag[] => {
    const [value] = valuesOf(rejection?.response?.headers ?? [], header);
    if (value === undefined) return [];
    const at = momentOf(value);
    return at >= 0 && at <= farthest
      ? [{ text: `${name} ${value}, at ${duration(at)}`, at }]
      : [{ text: `${name} ${value}, outside this window`, at: undefined }];
  };
  const endOfWait = (value: string): number =>
    /^\d+$/.test(value) ? rejected.received + Number(value) * 1_000 : Date.parse(value) - begin;
  return [
    { text: `first 429 at ${duration(rejected.received)}`, at: rejected.received },
    ...announced('Retry-After', 'Retry-After', endOfWait),
    ...announced('Reset', 'X-RateLimit-Reset', (value) => Number(value) * 1_000 - begin),
  ];
}
