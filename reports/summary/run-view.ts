import { type RunRecord, wasKilled } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { printableDeep } from '../../lib/explain/printable.js';
import {
  count,
  duration,
  type Fact,
  groupBy,
  integer,
  known,
  moment,
  type Part,
  requirementRanges,
} from '../text.js';
import { classFacts, isNotJudged, outcomes, selectedResults, verdictText } from './outcomes.js';
import { isLoad, limitPart, loadPart } from './measurements.js';
import { runCauses, type RunCause } from './run-causes.js';
import { headline, verdictOf } from './verdict-sentences.js';

/** What every format says of a run; a format only lays it out. */
export type RunView = ReturnType<typeof viewOf>;

/** Text from the target is made printable here, for all formats. */
export function viewOf(recorded: RunRecord) {
  const record = printableDeep(recorded);
  const { run, target, suite, waiverProblems = [], plans = [] } = record;
  const causes = runCauses(record);
  const stopped = run.complete ? undefined : (run.stopped ?? 'no reason is known');
  const problems = known([
    ['The run did not finish', stopped],
    ...waiverProblems.map((problem) => ['Waiver', problem] as const),
  ]);
  const elsewhere = (run.waivers?.ofOtherTargets ?? []).join(', ');
  const news = known([
    ...(record.notes ?? []).map((note) => ['Note', note] as const),
    ['Note', elsewhere && `Waivers of another target, not used: ${elsewhere}.`],
    ['Changed', sincePreviousSentence(record)],
  ]);
  // The record of a killed run was written before it knew.
  const sent = wasKilled(record) ? 'an unknown number of requests' : count(record.requests.sent, 'request');
  const plan = target.planGiven === false ? [] : [`${target.plan} plan`];
  const took = `${sent} in ${duration(elapsedMs(run))}`;
  const judged: Part[] = [
    { title: '', facts: classFacts(record) },
    { title: 'Not judged', facts: notJudgedFacts(record, causes) },
    ...plans.map(limitPart),
    { title: '', facts: [...known([['Left behind', leftoversText(record.leftovers)]]), ...news] },
  ];
  return {
    record,
    ...verdictOf(record),
    headline: headline(record),
    /** What spoils the run beside its requirements: it did not finish, a waiver does not fit. */
    problems,
    /** What is not as in every run. */
    news,
    causes,
    /** What is told behind the causes, and before the facts of the run itself. */
    parts: isLoad(record) ? [loadPart(record)] : judged.filter(({ facts }) => facts.length > 0),
    line: [run.id, target.baseUrl, ...plan, `${suite.name} ${suite.version}`, took].join(' · '),
    facts: runFacts(record),
  };
}

/** What was not judged of the selected classes, and is not named by a cause, by its reason: the inconclusive first. */
function notJudgedFacts(record: RunRecord, causes: readonly RunCause[]): Fact[] {
  const named = new Set(causes.flatMap(({ leftOpen }) => leftOpen));
  const others = selectedResults(record).filter((result) => !named.has(result));
  return outcomes.filter(isNotJudged).flatMap((verdict) => {
    const own = others.filter((result) => result.verdict === verdict);
    const byReason = groupBy(own, ({ reason = 'no reason was recorded' }) => reason);
    return [...byReason].map(([reason, group]): Fact => {
      // What the user left out needs no list of ids.
      const ids = clip(requirementRanges(group.map(({ id }) => id)), 160);
      const which = reason.startsWith('not selected') ? '' : ` (${ids})`;
      return [`${group.length} ${verdictText(verdict)}`, `${clip(reason, 240)}${which}`];
    });
  });
}

/** Milliseconds that a run took; none if the clock was set back meanwhile. */
export function elapsedMs({ startedAt, finishedAt }: RunRecord['run']): number {
  return Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
}

/** Who was tested, when and by what, and what the run rests on, as far as the record tells: for every format. */
function runFacts(record: RunRecord): Fact[] {
  const { run, suite, target, requests, leftovers } = record;
  const { environment, waivers, traffic, options } = run;
  const { source, sha256 } = options?.description ?? {};
  const clock = target.clockDifferenceMs;
  const ahead = `the target is ${duration(Math.abs(clock ?? 0))} ${Number(clock) < 0 ? 'behind' : 'ahead'}`;
  const isKilled = wasKilled(record);
  const retries = groupBy(requests.repeated ?? [], ({ reason }) => reason.replace(/; sent again$/u, ''));
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
    ['Clocks', clock === null ? 'unknown: no response had a Date header' : `${ahead}, to within a second`],
    ['Left behind', leftoversText(leftovers) ?? (isKilled ? 'not known' : 'nothing')],
    ['Retries', Array.from(retries, ([why, all]) => `${count(all.length, 'request')}: ${why}`).join('; ')],
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
function leftoversText([first, ...others]: RunRecord['leftovers']): string | undefined {
  return first && `${count(others.length + 1, 'animal')}, such as ${first.id} (${clip(first.name, 40)})`;
}

function sincePreviousSentence({ previous }: Pick<RunRecord, 'previous'>): string | undefined {
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
