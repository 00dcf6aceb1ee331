import type { ClassVerdict, RunRecord } from '../../../lib/record/record.js';
import { count } from '../../text/quantity.js';
import { isLoad, loadClaim, loadOutcome, type LoadOutcome } from '../../summary/load-summary.js';
import { classVerdictWords, headlines } from './class-sentences.js';
import type { Outcome } from '../parts/outcome.js';

/** What stands at the head of a report. */
export interface ReportHeadline {
  readonly kind: string;
  /** The run's verdict, with the target as the subject before it. */
  readonly claim: string;
  /** The same in a word or two. */
  readonly word: string;
  /** Whose symbol and colour it has. */
  readonly outcome: Outcome;
}

/** The symbol that stands for a class's verdict. */
export const symbolOfClass = {
  conformant: 'pass',
  partial: 'not-tested',
  incomplete: 'inconclusive',
  'non-conformant': 'fail',
} as const satisfies Record<ClassVerdict, Outcome>;

const ofLoad = {
  kept: { word: 'bounds kept', outcome: 'pass' },
  missed: { word: 'bounds missed', outcome: 'fail' },
  measured: { word: 'measured', outcome: 'observed' },
  unfinished: { word: 'not finished', outcome: 'inconclusive' },
} as const satisfies Record<LoadOutcome, Pick<ReportHeadline, 'word' | 'outcome'>>;

/** A failure that is waived is one: who reads the head alone is not to take the target for one without. */
function partialClaim({ requirements }: RunRecord): string {
  const waived = requirements.filter((row) => row.waived && row.verdict === 'fail').length;
  return waived === 0
    ? headlines.partial
    : `shows no failure but ${waived === 1 ? 'the one' : `the ${count(waived)}`} waived`;
}

/** The head of a report: the verdict on the specification or, of a load, on the bounds that it was given. */
export function headlineOf(record: RunRecord): ReportHeadline {
  if (isLoad(record)) {
    return { kind: 'Load report', claim: loadClaim(record), ...ofLoad[loadOutcome(record)] };
  }
  const { verdict } = record;
  return {
    kind: 'Conformance report',
    claim: verdict === 'partial' ? partialClaim(record) : headlines[verdict],
    word: classVerdictWords[verdict],
    outcome: symbolOfClass[verdict],
  };
}
