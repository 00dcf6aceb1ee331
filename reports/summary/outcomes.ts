import type { RunRecord, ClassResult, RequirementResult, Verdict } from '../../lib/evidence/record/record.js';
import { classOfResult, failsClass } from '../../lib/verdict/class-verdict.js';
import { type Fact, groupBy } from '../text.js';

/** What a result means for its reader: its verdict, unless a waiver covers it or a strict run fails its warning. */
export type Outcome = Verdict | 'waived';

/** How outcomes are shown, never by colour alone, in the order in which readers look for them; and what they count as. */
export const outcomeTexts = {
  fail: { word: 'Failed', mark: '✗', colour: 'red', counted: 'failed' },
  warn: { word: 'Warning', mark: '!', colour: 'yellow', counted: 'warned' },
  waived: { word: 'Waived', mark: '~', colour: 'yellow', counted: 'waived' },
  inconclusive: { word: 'Inconclusive', mark: '?', colour: 'dim', counted: 'not judged' },
  'not-tested': { word: 'Not tested', mark: '-', colour: 'dim', counted: 'not judged' },
  'not-applicable': { word: 'Not applicable', mark: '/', colour: 'dim', counted: 'not judged' },
  observed: { word: 'Observed', mark: '·', colour: 'dim', counted: 'observed' },
  pass: { word: 'Passed', mark: '✓', colour: 'green', counted: 'passed' },
} as const satisfies Record<Outcome, object>;

export const outcomes = Object.keys(outcomeTexts) as Outcome[];

export function outcomeOf(result: RequirementResult, { run }: Pick<RunRecord, 'run'>): Outcome {
  if (result.waived) return 'waived';
  return failsClass(result, run) ? 'fail' : result.verdict;
}

export function verdictText(verdict: Outcome): string {
  return verdict.replace('-', ' ');
}

/** Whether nothing was found of the service, neither good nor bad. */
export function isNotJudged(outcome: Outcome): boolean {
  return outcomeTexts[outcome].counted === 'not judged';
}

/** How many results count as what, in the order in which a sentence names them. */
export function tally(results: readonly RequirementResult[], record: Pick<RunRecord, 'run'>) {
  const counts = { passed: 0, failed: 0, waived: 0, warned: 0, 'not judged': 0, observed: 0 };
  for (const result of results) counts[outcomeTexts[outcomeOf(result, record)].counted] += 1;
  return counts;
}

/** `53 passed, 1 failed, 7 observed`. */
export function tallyText(results: readonly RequirementResult[], record: Pick<RunRecord, 'run'>): string {
  const counts = Object.entries(tally(results, record)).filter(([, number]) => number > 0);
  return counts.map(([name, number]) => `${number} ${name}`).join(', ');
}

export const classNames = {
  functional: 'Functional',
  limits: 'Limits',
  description: 'Description',
  own: 'Own rules',
} as const satisfies Record<ClassResult['id'], string>;

/** The results of the classes that the run selected: those that its verdict speaks of. */
export function selectedResults({ classes, requirements }: RunRecord): RequirementResult[] {
  return requirements.filter((result) => classes.some(({ id }) => id === classOfResult(result)));
}

/** A line for each class, its verdict and what came of its requirements, or why it was not selected. */
export function classFacts(record: RunRecord): Fact[] {
  return [...groupBy(record.requirements, classOfResult)].map(([id, results]) => {
    const verdict = record.classes.find((one) => one.id === id)?.verdict;
    const counts = tallyText(results, record);
    const reason = results[0]?.reason ?? '';
    const unselected = reason.startsWith('not selected') ? reason : 'not selected';
    const own = `${counts}; no part of the verdict without --strict-rules`;
    return [classNames[id], verdict ? `${verdict}: ${counts}` : id === 'own' ? own : unselected];
  });
}
