import type { Course } from './course.js';
import type { FreshWindow } from './fresh-window.js';
import { admitted, type Seen } from './seen.js';
import { isOnLoopback, keepCreations } from './use-window.js';

/** Requests of a minute that leave room for all of this part, and for its least. */
const needed = 14;
const least = 6;
/** An identifier that nothing has (GET-02). */
const unknownId = '9223372036854775807';

/**
 * At the beginning of a fresh window, before it is used up: a control for the refused creation (LIMIT-07), what errors
 * cost (LIMIT-13), and pauses in which a limiter that refills shows it (LIMIT-11). The pauses also take the next 429
 * away from the window's beginning, where a constant Retry-After or a drifting Reset could not be told from right ones.
 */
export async function prepare(course: Course, fresh: FreshWindow): Promise<void> {
  const room = course.options.plan.perMinute - fresh.excused.bySliding;
  if (room < least) return;
  course.session.begin('preparation');
  if (course.otherExhausted?.status === 429) await controlOther(course);
  await controlCreation(course);
  if (room < needed) {
    await showControl(course);
    return;
  }
  await pause(course);
  await showControl(course);
  // Elsewhere a window gets no more than the figure and one: errors that cost nothing would hide what is admitted.
  if (isOnLoopback(course)) await probeCosts(course);
  await pause(course);
  if (!(await showControl(course))) await course.look('LIMIT-11');
}

async function pause(course: Course): Promise<void> {
  await course.waitUntil(
    course.now + course.windowMs / 28,
    'letting time pass to see whether requests come back',
  );
}

/** The second key was refused while the first was used up: is it served now that the first is not? */
async function controlOther(course: Course): Promise<void> {
  const { otherCredential } = course.options;
  if (!otherCredential) return;
  course.otherControl = await course.session.stranger(
    course.session.list('LIMIT-08', [['limit', 1]], otherCredential),
  );
}

async function controlCreation(course: Course): Promise<void> {
  const { session, options } = course;
  if (options.readOnly) return;
  const { request, name } = session.create('LIMIT-07', options.quietStatus);
  const sent = await session.send([request]);
  keepCreations(course, sent, { names: new Map([[request, name]]), status: options.quietStatus });
  const [seen] = sent.requests;
  if (seen) course.control = { name, seen };
}

/** Lists the animals of the control's status; true where nothing was to be seen, or it was sent. */
async function showControl(course: Course): Promise<boolean> {
  const status = course.options.quietStatus;
  if (!course.control || course.refusedCreations.length === 0) return false;
  const seen = await course.look('LIMIT-07', [
    ['limit', 100],
    ['status', status],
  ]);
  course.listings.push({ status, seen });
  return true;
}

/** Sends one request of each kind of error between two listings, which tell what it used up. */
export async function probeCosts(course: Course): Promise<void> {
  const { session, options } = course;
  let before = await course.look('LIMIT-13');
  const between = async (subject: string, send: () => Promise<Seen>): Promise<void> => {
    const seen = await send();
    const after = await course.look('LIMIT-13');
    course.costs.push({ subject, seen, cost: costOf(course, before, after) });
    before = after;
  };
  if (!options.readOnly) {
    await between('400 (a body without name)', () =>
      session.one(session.createFrom('LIMIT-13', '{"categoryId":1}')),
    );
  }
  await between('404 (an unknown animal)', () => session.one(session.get('LIMIT-13', unknownId)));
  await between('401 (an unknown key)', () =>
    session.stranger(session.list('LIMIT-13', [['limit', 1]], options.unknownCredential)),
  );
}

function costOf(course: Course, before: Seen, after: Seen): number | undefined {
  const told = [before.told.remaining, after.told.remaining] as const;
  if (told[0] === undefined || told[1] === undefined) return undefined;
  if (!admitted(before) || !admitted(after) || course.view(before) !== course.view(after)) return undefined;
  return told[0] - told[1] - 1;
}
