import '../../../suites/limits.suite.js';
import type { PlanMeasurement, RequirementResult } from '../../record/record.js';
import { declaredProbes } from '../../requirement/requirement.js';
import type { Probe } from '../../requirement/requirement.js';
import { notTestedResult } from '../../verdict/judgement.js';
import { NotTested } from '../../verdict/outcome.js';
import { Judgement } from '../../verdict/judgement.js';
import type { LimitsOfRun, PlanLimits } from '../limits-of-run.js';
import type { MinuteRun } from '../minute-run.js';

/** A minute's run with the results that the suite's requirements come to. */
export interface JudgedRun extends Omit<MinuteRun, 'measurement'> {
  readonly measurement: PlanMeasurement;
}

/** Judges what was sent with the keys of some plans, as the requirements of the limits declare it. */
export async function judgedRuns(runs: readonly MinuteRun[]): Promise<JudgedRun[]> {
  const plans = runs.map(({ evidence, measurement }): PlanLimits => ({
    plan: evidence.plan,
    minute: evidence,
    measurement,
    results: new Map(),
  }));
  await judgeLimits({ plans, created: [], notes: [] });
  return runs.map((run, index) => ({
    ...run,
    measurement: { ...run.measurement, requirements: [...(plans[index]?.results.values() ?? [])] },
  }));
}

/** The results of all requirements of the limits. */
export async function judgeLimits(limits: LimitsOfRun): Promise<RequirementResult[]> {
  const declared = declaredProbes().filter(({ phase }) => phase === 'limits');
  return Promise.all(
    declared.map(async ({ id, judge }) => {
      const judgement = new Judgement(id);
      try {
        return (
          (await judge({ judgement, limits: async () => limits } as unknown as Probe)) ?? judgement.result()
        );
      } catch (error) {
        if (error instanceof NotTested) return notTestedResult(id, error.message);
        throw error;
      }
    }),
  );
}
