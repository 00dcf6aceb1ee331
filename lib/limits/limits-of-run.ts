import type { Exchange } from '../http/exchange/exchange.js';
import type { PlanMeasurement, RequirementResult, RunRecord } from '../record/record.js';
import type { Probe } from '../requirement/requirement.js';
import type { RequirementId } from '../specification/catalogue.js';
import { Judgement } from '../verdict/judgement.js';
import { leastFavourable } from '../verdict/compare-verdict.js';
import { NotTested } from '../verdict/outcome.js';
import { explanationRecord } from './diagnose/explanation-record.js';
import type { LimitFacts } from './history/history.js';
import { limitEvidence, type LimitEvidence } from './limit-evidence.js';
import { observationOf } from './history/observation.js';
import { exchangesOfDay, exchangesOfProbes, phaseRecords } from './probe/limit-phases.js';
import type { DayEvidence } from './rows/day.js';
import { withLoops } from './rows/loops.js';
import { algorithmOf } from './rows/observations.js';

/** What was sent with the key of one plan, and what is judged of it. */
export interface PlanLimits {
  readonly facts: LimitFacts;
  readonly minute?: LimitEvidence | undefined;
  readonly day?: DayEvidence | undefined;
  readonly phases: PlanMeasurement['phases'];
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
      const row = withLoops(
        judged(new Judgement(id), (judgement) => judge(judgement, evidence)),
        plan.facts.plan,
      );
      plan.results.set(id, row);
      return [{ plan: plan.facts.plan.name, row }];
    });
    const result = leastFavourable(results);
    if (!result) throw new NotTested(reason);
    return result;
  };
}

function judged(judgement: Judgement, judge: (judgement: Judgement) => void): RequirementResult {
  try {
    judge(judgement);
    return judgement.result();
  } catch (error) {
    return judgement.result(error);
  }
}

/** The variable that holds the key that was given to be banned. */
export const banVariable = 'PETSTORE_BAN_API_KEY';

/** The limits of a run as its record and its exchanges hold them, to be judged again. */
export function limitsOfRecord(
  { plans = [], target, run }: RunRecord,
  all: readonly Exchange[],
): LimitsOfRun {
  const exchanges = exchangesOfProbes(all);
  const { readOnly } = target;
  const own = { name: target.plan, perMinute: target.perMinute ?? 0, perDay: target.perDay ?? 0 };
  return {
    plans: plans.map(({ plan: name, perMinute, perDay, caller = '', otherCaller, stopped, ...measured }) => {
      const facts = { plan: { name, perMinute, perDay }, caller, otherCaller, readOnly, stopped };
      const { phases, day, requirements } = measured;
      const minute = requirements.some(({ id }) => id !== 'LIMIT-10')
        ? limitEvidence(exchanges, facts, exchangesOfDay(all))
        : undefined;
      const ofProbes = exchanges.filter((one) => one.phase !== undefined && one.caller === caller);
      return {
        facts,
        minute,
        day: day && {
          ...day,
          plan: facts.plan,
          rejection: all.find(({ id }) => id === day.rejection),
          stopped,
        },
        phases: [
          ...phaseRecords(ofProbes.map((one) => observationOf(one, facts.plan, 60_000))),
          ...phases.filter(({ name }) => name === 'day'),
        ],
        results: new Map(),
      };
    }),
    ban: exchanges.some(({ phase }) => phase === 'ban')
      ? { exchanges, facts: { plan: own, caller: banVariable, readOnly } }
      : undefined,
    notes: [],
    // Why a day's counting ended stands in the record of the run alone.
    stopped: plans
      .map(({ stopped, day }) => stopped ?? (day && run.stopped))
      .find((reason) => reason !== undefined),
  };
}

/** What the record keeps of a plan's limits. */
export function measurementOf({ facts, minute, day, phases, results }: PlanLimits): PlanMeasurement {
  const { plan, caller, otherCaller, stopped } = facts;
  const requirements = [...results.values()];
  return {
    plan: plan.name,
    perMinute: plan.perMinute,
    perDay: plan.perDay,
    caller,
    ...(otherCaller === undefined ? {} : { otherCaller }),
    ...(stopped === undefined ? {} : { stopped }),
    requirements,
    ...(minute &&
      minute.history.own.length > 0 && {
        algorithm: algorithmOf(minute.diagnosis),
        explanation: explanationRecord(minute.diagnosis, requirements),
      }),
    ...(day && { day: dayRecord(day) }),
    phases,
  };
}

function dayRecord({
  dayMs,
  stretches,
  rejection,
  fresh,
  began,
  clock,
}: DayEvidence): PlanMeasurement['day'] {
  return {
    ...(dayMs === undefined ? {} : { dayMs }),
    stretches: [...stretches],
    ...(rejection && { rejection: rejection.id }),
    fresh,
    ...(began === undefined ? {} : { began }),
    ...(clock && { clock: [...clock] }),
  };
}
