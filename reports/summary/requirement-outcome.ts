import type { RequirementResult, RunRecord, Verdict } from '../../lib/record/record.js';
import { failsClass } from '../../lib/verdict/class-verdict.js';

/** What a result means for its reader: its verdict, unless a waiver covers it or a strict run fails its warning. */
export type Outcome = Verdict | 'waived';

/** In the order in which readers look for them. An outcome is never shown by its colour alone. */
export const outcomeTexts = {
  fail: {
    word: 'Failed',
    mark: '✗',
    colour: 'red',
    meaning: 'A MUST of the specification is not met, or a SHOULD in a strict run.',
  },
  warn: {
    word: 'Warning',
    mark: '!',
    colour: 'yellow',
    meaning: 'A SHOULD is not met: a web standard asks for it, the specification does not.',
  },
  waived: {
    word: 'Waived',
    mark: '~',
    colour: 'yellow',
    meaning: 'A known failure, tolerated until a date. It does not fail the run, and it is not a pass.',
  },
  inconclusive: {
    word: 'Inconclusive',
    mark: '?',
    colour: 'dim',
    meaning: 'It was tested, and the responses allow no verdict.',
  },
  'not-tested': {
    word: 'Not tested',
    mark: '-',
    colour: 'dim',
    meaning: 'This run did not test it. The reason is given.',
  },
  'not-applicable': {
    word: 'Not applicable',
    mark: '/',
    colour: 'dim',
    meaning: 'Its condition did not arise.',
  },
  observed: {
    word: 'Observed',
    mark: '·',
    colour: 'dim',
    meaning: 'The specification leaves it open. The report says what the service does.',
  },
  pass: {
    word: 'Passed',
    mark: '✓',
    colour: 'green',
    meaning: 'It was tested at least once, and met every time.',
  },
} as const satisfies Record<Outcome, Record<'word' | 'mark' | 'colour' | 'meaning', string>>;

export const outcomes = Object.keys(outcomeTexts) as Outcome[];

export function outcomeOf(result: RequirementResult, { run }: Pick<RunRecord, 'run'>): Outcome {
  if (result.waived) return 'waived';
  return failsClass(result, { strict: run.strict }) ? 'fail' : result.verdict;
}

/** The results with this outcome, in the order of the catalogue. */
export function resultsWith(record: RunRecord, outcome: Outcome): RequirementResult[] {
  return record.requirements.filter((result) => outcomeOf(result, record) === outcome);
}

/** How many results have each outcome, and how many were not judged. */
export type Tally = Readonly<Record<Outcome | 'not judged', number>>;

export const notJudgedOutcomes = [
  'inconclusive',
  'not-tested',
  'not-applicable',
] as const satisfies Verdict[];

export function tally(results: readonly RequirementResult[], record: Pick<RunRecord, 'run'>): Tally {
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const result of results) counts[outcomeOf(result, record)] += 1;
  return { ...counts, 'not judged': notJudgedOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0) };
}

/** The columns of a table of tallies. */
export const tallyColumns = [
  ['passed', 'pass'],
  ['failed', 'fail'],
  ['waived', 'waived'],
  ['warned', 'warn'],
  ['not judged', 'not judged'],
  ['observed', 'observed'],
] as const satisfies [string, keyof Tally][];

/** `53 passed, 1 failed, 7 observed`. */
export function tallyText(counts: Tally): string {
  const shown = tallyColumns.filter(([, key]) => counts[key] > 0);
  return shown.map(([name, key]) => `${counts[key]} ${name}`).join(', ');
}
