import type { Course } from './course.js';
import { admitted, refused, type Seen } from './seen.js';

/** Milliseconds by which a request is sent later than it could be: timers and clocks are no better. */
export const margin = 40;
/** Section 8 leaves open which way Reset is rounded; a second covers either. */
export const roundingGrace = 1_000;
/** Milliseconds between Reset and Retry-After that no rounding and no refused request explains. */
const longAfter = 7_000;
/** Milliseconds for which Reset has to have stood still to be a promise, and from which on a 429 has moved it. */
const stoodStill = 3_000;
const moved = 2_000;

/**
 * Waits until a 429 may be followed by another request: as long as `Retry-After` says, else until Reset, else a whole
 * window. Then asks once, which shows whether the target kept its word (LIMIT-05, LIMIT-14).
 */
export async function recover(course: Course): Promise<Seen | undefined> {
  const last = course.lastRefusal();
  if (!last || course.recoveries.some((recovery) => recovery.refusal === last)) return undefined;
  course.session.begin('recovery');
  const refusal = (await lookAtReset(course, last)) ?? last;
  const { by, until } = waitAfter(course, refusal);
  await course.waitUntil(
    until + margin,
    by === 'Retry-After' ? 'waiting as Retry-After says' : 'waiting for the window to reset',
  );
  const { history } = course.session;
  const meanwhile = history.slice(history.indexOf(refusal) + 1);
  const look = await course.look('LIMIT-05');
  // Where the time had passed before, the first request after it was another one, and may have used up what came back.
  const first = meanwhile.some(admitted) ? meanwhile.find(({ sentAt }) => sentAt >= until) : look;
  if (first) course.recoveries.push({ refusal, by, look: first });
  noteRestoration(course, look);
  return look;
}

/**
 * Where Retry-After names a time after Reset, one request just after Reset shows whether that was kept (LIMIT-14). Of the
 * Reset beside it that is so from a while on: refused requests may have pushed Retry-After back a little, where they are
 * counted too. Returns what refused that request.
 */
async function lookAtReset(course: Course, refusal: Seen): Promise<Seen | undefined> {
  if (course.restorations.some(({ look }) => look.exchange.purpose === 'LIMIT-14')) return undefined;
  const { until } = waitAfter(course, refusal);
  const promised = promisedBefore(course, refusal);
  const announced = promised ?? refusal;
  const reset = course.resetOf(announced);
  if (reset === undefined || reset < refusal.at) return undefined;
  // The clocks are known to a second when little was asked.
  const moment = reset + 2 * roundingGrace;
  if (moment > until - (promised ? margin : longAfter)) return undefined;
  await course.waitUntil(moment, 'waiting for Reset, which is before Retry-After');
  const look = await course.look('LIMIT-14');
  noteRestoration(course, look, announced);
  return refused(look) ? look : undefined;
}

/** The last answer before the limit was used up, where its Reset had stood still for a while and the 429 moved it on. */
function promisedBefore(course: Course, refusal: Seen): Seen | undefined {
  const { history } = course.session;
  const last = history.slice(0, history.indexOf(refusal)).findLastIndex(admitted);
  const [promised, first] = [history[last], history[last + 1]];
  const reset = promised && course.resetOf(promised);
  const movedTo = first && course.resetOf(first);
  if (!promised || reset === undefined || movedTo === undefined) return undefined;
  if (movedTo - reset <= moved) return undefined;
  const begin = history.slice(0, last).findLastIndex((seen) => {
    const told = course.resetOf(seen);
    return !admitted(seen) || told === undefined || Math.abs(told - reset) > roundingGrace;
  });
  const since = history[begin + 1];
  const stood = since !== undefined && promised.sentAt - since.sentAt >= stoodStill;
  return stood ? promised : undefined;
}

/** How long a 429 says to wait, and by what; where it says nothing that can be kept, a whole window. */
export function waitAfter(
  course: Course,
  refusal: Seen,
): { by: 'Retry-After' | 'Reset' | 'window'; until: number } {
  const { retryAfter } = refusal.told;
  const window = course.windowMs;
  const asked =
    retryAfter?.form === 'seconds'
      ? refusal.at + retryAfter.seconds * 1000
      : retryAfter?.form === 'date'
        ? retryAfter.date - course.ahead + dateUncertainty(course, refusal)
        : undefined;
  // A wait of 0 or of hours is a fault of its own (LIMIT-04), and no wait to be kept.
  if (asked !== undefined && asked - refusal.at >= 1 && asked - refusal.at <= window + 2_500) {
    return { by: 'Retry-After', until: asked };
  }
  const reset = course.resetOf(refusal);
  if (reset !== undefined && reset > refusal.at && reset - refusal.at <= window + 2_500) {
    return { by: 'Reset', until: reset + roundingGrace };
  }
  return { by: 'window', until: refusal.at + window + roundingGrace };
}

/** A date is by the target's clock, which is known to a second at first and better later. */
function dateUncertainty(course: Course, refusal: Seen): number {
  const { date, retryAfter } = refusal.told;
  if (date === undefined || retryAfter?.form !== 'date') return 0;
  // Counted from the answer's own Date the wait can only be too long, by less than a second.
  return Math.max(0, refusal.at + (retryAfter.date - date) - (retryAfter.date - course.ahead));
}

/**
 * Keeps the first request after an announced Reset as evidence for LIMIT-14. What counts is the announcement of the
 * first 429: a limiter that announces another time with each further one has not kept it.
 */
export function noteRestoration(course: Course, look: Seen, promised?: Seen): void {
  const { history } = course.session;
  const refusal = history.find((request) => refused(request) && request.at >= course.lastHeavy);
  if (!refusal || refusal === look) return;
  // A 429 may leave the headers out; then the last answer before it told the window's end.
  const announced =
    promised ??
    history
      .slice(0, history.indexOf(refusal) + 1)
      .findLast((request) => course.resetOf(request) !== undefined);
  const reset = announced && course.resetOf(announced);
  if (!announced || reset === undefined) return;
  if (course.restorations.some((restoration) => restoration.announced === announced)) return;
  const own = history.slice(history.indexOf(refusal) + 1, history.indexOf(look) + 1).filter(admitted).length;
  // What has come back before the announced time will be there at it.
  if (look.sentAt < reset + roundingGrace && !looksRestored(course, look, own)) return;
  course.restorations.push({ announced, look, own });
}

function looksRestored(course: Course, look: Seen, own: number): boolean {
  return (
    admitted(look) &&
    look.told.remaining !== undefined &&
    look.told.remaining + own >= fullLimit(course, look)
  );
}

/** What Remaining and the request that told it make together in a window that nobody else has used. */
export function fullLimit(course: Course, { told }: Seen): number {
  const { perMinute } = course.options.plan;
  return told.limit === undefined ? perMinute : Math.min(perMinute, told.limit);
}
