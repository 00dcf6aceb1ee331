import { type RunRecord, wasKilled } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { count, duration, type Fact, groupBy, integer, known, moment, requirementRanges } from '../text.js';
import { isLoad } from './load-summary.js';

/** Milliseconds that a run took; none if the clock was set back meanwhile. */
export function elapsedMs({ startedAt, finishedAt }: RunRecord['run']): number {
  return Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
}

/** Run, target and build in a line: `2026-03-02-staging · https://… · free plan · petstore-conformance 0.1.0 · …`. */
export function runLine(record: RunRecord): string {
  const { run, target, suite, requests } = record;
  // The record of a killed run was written before it knew.
  const sent = wasKilled(record) ? 'an unknown number of requests' : count(requests.sent, 'request');
  const plan = target.planGiven === false ? [] : [`${target.plan} plan`];
  const took = `${sent} in ${duration(elapsedMs(run))}`;
  return [run.id, target.baseUrl, ...plan, `${suite.name} ${suite.version}`, took].join(' · ');
}

/** Who was tested, when and by what, and what the run rests on, as far as the record tells: for every format. */
export function runFacts(record: RunRecord): Fact[] {
  const { run, suite, target, requests, leftovers } = record;
  const { environment, waivers, traffic, options } = run;
  const { source, sha256 } = options?.description ?? {};
  const isKilled = wasKilled(record);
  const byReason = groupBy(requests.repeated ?? [], ({ reason }) => reason.replace(/; sent again$/u, ''));
  const retries = [...byReason].map(([reason, all]) => `${count(all.length, 'request')}: ${reason}`);
  const readOnly = target.readOnly ? ', read-only: nothing was created' : '';
  const waited =
    requests.waitedMs >= 1 ? `; the run waited ${duration(requests.waitedMs)} for the limit` : '';
  const sent = `${integer(requests.sent)} (${countsText(requests.byOperation) || 'none'})${waited}`;
  return known([
    ['Target', `${target.name}, ${target.baseUrl}${readOnly}`],
    ['Plan', planText(target)],
    ['Started', moment(run.startedAt)],
    ['Finished', isKilled ? 'not known' : `${moment(run.finishedAt)}, after ${duration(elapsedMs(run))}`],
    ['Requests', isKilled ? 'not known' : sent],
    ['Suite', `${suite.name} ${suite.version}`],
    ['Profile', isLoad(record) ? undefined : `${run.profile}${run.strict ? ', strict: warnings fail' : ''}`],
    ['Limits', isLoad(record) ? undefined : run.limits],
    ['Seed', String(run.seed)],
    ['Run', run.id],
    ['Command', run.command],
    ['Clocks', clockText(target.clockDifferenceMs)],
    ['Left behind', leftoversText(leftovers) ?? (isKilled ? 'not known' : 'nothing')],
    ['Retries', retries.join('; ')],
    ['Made on', environment && `Node ${environment.node}, ${environment.platform}`],
    ['Traffic', traffic && `${traffic.file}, recorded by ${traffic.tool || 'an unnamed program'}`],
    ['Left out', traffic && countsText(traffic.leftOut)],
    ['Waivers', waivers && `${waivers.file} (sha256:${waivers.sha256})`],
    ['Description', source && (sha256 === undefined ? source : `${source} (sha256:${sha256})`)],
  ]);
}

function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, number]) => `${integer(number)} ${name}`)
    .join(', ');
}

/** `116 animals, such as 1017 (pc1f6 Rex)`; undefined if there are none. Most names begin with the marker of the run. */
export function leftoversText([first, ...others]: RunRecord['leftovers']): string | undefined {
  return first && `${count(others.length + 1, 'animal')}, such as ${first.id} (${clip(first.name, 40)})`;
}

/** How far the clocks differ; `milliseconds` is the target's clock minus ours. */
function clockText(milliseconds: number | null): string {
  if (milliseconds === null) return 'unknown: no response had a Date header';
  if (Math.abs(milliseconds) < 1_000) return 'agree to within a second (the resolution of the Date header)';
  return `the target is ${duration(Math.abs(milliseconds))} ${milliseconds > 0 ? 'ahead' : 'behind'}`;
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

function planText({ plan, planGiven, perMinute, perDay }: RunRecord['target']): string {
  if (planGiven === false) return 'not given; requests were paced as on the Free plan';
  if (perMinute === undefined || perDay === undefined) return plan;
  return `${plan}: ${integer(perMinute)} requests a minute, ${integer(perDay)} a day`;
}
