import type { Exchange } from '../evidence/exchange.js';
import type { RunRecord } from '../evidence/record/record.js';
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
import { diagnose, type Diagnosis } from './judge/judge.js';
import type { Interval } from './tolerances.js';

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
