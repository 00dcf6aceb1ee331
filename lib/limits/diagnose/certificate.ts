import type { History } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import { isFixedWindow } from '../limiter/limiter.js';
import {
  contradictionsIn,
  type Diagnosis,
  type Explanation,
  type Finding,
  type Hypothesis,
} from './hypothesis.js';

/** The few observations that no conforming limiter explains together, and the sentence that a person can check. */
export interface Certificate {
  readonly sentence: string;
  readonly observations: readonly Observation[];
}

/** What a hypothesis is called: "a sliding log of 61 in 60 s". */
export function nameOf({ algorithm, limit, windowMs, capacity, deviation }: Hypothesis): string {
  if (deviation?.id === 'no limit') return 'a service without a limit';
  const size = `${limit} in ${Math.round(windowMs / 1000)} s`;
  if (!deviation || deviation.id === 'limit' || deviation.id === 'window') return `a ${algorithm} of ${size}`;
  if (capacity !== limit) return `a ${algorithm} of ${size}, ${capacity} at once`;
  return `a ${algorithm} of ${size} that ${deviation.says}`;
}

/** What the limiter behaves like. */
export function behavesLike({ best }: Diagnosis): string {
  const nearest = nameOf(best.hypothesis);
  const unexplained = contradictionsIn(best) > 0;
  return unexplained ? `no known limiter; nearest: ${nearest}` : nearest;
}

/** More was admitted than a limiter can admit. Of all runs of admitted requests up to the finding, the one that is easiest to check. */
export function excessCertificate(finding: Finding, history: History): Certificate {
  const { plan, windowMs } = history;
  const last = finding.burst.observations.at(-1);
  const admitted = history.own.filter(
    ({ outcome, sentAt, status }) =>
      outcome === 'admitted' && sentAt <= (last?.sentAt ?? 0) && (status ?? 0) < 400,
  );
  const end = admitted.at(-1);
  const longest = Math.max(0, admitted.length - plan.perMinute);
  for (const [back, first] of admitted.slice(0, longest).toReversed().entries()) {
    const start = longest - 1 - back;
    if (!end || end.receivedAt - first.sentAt >= windowMs) break;
    const span = end.receivedAt - first.sentAt;
    const count = admitted.length - start;
    const refill = Math.floor((plan.perMinute * span) / windowMs);
    if (count <= plan.perMinute + refill) continue;
    const run = admitted.slice(start);
    const resets = new Set(run.map(({ headers }) => headers.reset));
    const oneWindow = resets.size === 1 && !resets.has(undefined) ? ', all with the same Reset' : '';
    const more = refill > 0 ? `, and ${refill} more if it refills meanwhile` : '';
    return {
      sentence: `${count} requests were admitted from ${first.id} to ${end.id} within ${seconds(span)}${oneWindow}: a limiter of ${plan.perMinute} in ${seconds(windowMs)} admits at most ${plan.perMinute}${more}`,
      observations: [first, ...run.slice(plan.perMinute)],
    };
  }
  const [first] = finding.burst.observations;
  return {
    sentence: `${plural(finding.count, 'request')} more than the limit of ${plan.perMinute} in ${seconds(windowMs)} ${finding.count === 1 ? 'was' : 'were'} admitted, the last of them ${end?.id ?? first?.id ?? ''}`,
    observations: end ? [end] : finding.observations,
  };
}

/** Remaining was higher than what could be left: two exchanges. */
export function tooHighCertificate(finding: Finding, history: History): Certificate {
  const [shown] = finding.observations;
  const before = history.own.findLast(
    ({ headers, receivedAt }) => headers.remaining !== undefined && receivedAt <= (shown?.sentAt ?? 0),
  );
  const highest = Math.floor(finding.room[1]) - 1;
  const earlier = before
    ? `, after ${before.headers.remaining} in ${before.id} ${seconds((shown?.sentAt ?? 0) - before.receivedAt)} earlier`
    : '';
  return {
    sentence: `${shown?.id ?? ''} reports ${shown?.headers.remaining ?? '?'} remaining${earlier}: at most ${Math.max(0, highest)} can be left`,
    observations: [...(before ? [before] : []), ...finding.observations.slice(0, 1)],
  };
}

/** Fewer were admitted: both readings, and what each must assume. */
export function bothReadings({ best, twin, rival, conforming }: Diagnosis): string {
  const faulty = best.hypothesis.deviation ? best : rival;
  const honest = best.hypothesis.deviation ? twin : (conforming[0] ?? twin);
  const one = `${nameOf(honest.hypothesis)}, ${unexplained(honest).join(' and ') || 'with nothing to assume'}`;
  return faulty ? `Either ${one}; or ${nameOf(faulty.hypothesis)}` : one;
}

/** What an explanation has to assume, or can't explain, in words. */
export function unexplained({ findings, hypothesis }: Explanation): string[] {
  const counted = (kind: Finding['kind']): Finding[] => findings.filter((finding) => finding.kind === kind);
  const total = (kind: Finding['kind']): number => counted(kind).reduce((sum, { count }) => sum + count, 0);
  const when = (kind: Finding['kind']): string => counted(kind)[0]?.burst.observations[0]?.id ?? '';
  const sentences: string[] = [];
  const say = (kind: Finding['kind'], text: (count: number, first: string) => string): void => {
    if (counted(kind).length > 0) sentences.push(text(total(kind), when(kind)));
  };
  say('excess', (count, first) => `${plural(count, 'request')} too many admitted (first: ${first})`);
  say(
    'spurious rejection',
    (count, first) => `${plural(count, 'rejection')} without a reason (first: ${first})`,
  );
  say('remaining too high', (_count, first) => `a Remaining that is too high (first: ${first})`);
  say(
    'filled by others',
    (count, first) => `${plural(count, 'unseen request')} of other clients just before ${first}`,
  );
  say(
    'hidden requests',
    (count, first) =>
      `${plural(count, 'request')} of other clients that Remaining shows (first before ${first})`,
  );
  say(
    'other time',
    (_count, first) =>
      `a Reset that names another time than its ${isFixedWindow(hypothesis.algorithm) ? 'window’s end' : 'own'} (first: ${first})`,
  );
  return sentences;
}

export function seconds(milliseconds: number): string {
  const value = milliseconds / 1000;
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(2)} s`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
