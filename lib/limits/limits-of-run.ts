import type { Exchange } from '../evidence/exchange.js';
import type { PlanMeasurement } from '../evidence/record/measurements.js';
import type { RunRecord } from '../evidence/record/record.js';
import { observed, type Check, type Checks } from '../verdict/check.js';
import { Inconclusive, NotTested } from '../verdict/outcome.js';
import {
  asksBeyondMinute,
  historyOf,
  isAdmitted,
  isRejected,
  isServed,
  reportsRemaining,
  responsesOf,
  waitEnds,
  type History,
  type LimitFacts,
  type Observation,
} from './history/history.js';
import { algorithmOf, explanationRecord, unexplained } from './judge/certificate.js';
import { follow } from './judge/follow.js';
import type { Hypothesis } from './judge/hypothesis.js';
import { diagnose, type Diagnosis } from './judge/judge.js';
import { isFixedWindow } from './limiter/algorithms.js';
import { bits, type Interval } from './tolerances.js';

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
  const day = seen.own.filter(({ phase }) => phase === 'day');
  const sent = seen.own.filter(({ phase }) => phase !== 'day');
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

/** The limits of a run as its record and its exchanges hold them, to be judged again; undefined if they were not probed. */
export function limitsOfRecord(
  { plans: [measured] = [], target }: Pick<RunRecord, 'plans' | 'target'>,
  all: readonly Exchange[],
): LimitEvidence | undefined {
  if (!measured) return undefined;
  const { plan: name, perMinute, perDay, caller = '', ...probed } = measured;
  const { readOnly, localAddresses: vantagePoints } = target;
  const plan = { name, perMinute, perDay };
  return limitEvidence(all, { ...probed, plan, caller, readOnly, vantagePoints });
}

/** What the record keeps of the limits. */
export function measurementOf({ facts, sent, ...judged }: LimitEvidence): PlanMeasurement {
  const { plan, caller, otherCaller, stopped, day } = facts;
  const { name, ...quota } = plan;
  const measured = { plan: name, ...quota, caller, otherCaller, stopped, day };
  // A run that counts the day alone has probed no minute that could be explained.
  if (!sent.some(({ phase }) => phase !== '')) return measured;
  const { diagnosis } = judged;
  return { ...measured, algorithm: algorithmOf(diagnosis), explanation: explanationRecord(diagnosis) };
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
