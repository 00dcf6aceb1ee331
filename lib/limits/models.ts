import { notAfter } from './sorted-times.js';

/** The algorithms that a limiter may use (LIMIT-11), as a client at a distance can tell them apart. */
export const algorithmNames = [
  'fixed window, aligned to the clock',
  'fixed window, from the first request',
  'sliding log',
  'sliding counter',
  'token bucket',
] as const;
export type AlgorithmName = (typeof algorithmNames)[number];

/**
 * A limiter as its algorithm's name describes it, for comparing with what a target did. Times are milliseconds by the
 * target's clock and never go back.
 */
export interface Model {
  /** How many would be admitted at this moment; with a fraction where the algorithm has one. Changes nothing. */
  room(at: number): number;
  count(at: number): void;
  /** The moments that a Reset could mean at `at`: when the first or the last request comes back, or the window ends. */
  resets(at: number): readonly number[];
}

export interface ModelQuota {
  /** Admissions at once. */
  readonly limit: number;
  /** Admissions that come back in a window, where they come back evenly. */
  readonly refill: number;
  readonly windowMs: number;
}

export const models = {
  'fixed window, aligned to the clock': ({ limit, windowMs }) => {
    let window = Number.NEGATIVE_INFINITY;
    let used = 0;
    return {
      room: (at) => (Math.floor(at / windowMs) > window ? limit : limit - used),
      count(at) {
        const current = Math.floor(at / windowMs);
        if (current > window) {
          window = current;
          used = 0;
        }
        used += 1;
      },
      resets: (at) => [(Math.floor(at / windowMs) + 1) * windowMs],
    };
  },
  'fixed window, from the first request': ({ limit, windowMs }) => {
    let end = Number.NEGATIVE_INFINITY;
    let used = 0;
    return {
      room: (at) => (at < end ? limit - used : limit),
      count(at) {
        if (at >= end) {
          end = at + windowMs;
          used = 0;
        }
        used += 1;
      },
      resets: (at) => [at < end ? end : at + windowMs],
    };
  },
  'sliding log': ({ limit, windowMs }) => {
    const log: number[] = [];
    return {
      room: (at) => limit - (log.length - notAfter(log, at - windowMs)),
      count: (at) => void log.push(at),
      resets: (at) => [(log[notAfter(log, at - windowMs)] ?? at) + windowMs, (log.at(-1) ?? at) + windowMs],
    };
  },
  'sliding counter': ({ limit, windowMs }) => {
    let window = Number.NEGATIVE_INFINITY;
    let previous = 0;
    let current = 0;
    const countsAt = (at: number): { before: number; now: number } => {
      const index = Math.floor(at / windowMs);
      if (index <= window) return { before: previous, now: current };
      return { before: index === window + 1 ? current : 0, now: 0 };
    };
    return {
      room(at) {
        const { before, now } = countsAt(at);
        return limit - now - before * (1 - (at % windowMs) / windowMs);
      },
      count(at) {
        const { before, now } = countsAt(at);
        window = Math.max(window, Math.floor(at / windowMs));
        previous = before;
        current = now + 1;
      },
      resets: (at) => [1, 2].map((windows) => (Math.floor(at / windowMs) + windows) * windowMs),
    };
  },
  'token bucket': ({ limit, refill, windowMs }) => {
    const interval = windowMs / refill;
    let fullAt = Number.NEGATIVE_INFINITY;
    return {
      room: (at) => limit - Math.max(0, fullAt - at) / interval,
      count(at) {
        fullAt = Math.max(fullAt, at) + interval;
      },
      resets: (at) => [Math.max(fullAt, at), at, at + interval],
    };
  },
} as const satisfies Record<AlgorithmName, (quota: ModelQuota) => Model>;

/** Whether all of a window comes back at once. */
export function isFixed(name: AlgorithmName): boolean {
  return name.startsWith('fixed');
}

/** Whether requests come back bit by bit, so that elapsed time explains some admissions above the figure. */
export const refills = {
  'token bucket': true,
  'sliding counter': true,
  'fixed window, aligned to the clock': false,
  'fixed window, from the first request': false,
  'sliding log': false,
} as const satisfies Record<AlgorithmName, boolean>;
