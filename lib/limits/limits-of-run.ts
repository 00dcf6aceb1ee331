import type { Exchange } from '../evidence/exchange.js';
import type { PlanMeasurement } from '../evidence/record/measurements.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Checks } from '../verdict/check.js';
import { judgeRule } from '../verdict/judgement.js';
import { Inconclusive } from '../verdict/outcome.js';
import { ofTheMinute, historyOf, type History, type LimitFacts } from './history/history.js';
import { explanationRecord } from './judge/certificate.js';
import { diagnose, type Diagnosis } from './judge/judge.js';
import { algorithmOf } from './rows/observations.js';

/** What the limits of one key are judged by: the exchanges of a run and what was known beforehand, nothing else. */
export interface LimitEvidence {
  readonly facts: LimitFacts;
  /** All requests with the key but those that counted the day. */
  readonly sent: History['own'];
  /** Those that counted the day, as far as they are recorded: every rejection, what came after it, and a few. */
  readonly day: History['own'];
  /** What the minute's limit is judged by. What is sent from several vantage points comes last. */
  readonly history: History;
  /** Made when it is first asked for. */
  readonly diagnosis: Diagnosis;
}

export function limitEvidence(exchanges: readonly Exchange[], facts: LimitFacts): LimitEvidence {
  const all = historyOf(exchanges, facts);
  const isOfDay = ({ phase }: History['own'][number]): boolean => phase === 'day';
  const sent = all.own.filter((one) => !isOfDay(one));
  const several = sent.findIndex(({ phase }) => phase === 'vantage points');
  const before = several < 0 ? sent : sent.slice(0, several);
  const history = ofTheMinute({ ...all, own: before });
  let diagnosis: Diagnosis | undefined;
  return {
    facts,
    sent,
    day: all.own.filter(isOfDay),
    history,
    get diagnosis() {
      diagnosis ??= diagnose(history);
      return diagnosis;
    },
  };
}

/** What the limits of a run are judged by, and how the probes went. */
export interface LimitsOfRun {
  readonly evidence: LimitEvidence;
  readonly notes: readonly string[];
  /** Why the probes did not get to their end. */
  readonly stopped?: string | undefined;
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

/** What the limits of a run are judged by: when they were probed, and again from its record. @param all exchanges of the run */
export function limitsOf(
  all: readonly Exchange[],
  facts: LimitFacts,
  notes: readonly string[] = [],
): LimitsOfRun {
  // What is sent after the last of the probes is not judged, now or later.
  const exchanges = all.slice(0, all.findLastIndex(({ phase }) => phase !== undefined) + 1);
  return {
    evidence: limitEvidence(exchanges, facts),
    notes,
    stopped: facts.stopped ?? facts.day?.stopped,
  };
}

/** The limits of a run as its record and its exchanges hold them, to be judged again; undefined if they were not probed. */
export function limitsOfRecord(
  { plans: [measured] = [], target }: Pick<RunRecord, 'plans' | 'target'>,
  all: readonly Exchange[],
): LimitsOfRun | undefined {
  if (!measured) return undefined;
  const { plan: name, perMinute, perDay, caller = '', otherCaller, stopped, day, counts } = measured;
  const { readOnly, localAddresses: vantagePoints } = target;
  const plan = { name, perMinute, perDay };
  const facts = { plan, caller, otherCaller, readOnly, vantagePoints, stopped, counts, day };
  return limitsOf(all, facts);
}

/** What the record keeps of the limits. */
export function measurementOf({ evidence }: LimitsOfRun): PlanMeasurement {
  const { plan, caller, otherCaller, stopped, day, counts } = evidence.facts;
  const { name, perMinute, perDay } = plan;
  // A run that counts the day alone has probed no minute that could be explained.
  const isProbed = evidence.sent.some(({ phase }) => phase !== '');
  const measured = { plan: name, perMinute, perDay, caller, otherCaller, stopped, day, counts };
  if (!isProbed) return measured;
  const { diagnosis } = evidence;
  const explanation = explanationRecord(diagnosis);
  return { ...measured, algorithm: algorithmOf(diagnosis), explanation };
}
