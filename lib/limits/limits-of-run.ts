import type { Exchange } from '../evidence/exchange.js';
import type { PlanMeasurement } from '../evidence/record/plan-measurement.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { classOf, type RequirementId } from '../specification/catalogue.js';
import type { Checks } from '../verdict/check.js';
import { judgeRule } from '../verdict/judgement.js';
import { Inconclusive } from '../verdict/outcome.js';
import { explanationRecord } from './judge/explanation-record.js';
import type { LimitFacts } from './history/history.js';
import { isAdmitted, isRejected, type Observation } from './history/observation.js';
import { limitEvidence, type LimitEvidence } from './limit-evidence.js';
import { withLoops } from './rows/loops.js';
import { algorithmOf } from './rows/observations.js';

/** What the limits of a run are judged by, and how the probes went. */
export interface LimitsOfRun {
  readonly evidence: LimitEvidence;
  /** What was sent with the key that was given to be banned. */
  readonly ban?: LimitEvidence | undefined;
  readonly notes: readonly string[];
  /** Why the probes did not get to their end. */
  readonly stopped?: string | undefined;
}

export type JudgeLimits = (evidence: LimitEvidence, id: RequirementId) => Checks;

/** The result of a requirement. What a run has seen too little of to judge, because it stopped, says why it stopped. */
export function judgedBy(judge: JudgeLimits, id: RequirementId, evidence: LimitEvidence): RequirementResult {
  const { stopped } = evidence.facts;
  const result = judgeRule(id, function* () {
    try {
      yield* judge(evidence, id);
    } catch (error) {
      throw error instanceof Inconclusive && stopped !== undefined ? new Inconclusive(stopped) : error;
    }
  });
  return withLoops(result, evidence);
}

/** The variable that holds the key that was given to be banned. */
export const banVariable = 'PETSTORE_BAN_API_KEY';

/** What the limits of a run are judged by: when they were probed, and again from its record. @param all exchanges of the run */
export function limitsOf(
  all: readonly Exchange[],
  facts: LimitFacts,
  { ban, notes = [] }: { readonly ban?: LimitFacts | undefined; readonly notes?: readonly string[] } = {},
): LimitsOfRun {
  // What is sent after the last of the probes is not judged, now or later.
  const exchanges = all.slice(0, all.findLastIndex(({ phase }) => phase !== undefined) + 1);
  return {
    evidence: limitEvidence(exchanges, facts),
    ban: ban && limitEvidence(exchanges, ban),
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
  const isBanned = all.some(({ phase }) => phase === 'ban');
  return limitsOf(
    all,
    { plan, caller, otherCaller, readOnly, vantagePoints, stopped, counts, day },
    { ban: isBanned ? { plan, caller: banVariable, readOnly } : undefined },
  );
}

/** What the record keeps of the limits. @param rows the results of the run, for the certificates */
export function measurementOf(
  { evidence }: LimitsOfRun,
  rows: readonly RequirementResult[],
): PlanMeasurement {
  const { plan, caller, otherCaller, stopped, day, counts } = evidence.facts;
  const probed = evidence.sent.filter(({ phase }) => phase !== '');
  const certified = rows.filter(({ id }) => classOf(id) === 'limits');
  return {
    plan: plan.name,
    perMinute: plan.perMinute,
    perDay: plan.perDay,
    caller,
    ...(otherCaller !== undefined && { otherCaller }),
    ...(stopped !== undefined && { stopped }),
    // A run that counts the day alone has probed no minute that could be explained.
    ...(probed.length > 0 && {
      algorithm: algorithmOf(evidence.diagnosis),
      explanation: explanationRecord(evidence.diagnosis, certified),
    }),
    ...(day && { day }),
    ...(counts && { counts }),
    phases: phasesOf(probed),
  };
}

/** The figures of each part of the probes, one after the other; the requests themselves are in the explanation. */
function phasesOf(sent: readonly Observation[]): PlanMeasurement['phases'] {
  const phases: Observation[][] = [];
  for (const one of sent) {
    const current = phases.at(-1);
    if (current?.[0]?.phase === one.phase) current.push(one);
    else phases.push([one]);
  }
  return phases.map((requests) => {
    const begin = Math.min(...requests.map(({ sentAt }) => sentAt));
    const admitted = requests.filter(isAdmitted).length;
    const rejected = requests.filter(isRejected);
    const first = Math.min(...rejected.map(({ receivedAt }) => receivedAt));
    return {
      name: requests[0]?.phase ?? '',
      startedAt: new Date(begin).toISOString(),
      durationMs: Math.round(Math.max(...requests.map(({ receivedAt }) => receivedAt)) - begin),
      sent: requests.length,
      admitted,
      refused: rejected.length,
      failed: requests.length - admitted - rejected.length,
      sentAfterFirst429: requests.filter(({ sentAt }) => sentAt > first).length,
      exact: requests.every(({ status }) => status !== null),
    };
  });
}
