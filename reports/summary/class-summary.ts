import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { ClassVerdict, RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { classOf, type RequirementClass } from '../../lib/specification/catalogue.js';
import { tally, type Tally } from './requirement-outcome.js';

/** The classes in the order in which reports name them. */
export const classNames = {
  functional: 'Functional requirements',
  limits: 'Limits',
  description: 'Description',
} as const satisfies Record<RequirementClass, string>;

export interface ClassSummary {
  readonly id: RequirementClass;
  readonly name: string;
  /** Undefined if the run did not select the class. */
  readonly verdict: ClassVerdict | undefined;
  readonly results: readonly RequirementResult[];
  readonly counts: Tally;
  /** Why a class was not selected. */
  readonly reason: string;
}

/** Every class, with its results and their tally. */
export function classSummaries(record: RunRecord): ClassSummary[] {
  return (Object.keys(classNames) as RequirementClass[]).map((id) => {
    const results = record.requirements.filter((result) => classOf(result.id) === id);
    const [reason, ...others] = new Set(results.map((result) => result.reason));
    return {
      id,
      name: classNames[id],
      verdict: record.classes.find((one) => one.id === id)?.verdict,
      results,
      counts: tally(results, record),
      reason: others.length === 0 && reason?.startsWith('not selected') ? reason : 'not selected',
    };
  });
}

/** The results of the classes that the run selected: those that its verdict speaks of. */
export function selectedResults(record: RunRecord): RequirementResult[] {
  const selected = new Set(record.classes.map(({ id }) => id));
  return record.requirements.filter((result) => selected.has(classOf(result.id)));
}
