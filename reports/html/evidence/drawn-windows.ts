import type { ExplanationPoint, ExplanationWindow } from '../../../lib/evidence/record/explanation.js';
import type { PlanMeasurement } from '../../../lib/evidence/record/plan-measurement.js';
import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import { printable } from '../../../lib/explain/printable.js';
import { firstValueOf } from '../../../lib/http/headers/header-list.js';
import { duration } from '../../text/quantity.js';

/** A window of a limiter as it is drawn. */
export interface DrawnWindow extends ExplanationWindow {
  /** Unique in the document. */
  readonly anchor: string;
  readonly title: string;
  /** The first request that was rejected. */
  readonly rejected: ExplanationPoint | undefined;
}

/** A day that was resumed has more windows. Fewer points make no picture. */
const mostWindows = 12;
const fewestPoints = 3;

/** The windows of the limit's own probes in the order of time, as of their points: other requests stay below the limit. */
export function drawnWindows({ explanation, plan }: PlanMeasurement): DrawnWindow[] {
  const windows = (explanation?.windows ?? []).filter(
    ({ points, phases }) => points.length >= fewestPoints && phases.length > 0,
  );
  return windows.slice(0, mostWindows).map((window, index) => {
    const points = window.points.toSorted((one, other) => one.received - other.received);
    const rejected = points.find(({ outcome }) => outcome === 'rejected');
    return {
      ...window,
      points,
      rejected,
      anchor: `${plan}-window-${index + 1}`,
      title: `Window ${index + 1}`,
    };
  });
}

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
  const headers = rejection?.response?.headers ?? [];
  const [retryAfter, reset] = ['Retry-After', 'X-RateLimit-Reset'].map((name) => firstValueOf(headers, name));
  const announced = (text: string, at: number): Flag => {
    const isNear = at >= 0 && at <= farthest;
    const where = isNear ? `at ${duration(at)}` : 'outside this window';
    return { text: printable(`${text}, ${where}`), at: isNear ? at : undefined };
  };
  const isInSeconds = /^\d+$/.test(retryAfter ?? '');
  const retryAt = isInSeconds
    ? rejected.received + Number(retryAfter) * 1_000
    : Date.parse(`${retryAfter}`) - begin;
  return [
    { text: `first 429 at ${duration(rejected.received)}`, at: rejected.received },
    ...(retryAfter === undefined ? [] : [announced(`Retry-After ${retryAfter}`, retryAt)]),
    ...(reset === undefined ? [] : [announced(`Reset ${reset}`, Number(reset) * 1_000 - begin)]),
  ];
}
