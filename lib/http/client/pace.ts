import type { Exchange } from '../../evidence/exchange.js';
import type { Plan } from '../../specification/plan.js';
import { waitOf } from '../headers/rate-headers.js';

/** What a run may do to its target. */
export interface Terms {
  readonly plan: Plan;
  /** Requests that may be under way at once. */
  readonly concurrency: number;
  /** Requests are not paced until a limit in a header or a 429 tells of a limiter. */
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
/** Milliseconds that a run waits in one go: a minute's window, twice. If it is asked to wait longer, it ends. */
export const longestWait = 2 * minute;
/** Milliseconds by which requests sent a minute apart may arrive closer together. */
const jitter = 50;
/** What lacks to a number of requests, and one more, may come back more slowly than the plan allows evenly. */
const moreThanEvenly = 1.25;
/** So often in a row it is believed that nothing remains. */
const mostTimesBelieved = 15;
/** Milliseconds by which the end of a window may be rounded down. */
const roundingGrace = 1_000;

/**
 * What is known of the limiter of one caller. The client waits after a 429, because it has sent what the plan allows, or,
 * behind that, for what Remaining lacks.
 */
export type Pace = Readonly<ReturnType<typeof freshPace>>;

export function freshPace({ plan: { perMinute }, untilLimited }: Terms) {
  return {
    /** When the last requests were sent, as many as the plan allows in a minute; of another sender's, those that were admitted. */
    sentAt: [] as readonly number[],
    /** Requests that the plan allows in a minute; without end until a limiter is known. */
    perMinute: untilLimited ? Number.POSITIVE_INFINITY : perMinute,
    /** The end of the wait that a 429 asked for; and of one to a request of the client's own. */
    pausedUntil: 0,
    surprisedUntil: 0,
    /** What the last response said to remain, once the plan's minute was used up: a limiter that slides counts more than one. */
    left: Number.POSITIVE_INFINITY,
    /** When it was said: what was under way then, and comes later, may tell of an earlier moment. */
    toldAt: 0,
    /** How often in a row that was nothing. */
    nothingLeft: 0,
  };
}

/** The pause before so many requests may be sent together. */
export function pauseBefore(pace: Pace, now: number, requests: number, { planOption }: Terms): Pause {
  const { sentAt, perMinute, pausedUntil } = pace;
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
  const lacking = pace.nothingLeft <= mostTimesBelieved ? Math.max(0, wanted - pace.left) : 0;
  const spread = isCareful(pace, now) ? wanted : lacking > 0 ? 1 + lacking * moreThanEvenly : 0;
  return { until: (sentAt.at(-1) ?? 0) + (spread * minute) / perMinute, reason: '' };
}

/** For a minute after the wait that a 429 of its own asked for, requests go one by one, spread evenly. */
function isCareful({ surprisedUntil }: Pace, now: number): boolean {
  return now < surprisedUntil + minute;
}

/** Requests that may be under way at once. */
export function mostAtOnce(pace: Pace, now: number): number {
  return isCareful(pace, now) ? 1 : Math.max(1, pace.left);
}

export function afterSending(pace: Pace, now: number, requests: number): Pace {
  const sentAt = [...pace.sentAt, ...Array<number>(requests).fill(now)];
  return { ...pace, sentAt: sentAt.slice(-pace.perMinute) };
}

/** What an exchange tells of the limiter. @param before how often the same request was rejected before */
export function afterExchange(
  pace: Pace,
  now: number,
  exchange: Exchange,
  before: number,
  { plan, planOption }: Terms,
): Pace {
  const { limit, remaining } = exchange.rate;
  const isLimited = exchange.status === 429;
  if (!isLimited && limit === undefined) return pace;
  const allowed = Number.isFinite(pace.perMinute) ? pace.perMinute : plan.perMinute;
  // A plan that was not given allows at least what the target reports.
  const perMinute = planOption === undefined ? allowed : Math.max(allowed, limit ?? 0);
  const isTold = remaining !== undefined && pace.sentAt.length >= perMinute;
  const mostLeft = exchange.sentAt < pace.toldAt ? pace.left : Number.POSITIVE_INFINITY;
  const left = isTold ? Math.min(remaining, mostLeft) : pace.left;
  const nothingLeft = left > 0 ? 0 : pace.nothingLeft + Number(!isCareful(pace, now));
  const known = { ...pace, perMinute, left, toldAt: isTold ? now : pace.toldAt, nothingLeft };
  if (!isLimited) return known;
  const wait = Math.min(waitAfter(exchange, now, before), longestWait);
  return { ...known, pausedUntil: Math.max(pace.pausedUntil, now + wait) };
}

/** Milliseconds to wait after a 429, longer each time that one request meets it. */
export function waitAfter({ rate }: Exchange, now: number, before: number): number {
  const backoff = 1_000 * 2 ** before;
  // Moments are compared with the target's clock, which may be wrong.
  const { retryAfter, resetAt = 0, date = now } = rate;
  const untilReset = resetAt - date + roundingGrace;
  const isPlausible = untilReset > 0 && untilReset <= longestWait;
  const asked = waitOf(retryAfter, date) ?? (isPlausible ? untilReset : undefined);
  if (asked === undefined) return Math.min(backoff * 2, minute);
  return Math.max(asked, before > 0 ? backoff : 0) + jitter;
}
