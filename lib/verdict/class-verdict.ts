import { classOf, isRequirementId, type RequirementClass } from '../specification/catalogue.js';
import {
  verdicts,
  type ClassResult,
  type ClassVerdict,
  type RequirementResult,
  type Verdict,
} from '../record/record.js';

/** What of a row decides over its class. */
export type JudgedRow = Pick<RequirementResult, 'level' | 'verdict'> &
  Partial<Pick<RequirementResult, 'selected' | 'waived'>>;

export interface Strictness {
  /** `--strict`: a missed SHOULD counts as a failed MUST. */
  readonly strict?: boolean | undefined;
}

/** Best to worst; a run is as good as its worst class. */
const severity = {
  conformant: 0,
  partial: 1,
  incomplete: 2,
  'non-conformant': 3,
} as const satisfies Record<ClassVerdict, number>;

/** True where the row fails its class: a failure, or a warning of a strict run, that no waiver covers. */
export function failsClass(row: JudgedRow, { strict }: Strictness): boolean {
  if (row.waived) return false;
  return row.verdict === 'fail' || (strict === true && row.verdict === 'warn');
}

/**
 * The verdict of one class from its rows: `non-conformant` if a MUST fails; else `incomplete` if a selected MUST could
 * not be judged; else `partial` if a MUST was not selected or its failure is waived; else `conformant`.
 *
 * A waived failure stays a miss of the specification: it does not fail the run, and the class is not called conformant.
 */
export function classVerdict(rows: readonly JudgedRow[], strictness: Strictness = {}): ClassVerdict {
  if (rows.some((row) => failsClass(row, strictness))) return 'non-conformant';
  const binding = rows.filter((row) => row.level === 'MUST');
  if (binding.some(couldNotBeJudged)) return 'incomplete';
  const leftOpen = binding.some((row) => row.verdict === 'not-tested' || row.verdict === 'fail');
  return leftOpen || rows.length === 0 ? 'partial' : 'conformant';
}

function couldNotBeJudged(row: JudgedRow): boolean {
  return row.verdict === 'inconclusive' || (row.verdict === 'not-tested' && row.selected === true);
}

/** The verdict of the run: that of its worst class. A run without a class has judged nothing: `incomplete`. */
export function runVerdict(classes: readonly Pick<ClassResult, 'verdict'>[]): ClassVerdict {
  return classes.reduce<ClassVerdict>(
    (worst, { verdict }) => (severity[verdict] > severity[worst] ? verdict : worst),
    classes.length === 0 ? 'incomplete' : 'conformant',
  );
}

/** The class's line of the record, from the rows of the whole run: its verdict, its counts and how many are waived. */
export function classResult(
  id: RequirementClass,
  rows: readonly (JudgedRow & Pick<RequirementResult, 'id'>)[],
  strictness: Strictness = {},
): ClassResult {
  const own = rows.filter((row) => isRequirementId(row.id) && classOf(row.id) === id);
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const row of own) counts[row.verdict] += 1;
  const waived = own.filter((row) => row.waived).length;
  return { id, verdict: classVerdict(own, strictness), counts, ...(waived > 0 && { waived }) };
}
