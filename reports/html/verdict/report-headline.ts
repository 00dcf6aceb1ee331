import type { ClassVerdict, RunRecord } from '../../../lib/record/record.js';
import { count } from '../figures.js';
import { isLoad, loadClaim, loadOutcome, type LoadOutcome } from '../../load.js';
import { classVerdictWords, headlines } from './class-sentences.js';
import type { Standing } from './standing.js';

/** What stands at the head of a report. */
export interface ReportHeadline {
  readonly kind: string;
  /** The run's verdict, with the target as the subject before it. */
  readonly claim: string;
  /** The same in a word or two. */
  readonly word: string;
  /** Whose symbol and colour it has. */
  readonly standing: Standing;
}

/** The symbol that stands for a class's verdict. */
export const symbolOfClass = {
  conformant: 'pass',
  partial: 'not-tested',
  incomplete: 'inconclusive',
  'non-conformant': 'fail',
} as const satisfies Record<ClassVerdict, Standing>;

const ofLoad = {
  kept: { word: 'bounds kept', standing: 'pass' },
  missed: { word: 'bounds missed', standing: 'fail' },
  measured: { word: 'measured', standing: 'observed' },
  unfinished: { word: 'not finished', standing: 'inconclusive' },
} as const satisfies Record<LoadOutcome, Pick<ReportHeadline, 'word' | 'standing'>>;

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
    standing: symbolOfClass[verdict],
  };
}
