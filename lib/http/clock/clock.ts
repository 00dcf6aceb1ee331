import { setTimeout as delay } from 'node:timers/promises';

/** Time as the suite sees it, handed in so that tests wait for nothing. */
export interface Clock {
  /** Milliseconds since the Unix epoch, with fractions; never goes back. */
  now(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds since the Unix epoch as ISO 8601 with microseconds: `2026-11-22T06:59:58.123456Z`. */
export function timestamp(milliseconds: number): string {
  const microseconds = Math.round(milliseconds * 1000);
  const fraction = String(microseconds % 1000).padStart(3, '0');
  return new Date(Math.floor(microseconds / 1000)).toISOString().replace('Z', `${fraction}Z`);
}

/** Reads a timestamp with all its digits, in milliseconds since the Unix epoch; `Date.parse` drops microseconds. */
export function parseTimestamp(text: string): number {
  const microseconds = /\.\d{3}(\d{3})/.exec(text)?.[1];
  return Date.parse(text) + Number(microseconds ?? 0) / 1000;
}

/** A duration in milliseconds, rounded to microseconds. */
export function roundedDuration(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** The machine's time, unaffected by a clock that is set during the run. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await delay(milliseconds, undefined, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};
