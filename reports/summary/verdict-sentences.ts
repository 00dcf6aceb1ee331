import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { ClassVerdict, RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { causesOf } from '../../lib/verdict/causes.js';
import { leavesClassOpen } from '../../lib/verdict/class-verdict.js';
import { exitCode } from '../../lib/verdict/exit-status.js';
import { capitalized, count, list } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import { classSummaries, selectedResults } from './class-summary.js';
import { isLoad, loadOutcome, loadOutcomes, loadSentence } from './load-summary.js';
import { isNotJudged, outcomeOf, tally, type Outcome } from './requirement-outcome.js';
import { isSelfCheck, selfCheck } from './self-check.js';

/** What a target is called that was given by its address alone. */
export const unnamedTarget = 'target';

/** The outcome whose mark and colour a verdict has. */
const outcomeOfVerdict = {
  conformant: 'pass',
  partial: 'not-tested',
  incomplete: 'inconclusive',
  'non-conformant': 'fail',
} as const satisfies Record<ClassVerdict, Outcome>;

/**
 * The verdict of a run in a word or two: on the specification or, of a load, on its bounds. It says nothing else than the
 * exit code: a run that is conformant but for its waivers is not called so.
 */
export function verdictOf(record: RunRecord): { kind: string; word: string; outcome: Outcome } {
  if (isLoad(record)) return { kind: 'Load report', ...loadOutcomes[loadOutcome(record)] };
  const kind = 'Conformance report';
  const code = exitCode(record);
  if (code === 1 && record.verdict !== 'non-conformant')
    return { kind, word: 'waivers out of date', outcome: 'fail' };
  const word = code === 3 ? 'incomplete' : record.verdict;
  const { pass, waived } = tally(record.requirements, record);
  // Nothing is wrong: the rest was not selected.
  const isGreen = word === 'partial' && pass > 0 && waived === 0;
  return { kind, word, outcome: isGreen ? 'pass' : outcomeOfVerdict[word] };
}

/** The verdict of a run in a few sentences, with what the run did not select: `15 requirements failed. …` */
export function headline(record: RunRecord): string {
  const about = isSelfCheck(record) ? [selfCheck] : [];
  if (isLoad(record)) return [...about, loadSentence(record), 'A load judges no requirement.'].join(' ');
  const { obstacle, run, target } = record;
  if (wasNothingJudged(record))
    return obstacle === undefined
      ? `Nothing of ${target.baseUrl} was judged: ${run.stopped ?? 'no reason is known'}.`
      : `${obstacle} Nothing was judged.`;
  return [...about, ...(obstacle === undefined ? [] : [obstacle]), ...verdictSentences(record)].join(' ');
}

/** Whether an obstacle, or the end of the run, kept everything from being judged. */
export function wasNothingJudged(record: RunRecord): boolean {
  return (
    (record.obstacle !== undefined || !record.run.complete) &&
    !isLoad(record) &&
    record.requirements.every(({ verdict }) => isNotJudged(verdict))
  );
}

/** What was found in the selected classes. */
function verdictSentences(record: RunRecord): string[] {
  const results = selectedResults(record);
  const { fail, waived, warn } = tally(results, record);
  const causes = causesOf(results.filter((result) => outcomeOf(result, record) === 'fail')).length;
  const must = results.filter(({ level }) => level === 'MUST');
  const open = must.filter(leavesClassOpen).length;
  const passed = must.filter(({ verdict }) => verdict === 'pass').length;
  const { notSelected, isWhole } = leftOut(must, record);
  const isGreen = fail + waived + open === 0;
  return [
    isGreen && greenSentence(passed, notSelected, isWhole),
    fail > 0 &&
      `${count(fail, 'requirement')} failed${causes > 0 && causes < fail ? ` (${count(causes, 'cause')})` : ''}.`,
    waived > 0 && `${count(waived, 'known failure')} ${was(waived)} waived.`,
    !isGreen &&
      fail === 0 &&
      passed > 0 &&
      `No ${waived > 0 ? 'other failures' : 'failures'} in what was judged.`,
    warn > 0 && `${count(warn, 'warning')}.`,
    open > 0 && `${count(open, 'MUST requirement')} could not be judged.`,
    !isGreen && notSelected !== undefined && `${capitalized(notSelected)}.`,
  ].filter((sentence) => sentence !== false);
}

/** A conforming run is told as what it is, with what it did not select in the same sentence. */
function greenSentence(passed: number, notSelected: string | undefined, isWhole: boolean): string {
  const must = count(passed, 'MUST requirement');
  const behind = notSelected === undefined ? '' : `; ${notSelected}`;
  return isWhole
    ? `All ${must} that ${passed === 1 ? 'applies' : 'apply'} passed${behind}.`
    : `Conformant in all that was selected: ${must} passed${behind}.`;
}

/** Requirements that a sentence names. */
const idsNamed = 5;

/** The MUST requirements and the classes that were not selected: `LIST-05 and the limits were not selected`. */
function leftOut(must: readonly RequirementResult[], record: RunRecord) {
  const ids = must.filter((one) => one.verdict === 'not-tested' && one.selected !== true).map(({ id }) => id);
  const named = ids.length > idsNamed ? count(ids.length, 'MUST requirement') : requirementRanges(ids);
  const classes = classSummaries(record).filter(({ id, verdict }) => id !== 'own' && verdict === undefined);
  const names = [
    named,
    ...classes.map(({ id }) => (id === 'functional' ? 'the functional requirements' : `the ${id}`)),
  ].filter(Boolean);
  const isOne = names.length === 1 && (ids.length === 1 || classes[0]?.id === 'description');
  return {
    notSelected: names.length === 0 ? undefined : `${list(names)} ${was(isOne ? 1 : 2)} not selected`,
    isWhole: ids.length === 0,
  };
}

const was = (value: number): string => (value === 1 ? 'was' : 'were');
