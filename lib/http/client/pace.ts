import type { Exchange } from '../../evidence/exchange.js';
import type { Plan } from '../../specification/plan.js';
import { hasRateHeader, waitOf } from '../headers/rate-headers.js';
import type { Ended } from './next.js';

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

/** Nothing is sent before its end, in milliseconds since the Unix epoch. The reason is for people. */
export interface Pause {
  readonly until: number;
  readonly reason: string;
}

/**
 * What is known of the limiter of one caller. The client waits only after a 429, or because it has sent what the plan
 * allows: a `Remaining` that is wrong makes it go one by one, for some requests.
 */
export interface Pace {
  /** When the requests of the last minute were sent; of another sender's, those that were admitted. */
  readonly sentAt: readonly number[];
  /** Requests that the plan allows in a minute; without end until a header or a 429 tells of a limit. */
  readonly perMinute: number;
  /** The end of the wait that a 429 asked for. */
  readonly pausedUntil: number;
  /** Until then requests go one by one, spread evenly over the minute. */
  readonly carefulUntil: number;
  /** What the last response said to remain, once the plan's minute was used up: a limiter that slides counts more than one. */
  readonly left: number;
  /** How often in a row nothing did. */
  readonly zeros: number;
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

export function freshPace({ plan: { perMinute }, untilLimited }: Terms): Pace {
  return {
    sentAt: [],
    perMinute: untilLimited ? Number.POSITIVE_INFINITY : perMinute,
    pausedUntil: 0,
    carefulUntil: 0,
    left: Number.POSITIVE_INFINITY,
    zeros: 0,
  };
}

/** The pause before so many requests may be sent together. One without a reason is too short to be told. */
export function pauseBefore(pace: Pace, now: number, requests: number, { planOption }: Terms): Pause {
  const { sentAt, perMinute, pausedUntil, carefulUntil, left } = pace;
  if (pausedUntil > now) return { until: pausedUntil, reason: 'the target responded with 429' };
  const room = perMinute - Math.min(requests, perMinute);
  // Of the last minute's requests, the one whose end makes room.
  const last = sentAt.at(-room - 1);
  if (sentAt.length > room && last !== undefined && last > now - minute) {
    const reason = planOption
      ? `${perMinute} requests a minute, until ${planOption} tells the key's plan`
      : "the plan's requests of this minute are used up";
    return { until: last + minute + jitter, reason };
  }
  const missing = Math.max(0, Math.min(requests, perMinute) - left);
  const intervals = missing > 0 ? slower * missing : carefulUntil > now ? 1 : 0;
  const spread = (sentAt.at(-1) ?? 0) + (intervals * minute) / perMinute;
  return { until: intervals > 0 ? spread : 0, reason: '' };
}

/** Whether requests go one by one, as fast as the plan allows in the long run. */
export function isCareful({ carefulUntil, left }: Pace, now: number): boolean {
  return carefulUntil > now || left < 1;
}

export function afterSending(pace: Pace, now: number, requests: number): Pace {
  const first = pace.sentAt.findIndex((at) => at > now - minute);
  const recent = first < 0 ? [] : pace.sentAt.slice(first);
  const sentAt = recent.concat(Array<number>(requests).fill(now));
  return { ...pace, sentAt };
}

/** An exchange of the client, or without `retries` one of another sender. */
type Learnt = Pick<Ended, 'now' | 'exchange' | 'clockDifference'> & Partial<Pick<Ended, 'retries'>>;

/**
 * All requests of a caller wait as long as a 429 asks for, and then go one by one for a minute. A 429 that another sender
 * provoked is waited out, and no reason to go slowly.
 */
export function afterResponse(pace: Pace, learnt: Learnt, terms: Terms): Pace {
  const { now, exchange, retries } = learnt;
  const limited = { ...limitedBy(pace, exchange, terms), ...remainingBy(pace, exchange) };
  if (exchange.status !== 429) return retries ? limited : { ...limited, sentAt: [...pace.sentAt, now] };
  const wait = waitAfter(learnt, terms);
  // A wait that ends the run does so when a request of our own is asked for it.
  const pausedUntil = Math.max(pace.pausedUntil, now + (retries ? wait : Math.min(wait, terms.longestWait)));
  return { ...limited, pausedUntil, carefulUntil: retries ? pausedUntil + minute : pace.carefulUntil };
}

/** A plan that was not given allows at least what the target reports. */
function limitedBy(pace: Pace, exchange: Exchange, { planOption, plan }: Terms): Pace {
  if (exchange.status !== 429 && !hasRateHeader(exchange)) return pace;
  const known = Number.isFinite(pace.perMinute) ? pace.perMinute : plan.perMinute;
  const reported = planOption === undefined ? undefined : exchange.rate.limit;
  return { ...pace, perMinute: Math.max(known, reported ?? 0) };
}

/** A Remaining that is wrong makes nobody wait who keeps below the plan, and nobody for long. */
function remainingBy(pace: Pace, { rate }: Exchange): Pick<Pace, 'left' | 'zeros'> {
  const { left, zeros, sentAt, perMinute } = pace;
  const isUsedUp = Number.isFinite(left) || zeros > 0 || sentAt.length >= perMinute;
  if (!isUsedUp || rate.remaining === undefined) return { left, zeros };
  const inRow = rate.remaining > 0 ? 0 : zeros + 1;
  return { left: inRow > mostZeros ? Number.POSITIVE_INFINITY : Math.max(0, rate.remaining), zeros: inRow };
}

/** Milliseconds to wait after a 429, longer each time that one request meets it. */
function waitAfter({ now, exchange, clockDifference, retries }: Learnt, { longestWait }: Terms): number {
  const before = retries?.limited ?? 0;
  const backoff = 1_000 * 2 ** before;
  const { retryAfter, resetAt } = exchange.rate;
  const untilReset = resetAt === undefined ? 0 : resetAt - clockDifference + roundingGrace - now;
  const isPlausible = untilReset > 0 && untilReset <= longestWait;
  const asked = waitOf(retryAfter, now + clockDifference) ?? (isPlausible ? untilReset : undefined);
  if (asked === undefined) return Math.min(backoff * 2, minute);
  return Math.max(asked, before > 0 ? backoff : 0) + jitter;
}
