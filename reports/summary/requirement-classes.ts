import { classOf, isRequirementId, type RequirementClass } from '../../lib/specification/catalogue.js';
import type { RequirementResult, RunRecord } from '../../lib/record/record.js';

/** The classes in the order in which reports name them. */
export const requirementClasses = [
  'functional',
  'limits',
  'description',
] as const satisfies RequirementClass[];

/** A row's class; the schema admits only ids of the catalogue. */
export function classOfRow({ id }: Pick<RequirementResult, 'id'>): RequirementClass {
  if (!isRequirementId(id)) throw new Error(`no requirement ${id} in the catalogue`);
  return classOf(id);
}

/** The rows of the classes that the run selected: those that its verdict speaks of. */
export function rowsOfSelectedClasses(record: RunRecord): RequirementResult[] {
  const selected = new Set(record.classes.map(({ id }) => id));
  return record.requirements.filter((row) => selected.has(classOfRow(row)));
}
