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
  /** The options that end a wait: one that gives the plan if it is unknown, and one that sends fewer requests. */
  readonly optionNames?: { readonly plan?: string | undefined; readonly fewer: string } | undefined;
}

/** Nothing is sent before its end, in milliseconds since the Unix epoch. The reason is for people. */
export interface Pause {
  readonly until: number;
  readonly reason: string;
}

/**
 * What is known of the limiter of one caller. The client waits only after a 429, or because it has sent what the plan
 * allows: a `Remaining` that is wrong would make it wait for nothing.
 */
export interface Pace {
  /** When the requests of the last minute were sent; of another sender's, those that were admitted. */
  readonly sentAt: readonly number[];
  /** Requests that the plan allows in a minute. */
  readonly perMinute: number;
  /** A header or a 429 has told of a limit. */
  readonly isLimited: boolean;
  /** What the last 429 asked for. */
  readonly pause: Pause;
  /** Until then requests go one by one, spread evenly over the minute. */
  readonly carefulUntil: number;
}

const minute = 60_000;
/** Milliseconds by which requests sent a minute apart may arrive closer together. */
const jitter = 50;
/** Milliseconds by which the end of a window may be rounded down. */
const roundingGrace = 1_000;

export function freshPace({ plan: { perMinute }, untilLimited }: Terms): Pace {
  return {
    sentAt: [],
    perMinute,
    isLimited: untilLimited !== true,
    pause: { until: 0, reason: 'the target responded with 429' },
    carefulUntil: 0,
  };
}

/** The pause before so many requests may be sent together. One without a reason is too short to be told. */
export function pauseBefore(pace: Pace, now: number, requests: number, { optionNames }: Terms): Pause {
  const { sentAt, perMinute, isLimited, pause, carefulUntil } = pace;
  const fewer = optionNames ? `; ${optionNames.fewer} sends fewer` : '';
  if (pause.until > now) return { ...pause, reason: pause.reason + fewer };
  const room = perMinute - Math.min(requests, perMinute);
  // Of the last minute's requests, the one whose end makes room.
  const last = sentAt.at(-room - 1);
  if (isLimited && sentAt.length > room && last !== undefined && last > now - minute) {
    const reason = optionNames?.plan
      ? `${perMinute} requests a minute, until ${optionNames.plan} tells the key's plan`
      : `the plan's requests of this minute are used up${fewer}`;
    return { until: last + minute + jitter, reason };
  }
  const spread = (sentAt.at(-1) ?? 0) + minute / perMinute;
  return { until: carefulUntil > now ? spread : 0, reason: '' };
}

export function afterSending(pace: Pace, now: number, requests: number): Pace {
  const first = pace.sentAt.findIndex((at) => at > now - minute);
  const recent = first < 0 ? [] : pace.sentAt.slice(first);
  const sentAt = recent.concat(Array<number>(requests).fill(now));
  return { ...pace, sentAt };
}

type Learnt = Pick<Ended, 'now' | 'exchange' | 'clockDifference'>;

/** All requests of a caller wait as long as a 429 asks for, and then go one by one for a minute. */
export function afterResponse(pace: Pace, ended: Ended, terms: Terms): Pace {
  const limited = limitedBy(pace, ended, terms);
  if (ended.exchange.status !== 429) return limited;
  const after = afterRejection(limited, ended, terms, ended.retries.limited);
  return { ...after, carefulUntil: after.pause.until + minute };
}

/** Learns from a response to another sender. A 429 that it provoked is waited out, and no reason to go slowly. */
export function afterObserved(pace: Pace, learnt: Learnt, terms: Terms): Pace {
  const limited = limitedBy(pace, learnt, terms);
  return learnt.exchange.status === 429
    ? afterRejection(limited, learnt, terms)
    : { ...limited, sentAt: [...pace.sentAt, learnt.now] };
}

/** A plan that was not given allows at least what the target reports. */
function limitedBy(pace: Pace, { exchange }: Learnt, { optionNames }: Terms): Pace {
  const isLimited = pace.isLimited || exchange.status === 429 || hasRateHeader(exchange);
  const reported = optionNames?.plan === undefined ? undefined : exchange.rate.limit;
  return { ...pace, isLimited, perMinute: Math.max(pace.perMinute, reported ?? 0) };
}

/** The pause that a 429 asks for, longer each time that one request meets it. */
function afterRejection(
  pace: Pace,
  { now, exchange, clockDifference }: Learnt,
  { longestWait }: Terms,
  retries = 0,
): Pace {
  const backoff = 1_000 * 2 ** retries;
  const { retryAfter, resetAt } = exchange.rate;
  const untilReset = resetAt === undefined ? 0 : resetAt - clockDifference + roundingGrace - now;
  const isPlausible = untilReset > 0 && untilReset <= longestWait;
  const asked = waitOf(retryAfter, now + clockDifference) ?? (isPlausible ? untilReset : undefined);
  const wait =
    asked === undefined ? Math.min(backoff * 2, minute) : Math.max(asked, retries > 0 ? backoff : 0) + jitter;
  return { ...pace, pause: { ...pace.pause, until: Math.max(pace.pause.until, now + wait) } };
}
