import { wasKilled } from '../../lib/record/cut-off.js';
import type { RunRecord } from '../../lib/record/record.js';
import { plans } from '../../lib/specification/plan.js';
import { groupBy } from '../text/group-by.js';
import { count, duration, integer } from '../text/quantity.js';

/** Milliseconds that a run took; none if the clock was set back meanwhile. */
export function elapsedMs({ startedAt, finishedAt }: RunRecord['run']): number {
  return Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
}

/** How many requests a run sent: `16 requests`. The record of a killed run was written before it knew. */
export function sentText({ run, requests }: Pick<RunRecord, 'run' | 'requests'>): string {
  return wasKilled({ run }) ? 'an unknown number of requests' : count(requests.sent, 'request');
}

/** `16 requests in 4.2 s, waited 1.8 s, standard profile, free plan, seed 7, version 0.1.0`. */
export function runFacts({ run, target, requests, suite }: RunRecord): string {
  return [
    `${sentText({ run, requests })} in ${duration(elapsedMs(run))}`,
    ...(requests.waitedMs >= 1_000 ? [`waited ${duration(requests.waitedMs)}`] : []),
    `${run.profile} profile`,
    ...planNamed(target),
    `seed ${run.seed}`,
    `version ${suite.version}`,
  ].join(', ');
}

/** How far the clocks differ; `milliseconds` is the target's clock minus ours. */
export function clockSentence(milliseconds: number | null): string {
  if (milliseconds === null) return 'The clock difference is unknown: no response had a Date header.';
  if (Math.abs(milliseconds) < 1_000) {
    return 'Clocks agree to within a second (the resolution of the Date header).';
  }
  const direction = milliseconds > 0 ? 'ahead' : 'behind';
  return `The clock of the target is ${duration(Math.abs(milliseconds))} ${direction}.`;
}

/** How many requests were sent again, and why; undefined if none was. */
export function retriesSentence({ requests: { repeated = [] } }: RunRecord): string | undefined {
  if (repeated.length === 0) return undefined;
  const were = repeated.length === 1 ? 'was' : 'were';
  const [[first] = [''], ...others] = [
    ...groupBy(repeated, ({ reason }) => reason.replace(/; sent again$/u, '')),
  ].toSorted(([, one], [, other]) => other.length - one.length);
  const more = others.length > 0 ? `; and ${count(others.length, 'other reason')}` : '';
  return `${count(repeated.length, 'request')} ${were} retried (${first}${more}).`;
}

/** `business plan`; nothing if nobody said which plan the key has. */
export function planNamed({ plan, planGiven }: RunRecord['target']): string[] {
  return planGiven === false ? [] : [`${plan} plan`];
}

/** The plan and its limits: as recorded, else as section 8 publishes them. */
export function planText({ plan, planGiven, ...recorded }: RunRecord['target']): string {
  if (planGiven === false) return 'not given; requests were paced as on the Free plan';
  const published = plan === 'enterprise' ? undefined : plans[plan];
  const perMinute = recorded.perMinute ?? published?.perMinute;
  const perDay = recorded.perDay ?? published?.perDay;
  if (perMinute === undefined || perDay === undefined) return `${plan}: limits as agreed`;
  return `${plan}: ${integer(perMinute)} requests a minute, ${integer(perDay)} a day`;
}
