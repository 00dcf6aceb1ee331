import {
  catalogue,
  classOf,
  isRequirementId,
  type RequirementClass,
} from '../../../lib/specification/catalogue.js';
import type { ClassVerdict, RequirementResult, RunRecord, Verdict } from '../../../lib/record/record.js';
import { count, counted, listed } from '../../text/quantity.js';
import { outcomeCounts } from '../parts/outcome.js';

export const classNames = {
  functional: 'Functional',
  limits: 'Limits under load',
  description: 'Interface description',
} as const satisfies Record<RequirementClass, string>;

export const classVerdictWords = {
  conformant: 'conformant',
  partial: 'partial',
  incomplete: 'incomplete',
  'non-conformant': 'non-conformant',
} as const satisfies Record<ClassVerdict, string>;

export function rowsOfClass(record: RunRecord, id: RequirementClass): RequirementResult[] {
  return record.requirements.filter((row) => isRequirementId(row.id) && classOf(row.id) === id);
}

const were = (value: number): string => (value === 1 ? 'was' : 'were');

/** The MUST rows of a class, told apart by what became of them. */
interface Tally {
  readonly judged: number;
  readonly failed: number;
  readonly waived: number;
  readonly unjudged: number;
  /** Warnings that no waiver covers. */
  readonly warned: number;
}

function tally(rows: readonly RequirementResult[]): Tally {
  const binding = rows.filter((row) => row.level === 'MUST');
  const those = (verdicts: readonly Verdict[]) => binding.filter((row) => verdicts.includes(row.verdict));
  return {
    judged: those(['pass', 'fail']).length,
    failed: those(['fail']).filter((row) => !row.waived).length,
    waived: those(['fail']).filter((row) => row.waived).length,
    unjudged: those(['inconclusive', 'not-tested']).length,
    warned: rows.filter((row) => row.verdict === 'warn' && !row.waived).length,
  };
}

const besides = (warned: number): string => (warned > 0 ? `; ${counted(warned, 'warning')}` : '');

const clauses = {
  conformant: ({ judged, warned }) =>
    `no failure, and every MUST requirement that applies was judged (${count(judged)})${besides(warned)}`,
  partial: ({ judged, unjudged, waived, warned }) =>
    [
      `no ${waived > 0 ? 'unwaived ' : ''}failure among the ${counted(judged, 'MUST requirement')} judged`,
      ...(unjudged > 0 ? [`${count(unjudged)} ${were(unjudged)} not selected`] : []),
      ...(waived > 0 ? [`${counted(waived, 'failure')} ${waived === 1 ? 'is' : 'are'} waived`] : []),
    ].join('; ') + besides(warned),
  incomplete: ({ judged, unjudged }) =>
    `no failure among the ${counted(judged, 'MUST requirement')} judged, but ${count(unjudged)} ${were(unjudged)} not judged`,
  'non-conformant': ({ judged, failed, warned, unjudged }) =>
    (failed === 0 && warned > 0
      ? `${counted(warned, 'warning')}, and a strict run admits none`
      : `${count(failed)} of the ${counted(judged, 'MUST requirement')} judged ${failed === 1 ? 'fails' : 'fail'}`) +
    (unjudged > 0 ? `; ${count(unjudged)} ${were(unjudged)} not judged` : ''),
} as const satisfies Record<ClassVerdict, (tally: Tally) => string>;

/** The verdict of a class in one sentence. */
export function classSentence(verdict: ClassVerdict, rows: readonly RequirementResult[]): string {
  return `${classVerdictWords[verdict]}: ${clauses[verdict](tally(rows))}.`;
}

/** The honest counts of a class: what was not judged stands beside what passed. */
export function countsSentence(rows: readonly RequirementResult[]): string {
  const counts = outcomeCounts(rows);
  const unjudged = counts.inconclusive + counts['not-applicable'] + counts['not-tested'];
  const reasons = [
    ...(counts.inconclusive > 0 ? [`${count(counts.inconclusive)} inconclusive`] : []),
    ...(counts['not-applicable'] > 0 ? [`${count(counts['not-applicable'])} not applicable`] : []),
    ...(counts['not-tested'] > 0 ? [`${count(counts['not-tested'])} not tested`] : []),
  ];
  const parts = [
    `${count(counts.pass)} passed`,
    `${count(counts.fail)} failed`,
    ...(counts.waived > 0 ? [`${count(counts.waived)} waived`] : []),
    counted(counts.warn, 'warning'),
    `${count(counts.observed)} observed`,
    `${count(unjudged)} not judged${reasons.length > 0 ? ` (${listed(reasons)})` : ''}`,
  ];
  return `Of ${counted(rows.length, 'requirement')}: ${parts.join(', ')}.`;
}

/** What a run says of a class that it did not select. */
export function unselectedSentence(id: RequirementClass): string {
  const requirements = catalogue.filter((row) => classOf(row.id) === id).length;
  return `not judged: this run claims nothing of its ${counted(requirements, 'requirement')}.`;
}

/** The verdict of the run as the report's headline, with the target as its subject. */
export const headlines = {
  conformant: 'conforms in all that was judged',
  partial: 'shows no failure in what was judged',
  incomplete: 'could not be judged in full',
  'non-conformant': 'does not conform',
} as const satisfies Record<ClassVerdict, string>;
