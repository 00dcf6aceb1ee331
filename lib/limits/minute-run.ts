import { Course } from './course.js';
import { CourseEnded } from './course-ended.js';
import { dayUsedUp } from './day-used-up.js';
import { uncountedStatuses, type LimitEvidence } from './evidence.js';
import { openWindow, type FreshWindow } from './fresh-window.js';
import { othersPossible, othersShown } from './others-possible.js';
import { identify } from './identify.js';
import { lazily } from './lazily.js';
import { otherWindow } from './other-window.js';
import type { LimitRunOptions } from './limit-run.js';
import { measurementOf } from './measurement.js';
import { prepare, probeCosts } from './preparation.js';
import { clockDifferenceOf } from './target-clock.js';
import { isOnLoopback, refuseCreation, useInBurst, useInSequence, useMixed } from './use-window.js';
import { attempts, doubtOf, type Repeat } from './doubt.js';
import { admitted, refused, type Seen } from './seen.js';
import type { PlanMeasurement } from '../record/record.js';
import type { UseKind, WindowUse } from './window-use.js';

/** What a limit run of one plan gives. */
export interface MinuteRun {
  readonly evidence: LimitEvidence;
  readonly measurement: Omit<PlanMeasurement, 'requirements'>;
  /** Animals that it left in the store. */
  readonly created: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  /** Why it did not get to its end. */
  readonly stopped?: string;
  readonly notes: readonly string[];
  /** The requests of the window that was used up in sequence. */
  readonly inSequence: readonly Seen[];
}

/**
 * Measures one plan's minute: three windows used up, in sequence, by all operations in turn, and in a burst, and what
 * follows each 429. Between them it waits as the target says, so that a limiter with fixed windows takes two windows
 * and a few seconds. Never throws for what a target does; rejects with the signal's reason when it aborts and nothing
 * was measured yet.
 */
export async function measureMinute(options: LimitRunOptions): Promise<MinuteRun> {
  const course = new Course(options);
  let stopped: string | undefined;
  try {
    await follow(course);
  } catch (error) {
    if (error instanceof CourseEnded) stopped = error.message;
    else if (options.signal.aborted) stopped = 'the run was interrupted';
    else throw error;
  }
  const evidence = evidenceOf(course, stopped);
  return {
    evidence,
    measurement: measurementOf(options.plan, course.session.phases, evidence),
    created: course.session.created,
    notes: [...course.session.notes],
    inSequence: course.uses.sequence?.requests ?? [],
    ...(stopped === undefined ? {} : { stopped }),
  };
}

async function follow(course: Course): Promise<void> {
  const { otherCredential } = course.options;
  const { perMinute, perDay } = course.options.plan;
  if (perDay < windowsUsed * (perMinute + 1)) {
    throw new CourseEnded(
      `the plan's day (${perDay.toLocaleString('en')} requests) has no room for ${windowsUsed} windows of its minute (${perMinute.toLocaleString('en')})`,
    );
  }
  course.session.begin('opening');
  course.tell('window 1 of 3, in sequence');
  await useUp(course, 'sequence', useInSequence);
  await refuseCreation(course);
  if (otherCredential && usedUp(course)) {
    const request = course.session.list('LIMIT-08', [['limit', 1]], otherCredential);
    course.otherExhausted = await course.session.stranger(request);
  }
  course.tell('window 2 of 3, by all operations in turn');
  await useUp(course, 'mixed', useMixed);
  course.tell('window 3 of 3, in a burst');
  await useUp(course, 'burst', useInBurst);
  if (isOnLoopback(course)) return;
  course.tell('what errors cost, in a window of their own');
  await openWindow(course, 0, 1);
  course.session.begin('costs');
  await probeCosts(course);
}

/** Windows that are used up. */
const windowsUsed = 3;

/** Uses a window up, and again where what came of it allows no judgement. */
async function useUp(
  course: Course,
  kind: UseKind,
  use: (course: Course, fresh: FreshWindow) => Promise<WindowUse>,
): Promise<void> {
  let again: Repeat = { quiet: 1 };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const fresh = await openWindow(course, timeNeeded(course, kind), again.quiet);
    if (kind === 'mixed') await prepare(course, fresh);
    course.session.begin(kind);
    const result = await use(course, fresh);
    const evidence = evidenceOf(course, undefined);
    const endedByDay = result.requests.some((seen) => refused(seen) && dayUsedUp(seen, evidence));
    if (attempt > 1 && endedByDay && course.uses[kind]?.unfit === undefined) return;
    const doubt = doubtOf(result, evidence, attempt);
    course.uses[kind] = doubt && !doubt.judgeable ? { ...result, unfit: doubt.reason } : result;
    if (!doubt) return;
    course.session.notes.add(`The window used up in ${kind} was used up again: ${doubt.reason}.`);
    again = doubt.repeat;
  }
}

/** Milliseconds that a window has to last for it to be used up in it. */
function timeNeeded(course: Course, kind: UseKind): number {
  const { options, windowMs } = course;
  const each = isOnLoopback(course) ? 1 : 2.5;
  const sending = Math.min(windowMs / 5, Math.max(windowMs / 20, options.plan.perMinute * each));
  return kind === 'mixed' ? sending + windowMs / 12 : sending;
}

/** Whether the key's window is used up at this moment, so that another key can be tried beside it. */
function usedUp({ uses, session }: Course): boolean {
  const last = session.history.at(-1);
  return uses.sequence !== undefined && last !== undefined && !admitted(last);
}

function evidenceOf(course: Course, stopped: string | undefined): LimitEvidence {
  const { options, session, windowMs } = course;
  const { plan, readOnly } = options;
  const difference = clockDifferenceOf(session.history);
  const uncounted = uncountedStatuses(course.costs);
  const known = {
    plan,
    windowMs,
    history: session.history,
    strangersAt: session.strangersAt,
    earlier: options.earlier ?? [],
    uses: course.uses,
    recoveries: course.recoveries,
    difference,
  };
  const watched = { ...known, uncounted };
  const disturbed = lazily(() => othersPossible(watched));
  const compared = { plan, windowMs, difference, uncounted };
  const identification = identify(session.history, { ...compared, disturbed });
  return {
    ...known,
    readOnly,
    identification,
    othersShown: () => othersShown(watched),
    othersPossible: disturbed,
    otherWindow: lazily(() =>
      identification.contradicted ? otherWindow(session.history, compared) : undefined,
    ),
    restorations: course.restorations,
    refusedCreations: course.refusedCreations,
    control: course.control,
    listings: course.listings,
    other: {
      given: options.otherCredential !== undefined,
      exhausted: course.otherExhausted,
      control: course.otherControl,
    },
    costs: course.costs,
    stopped,
  };
}
