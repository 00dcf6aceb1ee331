import type { Exchange } from '../http/exchange/exchange.js';
import type { PlanMeasurement, RequirementResult, RunRecord } from '../record/record.js';
import type { Probe } from '../requirement/requirement.js';
import type { RequirementId } from '../specification/catalogue.js';
import { Judgement } from '../verdict/judgement.js';
import { leastFavourable } from '../verdict/compare-verdict.js';
import { NotTested } from '../verdict/outcome.js';
import { explanationRecord } from './diagnose/certificate.js';
import { historyOf, type LimitFacts } from './history/history.js';
import { limitEvidence, type LimitEvidence } from './limit-evidence.js';
import { exchangesOfDay, exchangesOfProbes, phaseRecords } from './probe/limit-phases.js';
import type { DayEvidence } from './rows/day.js';
import { withLoops } from './rows/loops.js';
import { algorithmOf } from './rows/observations.js';

/** What is known of the limits of one plan's key beside the exchanges; it stands in the run record. */
export interface ProbedPlan {
  readonly facts: LimitFacts;
  /** Whether the limits of the minute were probed. */
  readonly minute: boolean;
  readonly day?: NonNullable<PlanMeasurement['day']> | undefined;
  /** What was sent to count the day: most of it is recorded in figures alone. */
  readonly dayPhases: PlanMeasurement['phases'];
}

/** What the limits of one plan are judged by. */
export interface PlanLimits {
  readonly probed: ProbedPlan;
  readonly minute: LimitEvidence | undefined;
  readonly day: DayEvidence | undefined;
  /** The results for this plan alone, by requirement. */
  readonly results: Map<RequirementId, RequirementResult>;
}

/** What the limits of all plans of a run came to. */
export interface LimitsOfRun {
  readonly plans: readonly PlanLimits[];
  /** What was sent with the key that was given to be banned. */
  readonly ban?: { readonly exchanges: readonly Exchange[]; readonly facts: LimitFacts } | undefined;
  readonly notes: readonly string[];
  /** Why the probes did not get to their end. */
  readonly stopped?: string | undefined;
}

type Judge = (probe: Probe) => Promise<RequirementResult>;

/** Judges the minute of each plan that was probed; the result is the least favourable of them. */
export function eachMinute(judge: (judgement: Judgement, evidence: LimitEvidence) => void): Judge {
  return eachPlan(({ minute }) => minute, judge, 'no plan was probed');
}

/** The same, of the day. */
export function eachDay(judge: (judgement: Judgement, day: DayEvidence) => void): Judge {
  return eachPlan(({ day }) => day, judge, 'the day is counted with --limits=day');
}

function eachPlan<Evidence>(
  evidenceOf: (plan: PlanLimits) => Evidence | undefined,
  judge: (judgement: Judgement, evidence: Evidence) => void,
  reason: string,
): Judge {
  return async ({ limits, judgement: { id } }) => {
    const { plans } = await limits();
    const results = plans.flatMap((plan) => {
      const evidence = evidenceOf(plan);
      if (evidence === undefined) return [];
      const judgement = new Judgement(id);
      let failure: unknown;
      try {
        judge(judgement, evidence);
      } catch (error) {
        failure = error;
      }
      const { plan: ofKey } = plan.probed.facts;
      const row = withLoops(judgement.result(failure), ofKey);
      plan.results.set(id, row);
      return [{ plan: ofKey.name, row }];
    });
    const result = leastFavourable(results);
    if (!result) throw new NotTested(reason);
    return result;
  };
}

/** The variable that holds the key that was given to be banned. */
export const banVariable = 'PETSTORE_BAN_API_KEY';

/** What the limits of a run are judged by: when they were probed, and again from its record. @param all exchanges of the run */
export function limitsOf(
  all: readonly Exchange[],
  plans: readonly ProbedPlan[],
  { ban, notes }: Pick<LimitsOfRun, 'notes'> & { readonly ban: LimitFacts | undefined },
): LimitsOfRun {
  const exchanges = exchangesOfProbes(all);
  return {
    plans: plans.map((probed) => {
      const { facts, day } = probed;
      return {
        probed,
        minute: probed.minute ? limitEvidence(exchanges, facts, exchangesOfDay(all)) : undefined,
        day: day && { ...day, plan: facts.plan, rejection: all.find(({ id }) => id === day.rejection) },
        results: new Map(),
      };
    }),
    ban: ban && { exchanges, facts: ban },
    notes,
    stopped: plans.map(({ facts, day }) => facts.stopped ?? day?.stopped).find((one) => one !== undefined),
  };
}

/** The limits of a run as its record and its exchanges hold them, to be judged again. */
export function limitsOfRecord(record: RunRecord, all: readonly Exchange[]): LimitsOfRun {
  const { plans = [], target } = record;
  const { readOnly, perMinute = 0, perDay = 0, localAddresses: vantagePoints } = target;
  const probed = plans.map(({ plan: name, caller = '', otherCaller, stopped, requirements, ...plan }) => ({
    facts: { plan: { ...plan, name }, caller, otherCaller, readOnly, vantagePoints, stopped },
    minute: requirements.some(({ id }) => id !== 'LIMIT-10'),
    day: plan.day,
    dayPhases: plan.phases.filter(({ name: phase }) => phase === 'day'),
  }));
  const own = { plan: { name: target.plan, perMinute, perDay }, caller: banVariable, readOnly };
  const ban = all.some(({ phase }) => phase === 'ban') ? own : undefined;
  return limitsOf(all, probed, { ban, notes: [] });
}

/** What the record keeps of a plan's limits. */
export function measurementOf({ probed, minute, results }: PlanLimits): PlanMeasurement {
  const { facts, day, dayPhases } = probed;
  const { plan, caller, otherCaller, stopped } = facts;
  const requirements = [...results.values()];
  const sent = minute ? historyOf(minute.exchanges, facts, true).own : [];
  return {
    plan: plan.name,
    perMinute: plan.perMinute,
    perDay: plan.perDay,
    caller,
    ...(otherCaller !== undefined && { otherCaller }),
    ...(stopped !== undefined && { stopped }),
    requirements,
    ...(minute &&
      sent.length > 0 && {
        algorithm: algorithmOf(minute.diagnosis),
        explanation: explanationRecord(minute.diagnosis, requirements),
      }),
    ...(day && { day }),
    phases: [...phaseRecords(sent.filter(({ phase }) => phase !== '' && phase !== 'day')), ...dayPhases],
  };
}
