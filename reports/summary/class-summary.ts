import type { RunRecord } from '../../lib/evidence/record/record.js';
import type {
  ClassResult,
  ClassVerdict,
  RequirementResult,
} from '../../lib/evidence/record/requirement-result.js';
import { classOf } from '../../lib/specification/catalogue.js';
import { tally, tallyText, type Tally } from './requirement-outcome.js';

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
  readonly counts: Tally;
  /** Why a class was not selected. */
  readonly reason: string;
}

/** The class of a result; the user's own requirements are in none of the catalogue's. */
export function classOfResult({ id, own }: Pick<RequirementResult, 'id' | 'own'>): ClassResult['id'] {
  return own ? 'own' : classOf(id);
}

/** Every class, with its results and their tally. */
export function classSummaries(record: RunRecord): ClassSummary[] {
  const ids = (Object.keys(classNames) as Array<ClassResult['id']>).filter(
    (id) => id !== 'own' || record.requirements.some(({ own }) => own),
  );
  return ids.map((id) => {
    const results = record.requirements.filter((result) => classOfResult(result) === id);
    const [reason, ...others] = new Set(results.map((result) => result.reason));
    return {
      id,
      name: classNames[id],
      verdict: record.classes.find((one) => one.id === id)?.verdict,
      results,
      counts: tally(results, record),
      reason:
        id === 'own'
          ? `${tallyText(tally(results, record))}; beside the verdict, unless --strict-rules makes them a part of it`
          : others.length === 0 && reason?.startsWith('not selected')
            ? reason
            : 'not selected',
    };
  });
}

/** The results of the classes that the run selected: those that its verdict speaks of. */
export function selectedResults(record: RunRecord): RequirementResult[] {
  const selected = new Set(record.classes.map(({ id }) => id));
  return record.requirements.filter((result) => selected.has(classOfResult(result)));
}
