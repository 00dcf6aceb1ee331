import type { PlanMeasurement, RequirementResult } from '../record/record.js';
import type { Probe } from '../requirement/requirement.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Plan } from '../specification/plan.js';
import { leastFavourable } from '../verdict/compare-verdict.js';
import { NotTested } from '../verdict/outcome.js';
import { Judgement } from '../verdict/judgement.js';
import type { LimitEvidence } from './evidence.js';
import type { DayEvidence } from './judge-day.js';

/** What was sent with the key of one plan, and what is judged of it. */
export interface PlanLimits {
  readonly plan: Plan;
  readonly minute?: LimitEvidence | undefined;
  readonly day?: DayEvidence | undefined;
  readonly measurement: Readonly<Omit<PlanMeasurement, 'requirements' | 'phases'>> & {
    readonly phases: readonly PlanMeasurement['phases'][number][];
  };
  /** The results for this plan alone, by requirement. */
  readonly results: Map<RequirementId, RequirementResult>;
}

/** What the limits of all plans of a run came to. */
export interface LimitsOfRun {
  readonly plans: readonly PlanLimits[];
  /** What became of the key that was given to be banned. */
  readonly ban?: RequirementResult | undefined;
  readonly created: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly notes: readonly string[];
  /** Why the probes did not get to their end. */
  readonly stopped?: string | undefined;
}

type JudgeMinute = (judgement: Judgement, evidence: LimitEvidence, plans: readonly LimitEvidence[]) => void;

/** Judges the minute of each plan whose key was measured; the result is the least favourable of them. */
export function eachMinute(judge: JudgeMinute): (probe: Probe) => Promise<RequirementResult> {
  return eachPlan('no plan was measured', ({ minute }, all) => {
    const minutes = all.flatMap((plan) => plan.minute ?? []);
    return minute && ((judgement) => judge(judgement, minute, minutes));
  });
}

/** The same, of the day. */
export function eachDay(
  judge: (judgement: Judgement, day: DayEvidence) => void,
): (probe: Probe) => Promise<RequirementResult> {
  return eachPlan(
    'the day is counted with --limits=day',
    ({ day }) => day && ((judgement) => judge(judgement, day)),
  );
}

function eachPlan(
  reason: string,
  judgementOf: (plan: PlanLimits, all: readonly PlanLimits[]) => ((judgement: Judgement) => void) | undefined,
): (probe: Probe) => Promise<RequirementResult> {
  return async ({ limits, judgement: { id } }) => {
    const { plans } = await limits();
    for (const plan of plans) {
      const judge = judgementOf(plan, plans);
      if (judge) plan.results.set(id, judged(id, judge));
    }
    const results = plans.flatMap(({ plan, results }) => {
      const row = results.get(id);
      return row ? [{ plan: plan.name, row }] : [];
    });
    const result = leastFavourable(results);
    if (!result) throw new NotTested(reason);
    return result;
  };
}

function judged(id: RequirementId, judge: (judgement: Judgement) => void): RequirementResult {
  const judgement = new Judgement(id);
  try {
    judge(judgement);
    return judgement.result();
  } catch (error) {
    return judgement.result(error);
  }
}
