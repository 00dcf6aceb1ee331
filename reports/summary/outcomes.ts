import type { RunRecord } from '../../lib/evidence/record/record.js';
import type {
  ClassResult,
  RequirementResult,
  Verdict,
} from '../../lib/evidence/record/requirement-result.js';
import { classOf } from '../../lib/specification/catalogue.js';
import { failsClass } from '../../lib/verdict/class-verdict.js';
import type { Fact } from '../text.js';

/** What a result means for its reader: its verdict, unless a waiver covers it or a strict run fails its warning. */
export type Outcome = Verdict | 'waived';

/** How outcomes are shown, never by colour alone, in the order in which readers look for them. */
export const outcomeTexts = {
  fail: { word: 'Failed', mark: '✗', colour: 'red' },
  warn: { word: 'Warning', mark: '!', colour: 'yellow' },
  waived: { word: 'Waived', mark: '~', colour: 'yellow' },
  inconclusive: { word: 'Inconclusive', mark: '?', colour: 'dim' },
  'not-tested': { word: 'Not tested', mark: '-', colour: 'dim' },
  'not-applicable': { word: 'Not applicable', mark: '/', colour: 'dim' },
  observed: { word: 'Observed', mark: '·', colour: 'dim' },
  pass: { word: 'Passed', mark: '✓', colour: 'green' },
} as const satisfies Record<Outcome, object>;

export const outcomes = Object.keys(outcomeTexts) as Outcome[];

export function outcomeOf(result: RequirementResult, { run }: Pick<RunRecord, 'run'>): Outcome {
  if (result.waived) return 'waived';
  return failsClass(result, { strict: run.strict }) ? 'fail' : result.verdict;
}

/** A verdict in a sentence: `not tested`. */
export function verdictText(verdict: Verdict): string {
  return verdict.replace('-', ' ');
}

export const notJudgedOutcomes = ['inconclusive', 'not-tested', 'not-applicable'] as const;

/** Whether nothing was found of the service, neither good nor bad. */
export function isNotJudged(outcome: Outcome): boolean {
  return notJudgedOutcomes.some((one) => one === outcome);
}

/** What results are counted by, in the order in which a sentence names them. */
const tallyWords = {
  pass: 'passed',
  fail: 'failed',
  waived: 'waived',
  warn: 'warned',
  'not judged': 'not judged',
  observed: 'observed',
} as const;
type Tally = Record<keyof typeof tallyWords, number>;

/** How many results have each outcome. */
export function tally(results: readonly RequirementResult[], record: Pick<RunRecord, 'run'>): Tally {
  const counts: Tally = { pass: 0, fail: 0, waived: 0, warn: 0, 'not judged': 0, observed: 0 };
  for (const result of results) {
    const own = outcomeOf(result, record);
    counts[own in counts ? (own as keyof Tally) : 'not judged'] += 1;
  }
  return counts;
}

/** `53 passed, 1 failed, 7 observed`. */
export function tallyText(counts: Tally): string {
  const shown = (Object.keys(tallyWords) as (keyof Tally)[]).filter((key) => counts[key] > 0);
  return shown.map((key) => `${counts[key]} ${tallyWords[key]}`).join(', ');
}

/** The classes in the order in which reports name them. */
export const classNames = {
  functional: 'Functional',
  limits: 'Limits',
  description: 'Description',
  own: 'Own rules',
} as const satisfies Record<ClassResult['id'], string>;

/** The class of a result; the user's own requirements are in none of the catalogue's. */
export function classOfResult({ id, own }: Pick<RequirementResult, 'id' | 'own'>): ClassResult['id'] {
  return own ? 'own' : classOf(id);
}

/** The results of each class of which the record has requirements. */
export function resultsByClass(record: RunRecord): [ClassResult['id'], RequirementResult[]][] {
  return (Object.keys(classNames) as ClassResult['id'][])
    .map((id): [ClassResult['id'], RequirementResult[]] => [
      id,
      record.requirements.filter((result) => classOfResult(result) === id),
    ])
    .filter(([, results]) => results.length > 0);
}

/** The results of the classes that the run selected: those that its verdict speaks of. */
export function selectedResults(record: RunRecord): RequirementResult[] {
  const selected = new Set(record.classes.map(({ id }) => id));
  return record.requirements.filter((result) => selected.has(classOfResult(result)));
}

/** A line for each class, its verdict and what came of its requirements, or why it was not selected. */
export function classFacts(record: RunRecord): Fact[] {
  return resultsByClass(record).map(([id, results]) => {
    const verdict = record.classes.find((one) => one.id === id)?.verdict;
    const counts = tallyText(tally(results, record));
    const reason = results[0]?.reason ?? '';
    const unselected = reason.startsWith('not selected') ? reason : 'not selected';
    const own = `${counts}; no part of the verdict without --strict-rules`;
    return [classNames[id], verdict ? `${verdict}: ${counts}` : id === 'own' ? own : unselected];
  });
}
