import { wasKilled } from '../../lib/evidence/record/cut-off.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { plans } from '../../lib/specification/plan.js';
import { groupBy } from '../text/group-by.js';
import { count, duration, integer, moment } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import { leftoversText } from './leftovers.js';
import { isLoad } from './load-summary.js';
import { known, type Fact } from './part.js';

/** Milliseconds that a run took; none if the clock was set back meanwhile. */
export function elapsedMs({ startedAt, finishedAt }: RunRecord['run']): number {
  return Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
}

/** Run, target and build in a line: `2026-03-02-staging · https://… · free plan · petstore-conformance 0.1.0 · …`. */
export function runLine(record: RunRecord): string {
  const { run, target, suite, requests } = record;
  // The record of a killed run was written before it knew.
  const sent = wasKilled(record) ? 'an unknown number of requests' : count(requests.sent, 'request');
  return [
    run.id,
    target.baseUrl,
    ...(target.planGiven === false ? [] : [`${target.plan} plan`]),
    `${suite.name} ${suite.version}`,
    `${sent} in ${duration(elapsedMs(run))}`,
  ].join(' · ');
}

/** Who was tested, when and by what, and what the run rests on, as far as the record tells: for every format. */
export function runFacts(record: RunRecord): Fact[] {
  const { run, suite, target, leftovers } = record;
  const { environment, waivers, traffic, options } = run;
  const description = options?.description;
  const isKilled = wasKilled(record);
  const readOnly = target.readOnly ? ', read-only: nothing was created' : '';
  return known([
    ['Target', `${target.name}, ${target.baseUrl}${readOnly}`],
    ['Plan', planText(target)],
    ['Started', moment(run.startedAt)],
    ['Finished', isKilled ? 'not known' : `${moment(run.finishedAt)}, after ${duration(elapsedMs(run))}`],
    ['Requests', isKilled ? 'not known' : requestsText(record)],
    ['Suite', `${suite.name} ${suite.version}`],
    ['Profile', isLoad(record) ? undefined : `${run.profile}${run.strict ? ', strict: warnings fail' : ''}`],
    ['Limits', isLoad(record) ? undefined : run.limits],
    ['Seed', String(run.seed)],
    ['Run', run.id],
    ['Command', run.command],
    ['Clocks', clockText(target.clockDifferenceMs)],
    ['Left behind', leftovers.length > 0 ? leftoversText(leftovers) : isKilled ? 'not known' : 'nothing'],
    ['Retries', retriesText(record)],
    ['Made on', environment && `Node ${environment.node}, ${environment.platform}`],
    ['Traffic', traffic && `${fileText(traffic)}, recorded by ${traffic.tool || 'an unnamed program'}`],
    ['Left out', traffic && countsText(traffic.leftOut)],
    ['Waivers', waivers && fileText(waivers)],
    ['Description', description && fileText({ file: description.source, sha256: description.sha256 })],
  ]);
}

function requestsText({ requests: { sent, byOperation, waitedMs } }: RunRecord): string {
  return [
    `${count(sent, 'request')} (${countsText(byOperation) || 'none'})`,
    ...(waitedMs >= 1 ? [`the run waited ${duration(waitedMs)} for the limit`] : []),
  ].join('; ');
}

function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, number]) => `${integer(number)} ${name}`)
    .join(', ');
}

/** How far the clocks differ; `milliseconds` is the target's clock minus ours. */
export function clockText(milliseconds: number | null): string {
  if (milliseconds === null) return 'unknown: no response had a Date header';
  if (Math.abs(milliseconds) < 1_000) return 'agree to within a second (the resolution of the Date header)';
  return `the target is ${duration(Math.abs(milliseconds))} ${milliseconds > 0 ? 'ahead' : 'behind'}`;
}

/** How many requests were sent again, and why; undefined if none was. */
export function retriesText({ requests: { repeated = [] } }: RunRecord): string | undefined {
  const byReason = groupBy(repeated, ({ reason }) => reason.replace(/; sent again$/u, ''));
  return (
    [...byReason].map(([reason, all]) => `${count(all.length, 'request')}: ${reason}`).join('; ') || undefined
  );
}

/** What changed since the previous run, by how; undefined if there was none, or nothing changed. */
export function sincePreviousSentence({ previous }: Pick<RunRecord, 'previous'>): string | undefined {
  if (!previous) return undefined;
  const { broke, fixed, otherwise } = previous;
  const texts = Object.entries({ broke, fixed, 'newly or no longer judged': otherwise }).flatMap(
    ([how, ids]) => (ids.length > 0 ? [`${how}: ${requirementRanges(ids)}`] : []),
  );
  return texts.length === 0 ? undefined : `Since ${moment(previous.startedAt)} ${texts.join('; ')}.`;
}

/** The plan and its limits: as recorded, else as section 8 publishes them. */
export function planText({ plan, planGiven, ...recorded }: RunRecord['target']): string {
  if (planGiven === false) return 'not given; requests were paced as on the Free plan';
  const { perMinute, perDay } = { ...(plan === 'enterprise' ? {} : plans[plan]), ...recorded };
  if (perMinute === undefined || perDay === undefined) return `${plan}: limits as agreed`;
  return `${plan}: ${integer(perMinute)} requests a minute, ${integer(perDay)} a day`;
}

function fileText({ file, sha256 }: { readonly file: string; readonly sha256?: string | undefined }): string {
  return sha256 === undefined ? file : `${file} (sha256:${sha256})`;
}
