import type { RunRecord } from '../../lib/evidence/record/record.js';
import type {
  ClassResult,
  ClassVerdict,
  RequirementResult,
} from '../../lib/evidence/record/requirement-result.js';
import { classOf } from '../../lib/specification/catalogue.js';
import { tally, tallyText } from './requirement-outcome.js';

/** The classes in the order in which reports name them. */
const classNames = {
  functional: 'Functional',
  limits: 'Limits',
  description: 'Description',
  own: 'Own rules',
} as const satisfies Record<ClassResult['id'], string>;

export interface ClassSummary {
  readonly id: ClassResult['id'];
  readonly name: string;
  /** Undefined if the run did not select the class. */
  readonly verdict: ClassVerdict | undefined;
  readonly results: readonly RequirementResult[];
  /** Its verdict and what came of its requirements, or why it was not selected. */
  readonly text: string;
}

/** The class of a result; the user's own requirements are in none of the catalogue's. */
export function classOfResult({ id, own }: Pick<RequirementResult, 'id' | 'own'>): ClassResult['id'] {
  return own ? 'own' : classOf(id);
}

/** Every class of which the record has requirements. */
export function classSummaries(record: RunRecord): ClassSummary[] {
  return (Object.keys(classNames) as Array<ClassResult['id']>).flatMap((id) => {
    const results = record.requirements.filter((result) => classOfResult(result) === id);
    const [first] = results;
    if (!first) return [];
    const verdict = record.classes.find((one) => one.id === id)?.verdict;
    const counts = tallyText(tally(results, record));
    const reason = first.reason?.startsWith('not selected') ? first.reason : 'not selected';
    const unselected = id === 'own' ? `${counts}; no part of the verdict without --strict-rules` : reason;
    return [
      { id, name: classNames[id], verdict, results, text: verdict ? `${verdict}: ${counts}` : unselected },
    ];
  });
}

/** The results of the classes that the run selected: those that its verdict speaks of. */
export function selectedResults(record: RunRecord): RequirementResult[] {
  const selected = new Set(record.classes.map(({ id }) => id));
  return record.requirements.filter((result) => selected.has(classOfResult(result)));
}
