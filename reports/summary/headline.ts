import type { ClassVerdict, RequirementResult, RunRecord } from '../../lib/record/record.js';
import { failsClass } from '../../lib/verdict/class-verdict.js';
import { isLoad, loadClaim } from './load-summary.js';
import { requirementClasses, rowsOfSelectedClasses } from './requirement-classes.js';

/**
 * The run's verdict in one sentence, with what it does not claim: the classes that were not selected and the misses
 * that are waived.
 */
export function headline(record: RunRecord): string {
  if (isLoad(record)) return `${subjectOf(record)} ${loadClaim(record)}; nothing is claimed of conformance`;
  const selected = new Set(record.classes.map(({ id }) => id));
  const unclaimed = requirementClasses.filter((id) => !selected.has(id));
  const waived = record.requirements.filter((row) => row.waived).length;
  return [
    `${subjectOf(record)} ${claims[record.verdict](rowsOfSelectedClasses(record), record)}`,
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(unclaimed.length > 0 ? [`nothing is claimed of ${unclaimed.join(' and ')}`] : []),
  ].join('; ');
}

/** The target as the subject of a sentence; one that was given on the spot has no name of its own. */
export function subjectOf({ target }: Pick<RunRecord, 'target'>): string {
  return target.name === unnamedTarget ? 'The target' : target.name;
}

/** What a target is called that was given by its address alone. */
export const unnamedTarget = 'target';

type Claim = (rows: readonly RequirementResult[], record: RunRecord) => string;

const claims = {
  conformant: (_, { classes }) => `meets every MUST of ${classes.map(({ id }) => id).join(' and ')}`,
  partial: (rows) => {
    const left = rows.filter((row) => row.level === 'MUST' && row.verdict === 'not-tested').length;
    const waived = rows.some((row) => row.waived && row.verdict === 'fail');
    return `has no ${waived ? 'unwaived ' : ''}failure among what was judged${left > 0 ? `, and ${left} MUST not selected` : ''}`;
  },
  incomplete: (rows) => {
    const open = unjudged(rows);
    return open > 0 ? `could not be judged on ${open} MUST` : 'could not be judged in full';
  },
  'non-conformant': (rows, { run }) => {
    const failed = rows.filter((row) => failsClass(row, { strict: run.strict })).length;
    const open = unjudged(rows);
    return `misses ${failed} requirement${failed === 1 ? '' : 's'}${open > 0 ? `, and ${open} MUST could not be judged` : ''}`;
  },
} as const satisfies Record<ClassVerdict, Claim>;

/** The MUST that were selected and could not be judged. */
function unjudged(rows: readonly RequirementResult[]): number {
  return rows.filter(
    ({ level, verdict, selected }) =>
      level === 'MUST' && (verdict === 'inconclusive' || (verdict === 'not-tested' && selected === true)),
  ).length;
}
