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
  readonly underWay: number;
  /** Requests that the plan allows in a minute. */
  readonly perMinute: number;
  /** A header or a 429 has told of a limit. */
  readonly isLimited: boolean;
  /** What the last 429 asked for. */
  readonly pause: Pause;
  /** Pauses since a request was last admitted. */
  readonly rejections: number;
  /** Responses to wait for one by one, with requests spread evenly over the minute. */
  readonly oneByOne: number;
  /** How many these will be after another 429: twice as many each time, so that few more follow. */
  readonly recovery: number;
}

const minute = 60_000;
/** Milliseconds by which requests sent a minute apart may arrive closer together. */
const jitter = 50;
/** Milliseconds by which the end of a window may be rounded down. */
const roundingGrace = 1_000;

export function freshPace({ plan: { perMinute }, untilLimited }: Terms): Pace {
  return {
    sentAt: [],
    underWay: 0,
    perMinute,
    isLimited: untilLimited !== true,
    pause: { until: 0, reason: 'the target responded with 429' },
    rejections: 0,
    oneByOne: 0,
    recovery: 8,
  };
}

/** The pause before so many requests may be sent together. One without a reason is too short to be told. */
export function pauseBefore(pace: Pace, now: number, requests: number, { optionNames }: Terms): Pause {
  const { sentAt, perMinute, isLimited, pause, oneByOne } = pace;
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
  return { until: oneByOne > 0 ? spread : 0, reason: '' };
}

export function afterSending(pace: Pace, now: number, requests: number): Pace {
  const first = pace.sentAt.findIndex((at) => at > now - minute);
  const recent = first < 0 ? [] : pace.sentAt.slice(first);
  const sentAt = recent.concat(Array<number>(requests).fill(now));
  return { ...pace, sentAt, underWay: pace.underWay + requests };
}

type Learnt = Pick<Ended, 'now' | 'exchange' | 'clockDifference'>;

export function afterResponse(pace: Pace, learnt: Learnt, terms: Terms): Pace {
  const { response } = learnt.exchange;
  const ended = { ...limitedBy(pace, learnt, terms), underWay: pace.underWay - 1 };
  if (response?.status === 429) return afterRejection(ended, learnt, terms);
  // Requests that were admitted before a rejection may be answered after it.
  if (!response || learnt.now < pace.pause.until) return ended;
  return { ...ended, rejections: 0, oneByOne: Math.max(0, pace.oneByOne - 1) };
}

/** Learns from a response to another sender. A 429 that it provoked is waited out, and no reason to go slowly. */
export function afterObserved(pace: Pace, learnt: Learnt, terms: Terms): Pace {
  const limited = limitedBy(pace, learnt, terms);
  return learnt.exchange.response?.status === 429
    ? { ...limited, pause: afterRejection(limited, learnt, terms).pause }
    : { ...limited, sentAt: [...pace.sentAt, learnt.now] };
}

/** A plan that was not given allows at least what the target reports. */
function limitedBy(pace: Pace, { exchange }: Learnt, { optionNames }: Terms): Pace {
  const isLimited = pace.isLimited || exchange.response?.status === 429 || hasRateHeader(exchange);
  const reported = optionNames?.plan === undefined ? undefined : exchange.rate.limit;
  return { ...pace, isLimited, perMinute: Math.max(pace.perMinute, reported ?? 0) };
}

/** All requests wait as long as a 429 asks for, longer each time it comes again, and then go one by one for a while. */
function afterRejection(
  pace: Pace,
  { now, exchange, clockDifference }: Learnt,
  { longestWait }: Terms,
): Pace {
  // Requests that were under way together are rejected together: that is one rejection.
  const isAnother = now >= pace.pause.until;
  const rejections = pace.rejections + (isAnother ? 1 : 0);
  const backoff = 1_000 * 2 ** (rejections - 1);
  const { retryAfter, resetAt } = exchange.rate;
  const untilReset = resetAt === undefined ? 0 : resetAt - clockDifference + roundingGrace - now;
  const isPlausible = untilReset > 0 && untilReset <= longestWait;
  const asked = waitOf(retryAfter, now + clockDifference) ?? (isPlausible ? untilReset : undefined);
  const wait =
    asked === undefined
      ? Math.min(backoff * 2, minute)
      : Math.max(asked, rejections > 1 ? backoff : 0) + jitter;
  return {
    ...pace,
    pause: { ...pace.pause, until: Math.max(pace.pause.until, now + wait) },
    rejections,
    oneByOne: pace.recovery,
    recovery: isAnother ? pace.recovery * 2 : pace.recovery,
  };
}
