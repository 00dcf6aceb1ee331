import type { PlanMeasurement } from '../../../lib/evidence/record/measurements.js';
import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import { printable } from '../../../lib/explain/printable.js';
import { firstValueOf } from '../../../lib/http/headers/header-list.js';
import { duration } from '../../text.js';

/** A window of a limiter as it is drawn. */
export type DrawnWindow = ReturnType<typeof drawnWindows>[number];

/** A day that was resumed has more windows. Fewer points make no picture. */
const mostWindows = 12;
const fewestPoints = 3;

/** The windows of the limit's own probes in the order of time, as of their points: other requests stay below the limit. */
export function drawnWindows({ explanation, plan }: PlanMeasurement) {
  const windows = (explanation?.windows ?? []).filter(
    ({ points, phases }) => points.length >= fewestPoints && phases.length > 0,
  );
  return windows.slice(0, mostWindows).map((window, index) => {
    const points = window.points.toSorted((one, other) => one.received - other.received);
    const rejected = points.find(({ outcome }) => outcome === 'rejected');
    return {
      ...window,
      points,
      /** The first request that was rejected. */
      rejected,
      /** Unique in the document. */
      anchor: `${plan}-window-${index + 1}`,
      title: `Window ${index + 1}`,
    };
  });
}

/** A moment of a window that was seen, or that the limiter announced. */
export interface Flag {
  readonly text: string;
  /** Milliseconds since the window's first request. */
  readonly at: number;
}

/** Milliseconds up to which a moment is drawn behind the last request: a limiter may announce any. */
const farthest = 120_000;

/**
 * The first 429 of a window, and what it announced near it: Retry-After (RFC 9110 10.2.3) and X-RateLimit-Reset (section 8).
 * @param aheadMs the target's clock minus ours, in milliseconds
 */
export function flagsOf(
  { startedAt, durationMs, rejected }: DrawnWindow,
  rejection: RecordedExchange | undefined,
  aheadMs: number,
): Flag[] {
  if (!rejected) return [];
  const begin = Date.parse(startedAt) + aheadMs;
  const headers = rejection?.response?.headers ?? [];
  const [retryAfter = '', reset = ''] = ['Retry-After', 'X-RateLimit-Reset'].map((name) =>
    firstValueOf(headers, name),
  );
  const isInSeconds = /^\d+$/.test(retryAfter);
  const retryAt = isInSeconds
    ? rejected.received + Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - begin;
  const moments = [
    ['first 429', rejected.received],
    [`Retry-After ${retryAfter}`, retryAt],
    [`Reset ${reset}`, Number(reset) * 1_000 - begin],
  ] as const;
  return moments
    .filter(([, at]) => at >= 0 && at <= durationMs + farthest)
    .map(([text, at]) => ({ text: printable(`${text}, at ${duration(at)}`), at }));
}
