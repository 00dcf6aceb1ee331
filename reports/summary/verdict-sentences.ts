import type { ClassVerdict, RequirementResult, RunRecord } from '../../lib/record/record.js';
import { causesOf } from '../../lib/verdict/causes.js';
import { leavesClassOpen } from '../../lib/verdict/class-verdict.js';
import { count, list } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import { classNames, classSummaries, selectedResults } from './class-summary.js';
import { isLoad, loadOutcome, loadOutcomes, loadSentence } from './load-summary.js';
import { isSelfCheck, selfCheck } from './self-check.js';
import { notJudgedOutcomes, outcomeOf, tally, type Outcome } from './requirement-outcome.js';

/** What a target is called that was given by its address alone. */
export const unnamedTarget = 'target';

/** The target as the subject of a sentence. */
export function subjectOf({ target }: Pick<RunRecord, 'target'>): string {
  if (isSelfCheck({ target })) return 'The embedded reference service';
  return target.name === unnamedTarget ? 'The target' : target.name;
}

/** The outcome whose mark and colour a verdict has. */
export const outcomeOfVerdict = {
  conformant: 'pass',
  partial: 'not-tested',
  incomplete: 'inconclusive',
  'non-conformant': 'fail',
} as const satisfies Record<ClassVerdict, Outcome>;

/** The verdict of a run in a word or two: on the specification or, of a load, on its bounds. */
export function verdictOf(record: RunRecord): { kind: string; word: string; outcome: Outcome } {
  if (isLoad(record)) return { kind: 'Load report', ...loadOutcomes[loadOutcome(record)] };
  const { verdict } = record;
  return { kind: 'Conformance report', word: verdict, outcome: outcomeOfVerdict[verdict] };
}

/** The verdict of a run in a few sentences, with what the run did not test: `15 requirements failed. …` */
export function headline(record: RunRecord): string {
  const about = isSelfCheck(record) ? [selfCheck] : [];
  if (isLoad(record)) return [...about, loadSentence(record), 'A load judges no requirement.'].join(' ');
  const { obstacle, run, target } = record;
  if (wasNothingJudged(record))
    return obstacle === undefined
      ? `Nothing of ${target.baseUrl} was judged: ${run.stopped ?? 'no reason is known'}.`
      : `${obstacle} Nothing was judged.`;
  const untested = classSummaries(record).filter(({ verdict }) => verdict === undefined);
  const names = list(untested.map(({ id }) => classNames[id].toLowerCase()));
  const plural = untested.length > 1 || untested[0]?.id !== 'description';
  return [
    ...about,
    ...(obstacle === undefined ? [] : [obstacle]),
    verdictSentences(selectedResults(record), record),
    ...(names === '' ? [] : [`${capitalized(names)} ${plural ? 'were' : 'was'} not tested.`]),
  ].join(' ');
}

/** Whether an obstacle, or the end of the run, kept everything from being judged. */
export function wasNothingJudged(record: RunRecord): boolean {
  const isUnjudged = (result: RequirementResult): boolean =>
    notJudgedOutcomes.some((outcome) => outcome === result.verdict);
  return (
    (record.obstacle !== undefined || !record.run.complete) &&
    !isLoad(record) &&
    record.requirements.every(isUnjudged)
  );
}

/** Requirements that a sentence names. */
const idsNamed = 5;

/** What was found in the results of a class, or of all that were selected. */
export function verdictSentences(
  results: readonly RequirementResult[],
  record: Pick<RunRecord, 'run'>,
): string {
  const { fail, waived, warn } = tally(results, record);
  const causes = causesOf(results.filter((result) => outcomeOf(result, record) === 'fail')).length;
  const must = results.filter(({ level }) => level === 'MUST');
  const open = must.filter(leavesClassOpen).length;
  const leftOut = must.filter((one) => one.verdict === 'not-tested' && one.selected !== true);
  const notTested = leftOut.length;
  const which = notTested > idsNamed ? '' : ` (${requirementRanges(leftOut.map(({ id }) => id))})`;
  const whole = open + notTested + waived === 0;
  const passed = must.filter(({ verdict }) => verdict === 'pass').length;
  return [
    fail > 0 &&
      `${count(fail, 'requirement')} failed${causes > 0 && causes < fail ? ` (${count(causes, 'cause')})` : ''}.`,
    waived > 0 && `${count(waived, 'known failure')} ${was(waived)} waived.`,
    fail === 0 && whole && `All ${count(passed, 'MUST requirement')} that ${applies(passed)} passed.`,
    fail === 0 &&
      !whole &&
      passed > 0 &&
      `No ${waived > 0 ? 'other failures' : 'failures'} in what was tested.`,
    warn > 0 && `${count(warn, 'warning')}.`,
    open > 0 && `${count(open, 'MUST requirement')} could not be judged.`,
    notTested > 0 && `${count(notTested, 'MUST requirement')} ${was(notTested)} not tested${which}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

const was = (value: number): string => (value === 1 ? 'was' : 'were');
const applies = (value: number): string => (value === 1 ? 'applies' : 'apply');

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
