import type { Exchange } from '../evidence/exchange.js';
import type {
  ExplanationRecord,
  ExplanationWindow,
  PlanMeasurement,
} from '../evidence/record/measurements.js';
import type { RunRecord, RequirementResult } from '../evidence/record/record.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Checks } from '../verdict/check.js';
import { judgeRule } from '../verdict/judgement.js';
import { Inconclusive } from '../verdict/outcome.js';
import {
  asksBeyondMinute,
  historyOf,
  isAdmitted,
  isRejected,
  waitEnds,
  type History,
  type LimitFacts,
  type Observation,
} from './history/history.js';
import { behavesLike, nameOf, unexplained } from './judge/certificate.js';
import type { Explanation, Traced } from './judge/hypothesis.js';
import { diagnose, type Diagnosis } from './judge/judge.js';
import { type Interval } from './tolerances.js';
import { algorithmOf } from './rows/observations.js';

/** What the limits of one key are judged by: the exchanges of a run and what was known beforehand, nothing else. */
export interface LimitEvidence {
  readonly facts: LimitFacts;
  /** All requests with the key but those that counted the day. */
  readonly sent: readonly Observation[];
  /** Those that counted the day, as far as they are recorded: every rejection, what came after it, and a few. */
  readonly day: readonly Observation[];
  /** What the minute's limit is judged by. What is sent from several vantage points comes last. */
  readonly history: History;
  /** Made when it is first asked for. */
  readonly diagnosis: Diagnosis;
}

/** @param all exchanges of the run: when they are probed, and again from its record */
export function limitEvidence(all: readonly Exchange[], facts: LimitFacts): LimitEvidence {
  // What is sent after the last of the probes is not judged, now or later.
  const last = all.findLastIndex(({ phase }) => phase !== undefined);
  const seen = historyOf(last < 0 ? all : all.slice(0, last + 1), facts);
  const [day, sent] = [true, false].map((isOfDay) =>
    seen.own.filter(({ phase }) => (phase === 'day') === isOfDay),
  ) as [Observation[], Observation[]];
  const several = sent.findIndex(({ phase }) => phase === 'vantage points');
  const history = ofTheMinute({ ...seen, own: several < 0 ? sent : sent.slice(0, several) });
  let diagnosis: Diagnosis | undefined;
  return {
    facts,
    sent,
    day,
    history,
    get diagnosis() {
      return (diagnosis ??= diagnose(history));
    },
  };
}

/** Requests in spite of a 429 before which a longer wait is the window's own mistake (LIMIT-04), and no ban. */
const ignoredFirst = 2;

/**
 * The times in which the key was banned because requests went on in spite of 429s, which section 8.3 allows: the first 429s
 * ask for no more than a window, and a later one for longer.
 */
export function bansIn({ own, clock }: Pick<History, 'own' | 'clock'>): Interval[] {
  const bans: Interval[] = [];
  let ignored = 0;
  for (const one of own) {
    if (isAdmitted(one)) ignored = 0;
    if (!isRejected(one) || one.headers.period === 'day') continue;
    if (!asksBeyondMinute(one, clock)) ignored += 1;
    else if (ignored > ignoredFirst) bans.push([one.receivedAt, waitEnds(one, clock) ?? 0]);
  }
  return bans;
}

/** A history without the rejections that are not the minute's: those of a banned key, and those by the day's limit. */
export function ofTheMinute(history: History): History {
  const { plan, clock } = history;
  const bans = bansIn(history);
  const isOfDay = (one: Observation): boolean =>
    plan.perDay !== plan.perMinute &&
    one.headers.period === 'day' &&
    one.headers.remaining === 0 &&
    asksBeyondMinute(one, clock);
  const isBanned = (one: Observation): boolean =>
    bans.some(([from, to]) => one.receivedAt >= from && one.sentAt < to);
  const own = history.own.filter((one) => !isRejected(one) || !(isOfDay(one) || isBanned(one)));
  return { ...history, own };
}

export type JudgeLimits = (evidence: LimitEvidence, id: RequirementId) => Checks;

/** What a row says. What a run has seen too little of to judge, because it stopped, says why it stopped. */
export function* checksOf({ stopped }: LimitFacts, judge: () => Checks): Checks {
  try {
    yield* judge();
  } catch (error) {
    throw error instanceof Inconclusive && stopped !== undefined ? new Inconclusive(stopped) : error;
  }
}

/** The result that follows from it. */
export function judgedBy(judge: JudgeLimits, id: RequirementId, evidence: LimitEvidence): RequirementResult {
  return judgeRule(id, () => checksOf(evidence.facts, () => judge(evidence, id)));
}

/** The limits of a run as its record and its exchanges hold them, to be judged again; undefined if they were not probed. */
export function limitsOfRecord(
  { plans: [measured] = [], target }: Pick<RunRecord, 'plans' | 'target'>,
  all: readonly Exchange[],
): LimitEvidence | undefined {
  if (!measured) return undefined;
  const { plan: name, perMinute, perDay, caller = '', otherCaller, stopped, day } = measured;
  const { readOnly, localAddresses: vantagePoints } = target;
  const plan = { name, perMinute, perDay };
  return limitEvidence(all, { plan, caller, otherCaller, readOnly, vantagePoints, stopped, day });
}

/** What the record keeps of the limits. */
export function measurementOf({ facts, sent, ...judged }: LimitEvidence): PlanMeasurement {
  const { plan, caller, otherCaller, stopped, day } = facts;
  const { name, perMinute, perDay } = plan;
  const measured = { plan: name, perMinute, perDay, caller, otherCaller, stopped, day };
  // A run that counts the day alone has probed no minute that could be explained.
  if (!sent.some(({ phase }) => phase !== '')) return measured;
  const { diagnosis } = judged;
  return { ...measured, algorithm: algorithmOf(diagnosis), explanation: explanationRecord(diagnosis) };
}

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
    windows: windowsIn(diagnosis).map(windowRecord),
  };
}

/**
 * The history in parts of about a window, with what would remain by the conforming limiter of the kind that is named: a new
 * part begins when a window has passed, or after a wait behind a rejection.
 */
function windowsIn({ twin: { traced }, history: { windowMs } }: Diagnosis): Traced[][] {
  const windows: Traced[][] = [];
  for (const one of traced) {
    const current = windows.at(-1);
    const begin = current?.[0]?.burst.at[0] ?? Number.NEGATIVE_INFINITY;
    const last = current?.at(-1)?.burst;
    const waited =
      last?.observations.some(isRejected) === true &&
      one.burst.at[0] - last.at[1] > windowMs / 60 &&
      one.burst.observations.some(isAdmitted);
    if (!current || waited || one.burst.at[0] - begin >= windowMs) windows.push([one]);
    else current.push(one);
  }
  return windows;
}

function windowRecord(window: readonly Traced[]): ExplanationWindow {
  const begin = window[0]?.burst.at[0] ?? 0;
  const all = window.flatMap(({ burst }) => burst.observations);
  return {
    startedAt: new Date(begin).toISOString(),
    durationMs: rounded((window.at(-1)?.burst.at[1] ?? begin) - begin),
    phases: [...new Set(all.map(({ phase }) => phase).filter((phase) => phase !== ''))],
    points: window.flatMap(({ burst, after: [least, most] }) =>
      burst.observations.map(({ id, sentAt, receivedAt, outcome, headers }) => ({
        id,
        sent: rounded(sentAt - begin),
        received: rounded(receivedAt - begin),
        outcome,
        ...(headers.period === 'minute' && { remaining: headers.remaining }),
        explained: [Math.max(0, rounded(least)), Math.max(0, rounded(most))],
      })),
    ),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
