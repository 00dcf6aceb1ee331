import type { RequirementResult, Verdict } from '../../../lib/record/record.js';

/** How a requirement stands in the report: its verdict, or `waived` where a waiver covers its failure. */
export type Outcome = Verdict | 'waived';

export interface OutcomeText {
  /** The word beside the symbol: a verdict is never told by colour alone. */
  readonly word: string;
  readonly meaning: string;
}

/** In the order in which readers look for them. */
export const outcomeTexts = {
  fail: { word: 'Fail', meaning: 'A MUST of the specification is missed. The service does not conform.' },
  warn: {
    word: 'Warning',
    meaning:
      'A SHOULD is missed: a web standard asks it, or careful readers expect it, while the specification is silent.',
  },
  waived: {
    word: 'Waived',
    meaning: 'A miss that someone answers for until a date. It does not fail the run, and it is no pass.',
  },
  inconclusive: {
    word: 'Inconclusive',
    meaning: 'It was tried, and the answers allow no judgement.',
  },
  'not-tested': {
    word: 'Not tested',
    meaning: 'This run did not try: not selected, read-only, or over the budget.',
  },
  'not-applicable': { word: 'Not applicable', meaning: 'Its condition did not arise.' },
  observed: {
    word: 'Observed',
    meaning: 'The specification leaves it open. The report says what the service does.',
  },
  pass: { word: 'Pass', meaning: 'Judged on at least one exchange, and met on all.' },
} as const satisfies Record<Outcome, OutcomeText>;

export const outcomes = Object.keys(outcomeTexts) as Outcome[];

export function outcomeOf(row: Pick<RequirementResult, 'verdict' | 'waived'>): Outcome {
  return row.waived && (row.verdict === 'fail' || row.verdict === 'warn') ? 'waived' : row.verdict;
}

/** How many rows stand how. */
export function outcomeCounts(
  rows: readonly Pick<RequirementResult, 'verdict' | 'waived'>[],
): Record<Outcome, number> {
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const row of rows) counts[outcomeOf(row)] += 1;
  return counts;
}
