import type { Course } from './course.js';
import { CourseEnded } from './course-ended.js';
import { dayUsedUp } from './day-used-up.js';
import { heldByOthers } from './held-by-others.js';
import { fullLimit, margin, noteRestoration, recover, roundingGrace, waitAfter } from './recover.js';
import { sharingWindow } from './same-window.js';
import { admitted, refused, type Seen } from './seen.js';
import type { Excused } from './window-use.js';

/** A window that is found fresh. */
export interface FreshWindow {
  /** Where in the history its first request stands. */
  readonly place: number;
  /** Admissions that it need not give, as the suite's own earlier requests may have used them up. */
  readonly excused: Excused;
  /** Requests with other keys that had been sent when it began. */
  readonly strangers: number;
  /** Requests of other clients that it held already: so much less is left than there has been, and the run sent none. */
  readonly others: number;
  /** The few requests of the suite's own since a window was used up last: a window that slides still holds them. */
  readonly light: readonly Seen[];
}

/** A sliding window is not announced in whole seconds; where it is coarser, Remaining says that it has to be waited on. */
const slidingGrace = 200;
/** How often a window is waited for before what is there has to do. */
const patience = 5;

/**
 * Finds a window with everything in it, waiting for one where that is needed.
 * @param quiet windows without any request that are waited for where the target tells nothing usable
 * @throws CourseEnded where none comes
 */
export async function openWindow(course: Course, needsMs: number, quiet: number): Promise<FreshWindow> {
  let look = quiet > 1 ? undefined : await recover(course);
  for (let attempt = 0; attempt < patience; attempt += 1) {
    if (!look) {
      course.session.resume('recovery');
      if (quiet > 1 && attempt === 0) await keepQuiet(course, quiet, needsMs);
      look = await course.look('LIMIT-01');
      noteRestoration(course, look);
    }
    const first = beginningOf(course, look);
    // Nothing of the suite's own is left in it: what is short now stays short, and each look more would weigh on it.
    if (quiet > 1 && attempt === 0 && admitted(look)) return opened(course, first);
    const until = notFreshUntil(course, look, { attempt, needsMs, whole: first !== look });
    if (until === undefined) return opened(course, first);
    course.session.resume('recovery');
    await course.waitUntil(until + margin, 'waiting for a fresh window');
    look = undefined;
  }
  const last = await course.look('LIMIT-01');
  noteRestoration(course, last);
  if (!refused(last)) return opened(course, last);
  throw new CourseEnded(
    'the target goes on refusing with 429, however long is waited for its window to reset',
  );
}

/** Puts what the run has sent before in the same window to the history; returns the first request of the window. */
function beginningOf(course: Course, look: Seen): Seen {
  const { session, options, windowMs } = course;
  const { earlier = [] } = options;
  if (session.history.length > 1) return look;
  const shared = sharingWindow({
    earlier,
    look,
    full: fullLimit(course, look),
    windowMs,
    showsMinute: (seen) => course.view(seen) === 'minute',
  });
  session.precede(shared);
  return shared[0] ?? look;
}

/** Lets windows pass without a request, and as much of one more as is too short to be used up. */
async function keepQuiet(course: Course, windows: number, needsMs: number): Promise<void> {
  const { windowMs } = course;
  const last = course.session.history.at(-1);
  const until = (last?.at ?? course.now) + windows * windowMs + roundingGrace;
  const reset = last && course.resetOf(last);
  const next = reset === undefined ? Infinity : reset + Math.ceil((until - reset) / windowMs) * windowMs;
  const quiet = next - until < needsMs ? next + roundingGrace : until;
  await course.waitUntil(quiet, 'waiting for a window that nothing of the suite is left in');
}

interface Opening {
  readonly attempt: number;
  readonly needsMs: number;
  /** The run knows all that has been sent in this window, from its beginning. */
  readonly whole: boolean;
}

/** Until when to wait for a fresh window; undefined where this is one, or as good as one. */
function notFreshUntil(course: Course, look: Seen, opening: Opening): number | undefined {
  const { attempt, needsMs, whole } = opening;
  const { windowMs } = course;
  const reset = course.resetOf(look);
  if (refused(look)) {
    const { until } = waitAfter(course, look);
    const { retryAfter } = look.told;
    if (retryAfter?.form === 'seconds' && retryAfter.seconds * 1000 > 5 * windowMs) {
      const spent = dayUsedUp(look, { plan: course.options.plan, windowMs });
      throw new CourseEnded(
        spent
          ? "the day's requests are used up"
          : `the key is over its limit, and the target asks to wait ${retryAfter.seconds.toLocaleString('en')} s (its day may be used up, or the key banned)`,
      );
    }
    // Told again to wait, one waits longer: exponential back-off (section 8.3), up to a window.
    return Math.max(until, look.at + Math.min(windowMs, 1_000 * 2 ** attempt));
  }
  const told = course.view(look) === 'minute' ? look.told.remaining : undefined;
  const slidGone = course.lastHeavy + windowMs + slidingGrace;
  const heavyGone = course.lastHeavy + windowMs + roundingGrace;
  if (told === undefined) return heavyGone > course.now ? heavyGone : unseenEnd(course, opening);
  // What the suite's own few looks may still use up of a sliding window is nothing to wait for.
  const looks = course
    .since(0)
    .filter((seen) => admitted(seen) && seen.sentAt > course.lastHeavy && seen !== look);
  const recent = looks.filter(({ at }) => at > look.sentAt - 2 * windowMs).length;
  const full = whole || told + 1 >= fullLimit(course, look) - Math.min(recent, 3);
  // A window that ends before it can be used up is no use; a refilling limiter's Reset is only a second ahead at first.
  const ending = reset !== undefined && reset - course.now < needsMs && attempt < 2;
  if (full && !ending) return undefined;
  if (full && reset !== undefined) return reset + roundingGrace;
  // Waited for, and short by the same again: it is all that comes.
  const previous = course.session.history.at(-2);
  if (attempt >= 2 && previous && admitted(previous) && previous.told.remaining === told) return undefined;
  const candidates = [reset === undefined ? undefined : reset + roundingGrace, slidGone].filter(
    (moment) => moment !== undefined && moment > course.now,
  ) as number[];
  if (candidates.length > 0) return attempt === 0 ? Math.min(...candidates) : Math.max(...candidates);
  return attempt < patience - 1 ? course.now + windowMs : undefined;
}

/**
 * Where the minute is not told, a window may end unseen: where the last `Retry-After` said that it does, or with the
 * minute of the target's clock. Until when to wait so that neither falls into the time needed; undefined: no need.
 */
function unseenEnd(course: Course, { attempt, needsMs }: Opening): number | undefined {
  if (attempt > 2) return undefined;
  const { windowMs, now } = course;
  const waited = course.recoveries.findLast(({ by }) => by === 'Retry-After');
  const seconds =
    waited?.refusal.told.retryAfter?.form === 'seconds' ? waited.refusal.told.retryAfter.seconds : undefined;
  const ends = [
    -course.ahead,
    ...(waited && seconds !== undefined ? [waited.refusal.at + seconds * 1000] : []),
  ];
  for (const end of ends) {
    const next = end + Math.ceil((now - end - 1_500) / windowMs) * windowMs;
    if (next - now < needsMs) return next + 1_500;
  }
  return undefined;
}

function opened(course: Course, look: Seen): FreshWindow {
  const place = course.session.history.indexOf(look);
  return {
    place,
    excused: excusedBefore(course, look, place),
    strangers: course.session.strangers,
    others: heldByOthers(look, {
      before: [...(course.options.earlier ?? []), ...course.session.history.slice(0, place)],
      full: fullLimit(course, look),
      windowMs: course.windowMs,
      strangersAt: course.session.strangersAt,
      showsMinute: (seen) => course.view(seen) === 'minute',
    }),
    light: course.session.history
      .slice(0, place)
      .filter((seen) => admitted(seen) && seen.sentAt > course.lastHeavy),
  };
}

/** What the suite's own earlier requests may still use up, where Remaining is short or does not tell. */
function excusedBefore(course: Course, look: Seen, place: number): Excused {
  const before = course.session.history.slice(0, place).filter(admitted);
  const began = (course.resetOf(look) ?? look.sentAt) - course.windowMs - roundingGrace;
  const since = Math.max(course.lastHeavy, began);
  const light = before.filter(({ sentAt }) => sentAt > since).length;
  if (course.view(look) !== 'minute' || look.told.remaining === undefined) {
    return { bySliding: light, inWindow: light };
  }
  const short = Math.max(0, fullLimit(course, look) - (look.told.remaining + 1));
  const own = before.filter(({ at }) => at > look.sentAt - 2 * course.windowMs).length;
  return { bySliding: Math.min(short, own), inWindow: Math.min(short, light) };
}
