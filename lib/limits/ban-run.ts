import type { RequirementResult } from '../record/record.js';
import { Inconclusive } from '../verdict/outcome.js';
import { Judgement } from '../verdict/judgement.js';
import { Course } from './course.js';
import { CourseEnded } from './course-ended.js';
import { openWindow } from './fresh-window.js';
import type { LimitRunOptions } from './limit-run.js';
import { answerOf, refused, type Seen } from './seen.js';
import { isOnLoopback, useInSequence } from './use-window.js';

/** Requests sent on after the first 429; on a target that is not this machine one a second, as a stubborn client would. */
const ignoring = 20;
/** Windows for which a refusal that outlasts its Retry-After is followed. */
const patience = 5;

/**
 * LIMIT-12: uses a window up with a key that was given for it, goes on sending though it is told to wait, and observes
 * what the target does (section 8.3: the key may be banned for a time). Only on a key that may be lost.
 */
export async function observeBan(options: LimitRunOptions): Promise<RequirementResult> {
  const judgement = new Judgement('LIMIT-12');
  const course = new Course(options);
  try {
    await provoke(course, judgement);
    return judgement.result();
  } catch (error) {
    if (error instanceof Inconclusive) return judgement.result(error);
    if (error instanceof CourseEnded) return judgement.result(new Inconclusive(error.message));
    if (options.signal.aborted) return judgement.result(new Inconclusive('the run was interrupted'));
    throw error;
  }
}

async function provoke(course: Course, judgement: Judgement): Promise<void> {
  const { session, windowMs, options } = course;
  session.begin('ban');
  const fresh = await openWindow(course, windowMs / 4, 1);
  await useInSequence(course, fresh);
  const first = course.lastRefusal();
  if (!first) throw new Inconclusive('no 429 was seen that could be ignored');
  const ignored: Seen[] = [];
  for (let sent = 0; sent < ignoring; sent += 1) {
    if (!isOnLoopback(course)) await options.clock.sleep(1_000, options.signal);
    ignored.push(await session.one(session.list('LIMIT-12')));
  }
  const changed = ignored.find(({ status, told }) => status !== 429 || waits(told) > waits(first.told) + 5);
  judgement.observe(
    `${ignored.length} requests in spite of a 429`,
    changed
      ? describeChange(first, changed, ignored.indexOf(changed) + 1)
      : 'each is refused with 429 as the first one was',
    answerOf(changed ?? first),
  );
  await followBan(course, judgement, ignored.at(-1) ?? first);
}

/** Waits as the last refusal says, and sees whether that is enough. */
async function followBan(course: Course, judgement: Judgement, last: Seen): Promise<void> {
  const { session, windowMs } = course;
  const began = last.at;
  let latest = last;
  for (let windows = 0; windows < patience; windows += 1) {
    const wait = waits(latest.told) * 1_000;
    if (wait > patience * windowMs) break;
    const pause = Math.max(0, latest.at + (wait > 0 ? wait : windowMs) + 100 - course.now);
    course.tell(`waiting to see whether the key is served again, ${Math.ceil(pause / 1000)} s`);
    await course.options.clock.sleep(pause, course.options.signal);
    latest = await session.one(session.list('LIMIT-12'));
    if (!refused(latest) && latest.status !== 401 && latest.status !== 403) break;
  }
  const after = Math.round((latest.at - began) / 1000);
  const served = !refused(latest) && latest.status !== null && latest.status < 400;
  judgement.observe(
    'the key afterwards',
    served
      ? `is served again after ${after} s`
      : `is still refused with ${latest.status ?? 'no answer'} after ${after} s${latest.told.retryAfter ? `, Retry-After: ${latest.told.retryAfter.text}` : ''}`,
    answerOf(latest),
  );
}

function waits({ retryAfter }: Seen['told']): number {
  return retryAfter?.form === 'seconds' ? retryAfter.seconds : 0;
}

function describeChange(first: Seen, changed: Seen, number: number): string {
  if (changed.status === 429) {
    return `from the ${number}th on, Retry-After is ${waits(changed.told)} s in the place of ${waits(first.told)} s: the key is banned for a time`;
  }
  return `the ${number}th is answered with ${changed.status ?? 'nothing'} in the place of 429`;
}
