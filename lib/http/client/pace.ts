import type { Exchange } from '../../evidence/exchange.js';
import type { Plan } from '../../specification/plan.js';
import { hasRateHeader, waitOf } from '../headers/rate-headers.js';
import type { Ended, Observed } from './next.js';

/** What a run may do to its target. */
export interface Terms {
  readonly plan: Plan;
  /** Requests that may be under way at once. */
  readonly concurrency: number;
  /** Milliseconds. A longer wait ends the run. */
  readonly longestWait: number;
  /** Requests are not paced until a header or a 429 tells of a limit. */
  readonly untilLimited?: boolean;
  /** How the option is called that gives the plan, if it is unknown. */
  readonly planOption?: string | undefined;
}

/** Nothing is sent before its end, in milliseconds since the Unix epoch. The reason is for people; a short one has none. */
export interface Pause {
  readonly until: number;
  readonly reason: string;
}

const minute = 60_000;
/** Milliseconds by which requests sent a minute apart may arrive closer together. */
const jitter = 50;
/** If too little is left, so many times slower than the plan: a limiter that slides may give back less in a second. */
const slower = 2;
/** Responses in a row that nothing remains after which that is wrong, and decides nothing. */
const mostZeros = 6;
/** Milliseconds by which the end of a window may be rounded down. */
const roundingGrace = 1_000;

/** What is known of the limiter of one caller. */
export type Pace = Readonly<ReturnType<typeof freshPace>>;

/**
 * The client waits only after a 429, or because it has sent what the plan allows: a `Remaining` that is wrong makes it go
 * one by one, for some requests.
 */
export function freshPace({ plan: { perMinute }, untilLimited }: Terms) {
  return {
    /** When the requests of the last minute were sent; of another sender's, those that were admitted. */
    sentAt: [] as readonly number[],
    /** Requests that the plan allows in a minute; without end until a header or a 429 tells of a limit. */
    perMinute: untilLimited ? Number.POSITIVE_INFINITY : perMinute,
    /** The end of the wait that a 429 asked for. */
    pausedUntil: 0,
    /** Until then requests go one by one, spread evenly over the minute. */
    carefulUntil: 0,
    /** What the last response said to remain, once the plan's minute was used up: a limiter that slides counts more than one. */
    left: Number.POSITIVE_INFINITY,
    /** How often in a row nothing did. */
    zeros: 0,
  };
}

/** The pause before so many requests may be sent together. */
export function pauseBefore(pace: Pace, now: number, requests: number, { planOption }: Terms): Pause {
  const { sentAt, perMinute, pausedUntil, carefulUntil, left } = pace;
  if (pausedUntil > now) return { until: pausedUntil, reason: 'the target responded with 429' };
  const wanted = Math.min(requests, perMinute);
  // Of the last minute's requests, the one whose end makes room.
  const last = sentAt.at(wanted - perMinute - 1) ?? 0;
  if (last > now - minute) {
    const reason = planOption
      ? `${perMinute} requests a minute, until ${planOption} tells the key's plan`
      : "the plan's requests of this minute are used up";
    return { until: last + minute + jitter, reason };
  }
  const intervals = wanted > left ? slower * (wanted - left) : carefulUntil > now ? 1 : 0;
  const spread = (intervals * minute) / perMinute;
  return { until: spread > 0 ? (sentAt.at(-1) ?? 0) + spread : 0, reason: '' };
}

/** Requests that may be under way at once: one if they go as fast as the plan allows in the long run. */
export function mostAtOnce({ carefulUntil, left }: Pace, now: number): number {
  return carefulUntil > now ? 1 : Math.max(1, left);
}

export function afterSending(pace: Pace, now: number, requests: number): Pace {
  const recent = pace.sentAt.filter((at) => at > now - minute);
  return { ...pace, sentAt: [...recent, ...Array<number>(requests).fill(now)] };
}

/** All requests of a caller wait as long as a 429 asks for, and then go one by one for a minute. */
export function afterResponse(pace: Pace, ended: Ended, terms: Terms): Pace {
  const { now, exchange, retries } = ended;
  const reported = afterHeaders(pace, exchange, terms);
  if (exchange.status !== 429) return reported;
  const pausedUntil = Math.max(pace.pausedUntil, now + waitAfter(ended, retries.limited, terms));
  return { ...reported, pausedUntil, carefulUntil: pausedUntil + minute };
}

/** The same of an exchange that another sender had. The 429 that it provoked is waited out, and no reason to go slowly. */
export function afterOther(pace: Pace, observed: Observed, terms: Terms): Pace {
  const { now, exchange } = observed;
  const reported = afterHeaders(pace, exchange, terms);
  if (exchange.status !== 429) return { ...reported, sentAt: [...pace.sentAt, now] };
  // A wait that ends the run does so when a request of our own is asked for it.
  const wait = Math.min(waitAfter(observed, 0, terms), terms.longestWait);
  return { ...reported, pausedUntil: Math.max(pace.pausedUntil, now + wait) };
}

function afterHeaders(pace: Pace, exchange: Exchange, { plan, planOption }: Terms): Pace {
  const { limit = 0, remaining } = exchange.rate;
  if (exchange.status !== 429 && !hasRateHeader(exchange)) return pace;
  const known = Number.isFinite(pace.perMinute) ? pace.perMinute : plan.perMinute;
  // A plan that was not given allows at least what the target reports.
  const perMinute = planOption === undefined ? known : Math.max(known, limit);
  // A Remaining that is wrong makes nobody wait who keeps below the plan, and nobody for long.
  const isUsedUp = Number.isFinite(pace.left) || pace.zeros > 0 || pace.sentAt.length >= perMinute;
  if (remaining === undefined || !isUsedUp) return { ...pace, perMinute };
  const zeros = remaining > 0 ? 0 : pace.zeros + 1;
  const left = zeros > mostZeros ? Number.POSITIVE_INFINITY : Math.max(0, remaining);
  return { ...pace, perMinute, left, zeros };
}

/** Milliseconds to wait after a 429, longer each time that one request meets it. */
function waitAfter(
  { now, exchange: { rate } }: Omit<Observed, 'type'>,
  before: number,
  { longestWait }: Terms,
): number {
  const backoff = 1_000 * 2 ** before;
  // Moments are compared with the target's clock, which may be wrong.
  const { retryAfter, resetAt = 0, date = now } = rate;
  const untilReset = resetAt - date + roundingGrace;
  const isPlausible = untilReset > 0 && untilReset <= longestWait;
  const asked = waitOf(retryAfter, date) ?? (isPlausible ? untilReset : undefined);
  if (asked === undefined) return Math.min(backoff * 2, minute);
  return Math.max(asked, before > 0 ? backoff : 0) + jitter;
}
