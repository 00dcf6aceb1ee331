import type { RequirementResult, RunRecord, Verdict } from '../../lib/record/record.js';
import { failsClass } from '../../lib/verdict/class-verdict.js';

/** What a row means for its reader, after strictness and waivers have had their say. */
export const outcomes = ['failed', 'warned', 'waived', 'passed', 'not judged', 'observed'] as const;
export type Outcome = (typeof outcomes)[number];

const outcomeOfVerdict = {
  pass: 'passed',
  fail: 'failed',
  warn: 'warned',
  observed: 'observed',
  inconclusive: 'not judged',
  'not-applicable': 'not judged',
  'not-tested': 'not judged',
} as const satisfies Record<Verdict, Outcome>;

/** A warning of a strict run is a failure; a waived miss is neither. */
export function outcomeOf(row: RequirementResult, { run }: Pick<RunRecord, 'run'>): Outcome {
  if (row.waived) return 'waived';
  return failsClass(row, { strict: run.strict }) ? 'failed' : outcomeOfVerdict[row.verdict];
}

/** How many of the rows have each outcome. */
export function tally(
  rows: readonly RequirementResult[],
  record: Pick<RunRecord, 'run'>,
): Readonly<Record<Outcome, number>> {
  const counts = { failed: 0, warned: 0, waived: 0, passed: 0, 'not judged': 0, observed: 0 };
  for (const row of rows) counts[outcomeOf(row, record)] += 1;
  return counts;
}
