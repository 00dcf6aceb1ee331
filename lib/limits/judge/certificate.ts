import { count } from '../../explain/count.js';
import { isServed, type History, type Observation } from '../history/history.js';
import { bits, tolerances } from '../tolerances.js';
import {
  countOf,
  findingsOf,
  isContradicted,
  nearest,
  type Explanation,
  type Finding,
  type FindingKind,
  type Hypothesis,
} from './hypothesis.js';
import type { Diagnosis } from './judge.js';

/** The few observations that no conforming limiter explains together, and the sentence that a person can check. */
export interface Certificate {
  readonly sentence: string;
  readonly observations: readonly Observation[];
}

/** What a hypothesis is called: "a sliding log of 61 in 60 s". */
export function nameOf({ algorithm, limit, windowMs, deviation }: Hypothesis): string {
  if (deviation?.id === 'no limit') return 'a service without a limit';
  const [kind = '', begins] = algorithm.split(/(?<=window) /);
  const sized = `a ${kind} of ${limit} in ${Math.round(windowMs / 1000)} s${begins === undefined ? '' : `, ${begins}`}`;
  if (!deviation || deviation.id === 'limit' || deviation.id === 'window') return sized;
  return `${sized}${begins === undefined ? '' : ','} that ${deviation.says}`;
}

/** What the limiter behaves like. */
export function behavesLike({ best }: Diagnosis): string {
  const nearest = nameOf(best.hypothesis);
  return isContradicted(best) ? `no known limiter; nearest: ${nearest}` : nearest;
}

/** More was admitted than a limiter can admit: of all runs of requests up to the finding, the shortest one that shows it. */
export function excessCertificate({ burst, count: excess }: Finding, history: History): Certificate {
  const { plan, windowMs, own } = history;
  const admitted = own.filter((one) => isServed(one) && one.sentAt <= burst.at[1]);
  const { id = '', receivedAt = 0, headers } = admitted.at(-1) ?? {};
  const refilledSince = ({ sentAt }: Observation): number =>
    Math.floor((plan.perMinute * (receivedAt - sentAt)) / windowMs);
  const start = admitted.findLastIndex(
    (one, index) =>
      refilledSince(one) < plan.perMinute &&
      admitted.length - index > plan.perMinute + refilledSince(one) &&
      // A limit that comes back at once may have done so between two requests whose Resets are a window apart.
      Math.abs((headers?.reset ?? 0) - (one.headers.reset ?? 0)) <= windowMs - tolerances.agreementMs,
  );
  const first = admitted[start];
  if (!first)
    return {
      sentence: `${count(excess, 'request')} beyond the limit of ${limitIn(history)}, the last of them ${id}`,
      observations: admitted.slice(-1),
    };
  const refilled = refilledSince(first);
  const more = refilled > 0 ? `, and ${refilled} more if it refills meanwhile` : '';
  return {
    sentence: `${admitted.length - start} requests were admitted from ${first.id} to ${id} within ${seconds(receivedAt - first.sentAt)}: a limiter of ${limitIn(history)} admits at most ${plan.perMinute}${more}`,
    observations: [first, ...admitted.slice(start + plan.perMinute)],
  };
}

/** Remaining was higher than what could be left: two exchanges. */
export function tooHighCertificate({ observations, room }: Finding, { own }: History): Certificate {
  const [shown] = observations;
  const before = own.findLast(
    ({ headers, receivedAt }) => headers.remaining !== undefined && receivedAt <= (shown?.sentAt ?? 0),
  );
  const pair = [before, shown].flatMap((one) => one ?? []);
  // Who reads no report with links knows an exchange by its operation.
  const reports = pair.map(
    ({ id, operation, headers }) => `${id} (${operation ?? 'other'}) reports ${headers.remaining} remaining`,
  );
  return {
    sentence: `${reports.join(', then ')}: at most ${Math.max(0, Math.floor(room[1]) - 1)} can be left`,
    observations: pair,
  };
}

/** Fewer were admitted: both readings, and what each must assume. */
export function bothReadings({ best, twin, rivals, deviation }: Diagnosis): string {
  const faulty = deviation ? best : rivals[0];
  const one = `${nameOf(twin.hypothesis)}, with ${unexplained(twin).join(' and ') || 'nothing to assume'}`;
  return faulty ? `Either ${one}; or ${nameOf(faulty.hypothesis)}` : one;
}

const words: Record<FindingKind, (found: number) => string> = {
  excess: (found) => `${count(found, 'request')} too many admitted`,
  'spurious rejection': (found) => `${count(found, 'rejection')} without a reason`,
  'remaining too high': () => 'a Remaining that is too high',
  'filled by others': (found) => `${count(found, 'unseen request')} of other clients`,
  'hidden requests': (found) => `${count(found, 'request')} of other clients that Remaining shows`,
};

/** What an explanation has to assume, or can't explain, in words. */
export function unexplained(explanation: Explanation): string[] {
  return (Object.keys(words) as FindingKind[]).flatMap((wanted) => {
    const found = findingsOf(explanation, wanted);
    const first = found[0]?.observations[0]?.id ?? '';
    return found.length === 0 ? [] : [`${words[wanted](countOf(found))} (first: ${first})`];
  });
}

/** "60 requests in 60 s" */
export function limitIn({ plan, windowMs }: Pick<History, 'plan' | 'windowMs'>): string {
  return `${count(plan.perMinute, 'request')} in ${seconds(windowMs)}`;
}

/** A time as people read it: "7 ms", "3.04 s", "60 s". */
export function seconds(milliseconds: number): string {
  if (milliseconds < 100) return `${Math.ceil(milliseconds)} ms`;
  const value = milliseconds / 1000;
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(2)} s`;
}

/** Which algorithm limits, and how surely. */
export function algorithmOf(diagnosis: Diagnosis): { readonly name: string; readonly certainty: string } {
  const { conforming, deviation, best, history } = diagnosis;
  if (history.own.length < 2) return { name: 'unknown', certainty: 'unknown' };
  if (deviation) return { name: behavesLike(diagnosis), certainty: 'likely' };
  const namedWithin = (distance: number): string[] => [
    ...new Set(nearest(conforming, distance).map(({ hypothesis }) => hypothesis.algorithm)),
  ];
  const named = namedWithin(bits.named);
  if (named.length > 1) return { name: named.join(' or '), certainty: 'ambiguous' };
  if (best.total > bits.near) return { name: behavesLike(diagnosis), certainty: 'likely' };
  return { name: named.join(), certainty: namedWithin(bits.odds).length === 1 ? 'certain' : 'likely' };
}
