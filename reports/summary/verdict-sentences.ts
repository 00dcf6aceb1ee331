import {
  notReached,
  type RunRecord,
  type ClassVerdict,
  type RequirementResult,
} from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { causesOf } from '../../lib/verdict/causes.js';
import { classOfResult, exitCode, leavesClassOpen } from '../../lib/verdict/class-verdict.js';
import { count, requirementRanges } from '../text.js';
import { isNotJudged, type Outcome, outcomeOf, selectedResults, tally } from './outcomes.js';
import { isLoad, loadResult } from './measurements.js';

/** Said of a run without a target, first and last: its verdict is not that of a service of the user's. */
export const selfCheck =
  'This is a self-check of the embedded reference service: no other service is judged.';

/** Whether the run judged the embedded reference service; no other target has its name. */
export function isSelfCheck({ target }: { readonly target: { readonly name: string } }): boolean {
  return target.name === 'reference';
}

/** What a target is called that was given by its address alone. */
export const unnamedTarget = 'target';

const outcomeOfVerdict = {
  conformant: 'pass',
  partial: 'not-tested',
  incomplete: 'inconclusive',
  'non-conformant': 'fail',
} as const satisfies Record<ClassVerdict, Outcome>;

/** The verdict of a run, or of the bounds of a load, in a word or two. It says nothing else than the exit code. */
export function verdictOf(record: RunRecord): { word: string; outcome: Outcome } {
  if (isLoad(record)) return loadResult(record);
  const code = exitCode(record);
  if (code === 1 && record.verdict !== 'non-conformant')
    return { word: 'waivers out of date', outcome: 'fail' };
  const word = code === 3 ? 'incomplete' : record.verdict;
  const { passed, waived } = tally(record.requirements, record);
  // Nothing is wrong: the rest was not selected.
  const isGreen = word === 'partial' && passed > 0 && waived === 0;
  return { word, outcome: isGreen ? 'pass' : outcomeOfVerdict[word] };
}

/** The verdict of a run in a few sentences, with what the run did not select: `15 requirements failed. …` */
export function headline(record: RunRecord): string {
  const { obstacle, run, target } = record;
  if (wasNothingJudged(record))
    return obstacle === undefined
      ? `Nothing of ${target.baseUrl} was judged: ${run.stopped ?? 'no reason is known'}.`
      : `${obstacle} Nothing was judged.`;
  const sentences = isLoad(record)
    ? [loadResult(record).sentence, 'A load judges no requirement.']
    : [obstacle ?? '', ...found(record)];
  return [isSelfCheck(record) ? selfCheck : '', ...sentences].filter(Boolean).join(' ');
}

/** Whether an obstacle, or the end of the run, kept everything from being judged. */
export function wasNothingJudged(record: RunRecord): boolean {
  return (
    (record.obstacle !== undefined || !record.run.complete) &&
    !isLoad(record) &&
    record.requirements.every(({ verdict }) => isNotJudged(verdict))
  );
}

const longestIds = 60;

/** What was found in the selected classes. A conforming run is told with what it did not select in the same sentence. */
function found(record: RunRecord): string[] {
  const results = selectedResults(record);
  const { failed, waived, warned } = tally(results, record);
  const must = results.filter(({ level }) => level === 'MUST');
  const open = must.filter(leavesClassOpen).length;
  const isLeft = ({ verdict, selected, reason }: RequirementResult): boolean =>
    verdict === 'not-tested' && selected !== true && reason !== notReached;
  const left = clip(requirementRanges(must.filter(isLeft).map(({ id }) => id)), longestIds);
  const classes = new Set(record.requirements.filter((one) => !results.includes(one)).map(classOfResult));
  // The user's own are not missed.
  classes.delete('own');
  const named = [...classes].map((id) => (id === 'functional' ? 'the functional requirements' : `the ${id}`));
  const unselected = [left, ...named].filter(Boolean).join(', ');
  const isGreen = failed + waived + open === 0;
  const passed = must.filter(({ verdict }) => verdict === 'pass').length;
  const ofMust = left
    ? `Conformant in all that was selected: ${count(passed, 'MUST requirement')} passed`
    : `All ${count(passed, 'applicable MUST requirement')} passed`;
  const causes = causesOf(results.filter((result) => outcomeOf(result, record) === 'fail')).length;
  const ofCauses = causes < failed ? ` (${count(causes, 'cause')})` : '';
  return [
    isGreen ? `${ofMust}${unselected && `; not selected: ${unselected}`}.` : '',
    failed > 0 ? `${count(failed, 'requirement')} failed${ofCauses}.` : '',
    waived > 0 ? `${count(waived, 'known failure')} waived.` : '',
    warned > 0 ? `${count(warned, 'warning')}.` : '',
    open > 0 ? `${count(open, 'MUST requirement')} could not be judged.` : '',
    !isGreen && unselected ? `Not selected: ${unselected}.` : '',
  ];
}
