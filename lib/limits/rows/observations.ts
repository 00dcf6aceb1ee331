import type { ExplanationRecord, ExplanationWindow } from '../../evidence/record/measurements.js';
import { observed, type Check, type Checks } from '../../verdict/check.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import {
  isAdmitted,
  isRejected,
  isServed,
  remainingOf,
  reportsRemaining,
  responsesOf,
  waitEnds,
  type Observation,
} from '../history/history.js';
import { behavesLike, nameOf, unexplained } from '../judge/certificate.js';
import { follow } from '../judge/follow.js';
import type { Explanation, Hypothesis, Traced } from '../judge/hypothesis.js';
import { nearest, type Diagnosis } from '../judge/judge.js';
import { isFixedWindow } from '../limiter/algorithms.js';
import type { LimitEvidence } from '../limits-of-run.js';
import { bits } from '../tolerances.js';

/** Hypotheses that a reader may want to compare. */
const mostCandidates = 5;

/** What the record keeps of an explanation. */
export function explanationRecord(diagnosis: Diagnosis): ExplanationRecord {
  const { best, conforming, rivals } = diagnosis;
  // The cheapest of each name: more of them tell a reader nothing.
  const candidates = new Map<string, Explanation>();
  for (const one of [best, ...rivals.slice(0, 1), ...conforming]) {
    const name = nameOf(one.hypothesis);
    if (!candidates.has(name) && candidates.size < mostCandidates) candidates.set(name, one);
  }
  return {
    behavesLike: behavesLike(diagnosis),
    conforming: diagnosis.deviation === undefined,
    candidates: Array.from(candidates, ([name, one]) => ({
      name,
      conforming: one.hypothesis.deviation === undefined,
      cost: Math.round(one.total * 10) / 10,
      unexplained: unexplained(one),
    })),
    windows: windowsIn(diagnosis),
  };
}

/**
 * The history in parts of about a window, with what would remain by the conforming limiter of the kind that is named: a new
 * part begins when a window has passed, or after a wait behind a rejection.
 */
function windowsIn({ twin, history: { windowMs } }: Diagnosis): ExplanationWindow[] {
  const windows: Traced[][] = [];
  let begin = Number.NEGATIVE_INFINITY;
  let last: Traced['burst'] | undefined;
  for (const one of twin.traced) {
    const { at, observations } = one.burst;
    const isWaited = last?.observations.some(isRejected) && at[0] - last.at[1] > windowMs / 60;
    if (at[0] - begin >= windowMs || (isWaited && observations.some(isAdmitted))) {
      windows.push([]);
      begin = at[0];
    }
    windows.at(-1)?.push(one);
    last = one.burst;
  }
  return windows.map(windowRecord);
}

function windowRecord(window: readonly Traced[]): ExplanationWindow {
  const begin = window[0]?.burst.at[0] ?? 0;
  const all = window.flatMap(({ burst }) => burst.observations);
  return {
    startedAt: new Date(begin).toISOString(),
    durationMs: rounded((window.at(-1)?.burst.at[1] ?? begin) - begin),
    phases: [...new Set(all.map(({ phase }) => phase).filter((phase) => phase !== ''))],
    points: window.flatMap(({ burst, after: [least, most] }) =>
      burst.observations.map((one) => ({
        id: one.id,
        sent: rounded(one.sentAt - begin),
        received: rounded(one.receivedAt - begin),
        outcome: one.outcome,
        remaining: remainingOf(one),
        explained: [Math.max(0, rounded(least)), Math.max(0, rounded(most))],
      })),
    ),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
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

/** LIMIT-11: which algorithm limits, as far as the explanation proves it. */
export function* observeAlgorithm({ diagnosis, history }: LimitEvidence): Checks {
  if (history.own.length === 0) throw new Inconclusive('nothing was sent');
  const { name, certainty } = algorithmOf(diagnosis);
  yield observed('algorithm', `${name} (${certainty})`);
  const open = unexplained(diagnosis.best);
  if (open.length > 0) yield observed('left unexplained', open.join('; '));
}

/** LIMIT-13: what counts against the limit, where counting it and not counting it explain the history differently. */
export function observeCosts({ diagnosis, history }: LimitEvidence): Check[] {
  const { best, deviation, otherTraffic } = diagnosis;
  const { algorithm, renewedBy, uncharged } = best.hypothesis;
  /** Which of two ways to count explains the history better. */
  const dearerOf = (free: Partial<Hypothesis>, counted: Partial<Hypothesis>): string => {
    const cost = (change: Partial<Hypothesis>): number =>
      follow({ ...best.hypothesis, ...change }, history)?.total ?? Number.POSITIVE_INFINITY;
    const difference = cost(free) - cost(counted);
    if (!(Math.abs(difference) >= bits.named)) return 'not shown: the responses fit both';
    return difference > 0 ? 'uses the limit up like any other request' : 'does not use the limit up';
  };
  const behaviourOf = (status: number): string => {
    if (status !== 429) {
      const counted = new Set([...uncharged].filter((one) => one !== status));
      return dearerOf({ uncharged: new Set([...uncharged, status]) }, { uncharged: counted });
    }
    if (renewedBy?.includes('rejected')) return 'puts the end of the window off';
    return isFixedWindow(algorithm) && !deviation
      ? 'no effect: the window ends when it would have ended'
      : dearerOf({ chargesRejected: false }, { chargesRejected: true });
  };
  const made = [400, 404, 429].flatMap((status): Check[] => {
    const seen = history.own.filter((one) => one.status === status).slice(0, 2);
    return seen.length > 0 ? [observed(String(status), behaviourOf(status), ...responsesOf(...seen))] : [];
  });
  const unauthorized = history.others.find(({ status }) => status === 401);
  if (unauthorized && otherTraffic === 0 && reportsRemaining(history.own) && !deviation)
    made.push(observed('401', 'does not use the limit of a valid key up', unauthorized.exchange));
  if (made.length === 0) throw new Inconclusive('no request that could tell was sent');
  return made;
}

/** LIMIT-12: what a client meets that ignores 429, with whichever key it was tried. */
export function* observeBan({ sent, history: { clock, others } }: LimitEvidence): Checks {
  const all = [...sent, ...others].toSorted((a, b) => a.sentAt - b.sentAt);
  const tried = all.filter(({ phase }) => phase === 'ban');
  if (tried.length === 0)
    throw new NotTested('a ban is provoked only on a key given for it (--observe-ban=KEY)');
  const over = tried.findIndex(isRejected);
  // What time gives back meanwhile is served.
  const [first, ...ignored] = over < 0 ? [] : tried.slice(over).filter((one) => !isServed(one));
  const last = ignored.at(-1);
  if (!first || !last) throw new Inconclusive('no 429 was seen that could be ignored');
  const asked = (one: Observation): number =>
    Math.round(((waitEnds(one, clock) ?? one.receivedAt) - one.receivedAt) / 1000);
  const index = ignored.findIndex((one) => !isRejected(one) || asked(one) > asked(first) + 5);
  const changed = ignored[index];
  const behaviour = !changed
    ? 'each is rejected with 429 as the first one was'
    : isRejected(changed)
      ? `from response ${index + 1} on, Retry-After is ${asked(changed)} s instead of ${asked(first)} s: the key is banned for a time`
      : `response ${index + 1} is ${changed.status ?? 'missing'} instead of 429`;
  yield observed(`${ignored.length} requests in spite of a 429`, behaviour, (changed ?? first).exchange);
  const final = all.findLast(({ phase }) => phase === 'ban afterwards') ?? last;
  const is = isServed(final) ? 'is served again' : `still gets ${final.status ?? 'no response'}`;
  const seconds = Math.round((final.receivedAt - last.receivedAt) / 1000);
  yield observed('the key afterwards', `${is} after ${seconds} s`, final.exchange);
}
