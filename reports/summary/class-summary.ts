import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { ClassResult, RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { classOf } from '../../lib/specification/catalogue.js';
import type { Fact } from './part.js';
import { tally, tallyText } from './requirement-outcome.js';

/** The classes in the order in which reports name them. */
export const classNames = {
  functional: 'Functional',
  limits: 'Limits',
  description: 'Description',
  own: 'Own rules',
} as const satisfies Record<ClassResult['id'], string>;

/** The class of a result; the user's own requirements are in none of the catalogue's. */
export function classOfResult({ id, own }: Pick<RequirementResult, 'id' | 'own'>): ClassResult['id'] {
  return own ? 'own' : classOf(id);
}

/** The results of each class of which the record has requirements. */
export function resultsByClass(record: RunRecord): [ClassResult['id'], RequirementResult[]][] {
  return (Object.keys(classNames) as ClassResult['id'][])
    .map((id): [ClassResult['id'], RequirementResult[]] => [
      id,
      record.requirements.filter((result) => classOfResult(result) === id),
    ])
    .filter(([, results]) => results.length > 0);
}

/** The results of the classes that the run selected: those that its verdict speaks of. */
export function selectedResults(record: RunRecord): RequirementResult[] {
  const selected = new Set(record.classes.map(({ id }) => id));
  return record.requirements.filter((result) => selected.has(classOfResult(result)));
}

/** A line for each class, its verdict and what came of its requirements, or why it was not selected. */
export function classFacts(record: RunRecord): Fact[] {
  return resultsByClass(record).map(([id, results]) => {
    const verdict = record.classes.find((one) => one.id === id)?.verdict;
    const counts = tallyText(tally(results, record));
    const reason = results[0]?.reason ?? '';
    const unselected = reason.startsWith('not selected') ? reason : 'not selected';
    const own = `${counts}; no part of the verdict without --strict-rules`;
    return [classNames[id], verdict ? `${verdict}: ${counts}` : id === 'own' ? own : unselected];
  });
}
