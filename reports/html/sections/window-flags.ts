import { headerValues, type Exchange } from '../../../lib/http/exchange/exchange.js';
import type { DrawnWindow } from '../evidence/drawn-windows.js';
import { duration } from '../../text/quantity.js';

/** A moment of a window that the limiter announced or that was seen. */
export interface Flag {
  readonly text: string;
  /** Milliseconds since the window's first request; undefined if the text names no moment near it. */
  readonly at: number | undefined;
}

/** How far behind a window, as a multiple of it, a moment is still drawn. */
const farthest = 1.5;

interface Clock {
  /** The target's clock minus ours, in milliseconds. */
  readonly aheadMs: number;
  /** The length of the plan's window, or of what was seen of it if that is longer. */
  readonly lengthMs: number;
}

/** The first 429 of a window, and what it announced: Retry-After (RFC 9110 10.2.3) and X-RateLimit-Reset (section 8). */
export function flagsOf(
  { window, rejected }: DrawnWindow,
  rejection: Exchange | undefined,
  clock: Clock,
): Flag[] {
  if (!rejected) return [];
  const begin = Date.parse(window.startedAt) + clock.aheadMs;
  const flag = (name: string, value: string, at: number): Flag => {
    const isNear = at >= 0 && at <= farthest * clock.lengthMs;
    return isNear
      ? { text: `${name} ${value}: ${duration(at)}`, at }
      : { text: `${name} ${value}, outside this window`, at: undefined };
  };
  const header = (name: string): string | undefined => rejection && headerValues(rejection, name)[0];
  const [retryAfter, reset] = [header('Retry-After'), header('X-RateLimit-Reset')];
  return [
    { text: `first 429: ${duration(rejected.received)}`, at: rejected.received },
    ...(retryAfter === undefined
      ? []
      : [
          flag(
            'Retry-After',
            retryAfter,
            /^\d+$/.test(retryAfter)
              ? rejected.received + Number(retryAfter) * 1_000
              : Date.parse(retryAfter) - begin,
          ),
        ]),
    ...(reset === undefined ? [] : [flag('Reset', reset, Number(reset) * 1_000 - begin)]),
  ];
}
