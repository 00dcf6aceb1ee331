import type { RequirementResult, Verdict } from '../../../lib/record/record.js';

/** How a requirement stands in the report: its verdict, or `waived` where a waiver covers its failure. */
export type Standing = Verdict | 'waived';

export interface StandingText {
  /** The word beside the symbol: a verdict is never told by colour alone. */
  readonly word: string;
  readonly meaning: string;
}

/** In the order in which readers look for them. */
export const standingTexts = {
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
} as const satisfies Record<Standing, StandingText>;

export const standings = Object.keys(standingTexts) as Standing[];

export function standingOf(row: Pick<RequirementResult, 'verdict' | 'waived'>): Standing {
  return row.waived && (row.verdict === 'fail' || row.verdict === 'warn') ? 'waived' : row.verdict;
}

/** How many rows stand how. */
export function standingCounts(
  rows: readonly Pick<RequirementResult, 'verdict' | 'waived'>[],
): Record<Standing, number> {
  const counts = Object.fromEntries(standings.map((standing) => [standing, 0])) as Record<Standing, number>;
  for (const row of rows) counts[standingOf(row)] += 1;
  return counts;
}
