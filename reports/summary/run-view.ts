import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { printableDeep } from '../../lib/explain/printable.js';
import { type Fact, groupBy, known, type Part, requirementRanges } from '../text.js';
import { classFacts, isNotJudged, outcomes, selectedResults, verdictText } from './outcomes.js';
import { limitFacts, limitsTitle } from './limit-summary.js';
import { isLoad, loadPart } from './load-summary.js';
import { runCauses, type RunCause } from './run-causes.js';
import { leftoversText, sincePreviousSentence } from './run-facts.js';
import { headline, verdictOf, wasNothingJudged } from './verdict-sentences.js';

/** What every format says of a run; a format only lays it out. */
export type RunView = ReturnType<typeof viewOf>;

/** Text from the target is made printable here, for all formats. */
export function viewOf(recorded: RunRecord) {
  const record = printableDeep(recorded);
  const { run, waiverProblems = [], plans = [] } = record;
  const causes = runCauses(record);
  const stopped = run.complete ? undefined : (run.stopped ?? 'no reason is known');
  const waivers = waiverProblems.map((problem) => ['Waiver', problem] as const);
  const problems = known([['The run did not finish', stopped], ...waivers]);
  const elsewhere = (run.waivers?.ofOtherTargets ?? []).join(', ');
  const notes = [
    ...(record.notes ?? []),
    ...(elsewhere === '' ? [] : [`Waivers of another target, not used: ${elsewhere}.`]),
  ];
  // What is not as in every run.
  const news = known([
    ['Left behind', leftoversText(record.leftovers)],
    ...notes.map((note) => ['Note', note] as const),
    ['Changed', sincePreviousSentence(record)],
  ]);
  const judged: Part[] = [
    { title: '', facts: classFacts(record) },
    { title: 'Not judged', facts: notJudgedFacts(record, causes) },
    ...plans.map((plan) => ({ title: limitsTitle(plan), facts: limitFacts(plan) })),
    { title: '', facts: news },
  ];
  return {
    record,
    ...verdictOf(record),
    headline: headline(record),
    /** What spoils the run beside its requirements: it did not finish, a waiver does not fit. */
    problems,
    /** The same in a sentence each, without what the headline says. */
    warnings: (wasNothingJudged(record) ? waivers : problems).map(
      ([name, what]) => `${name}: ${what.replace(/\.$/u, '')}.`,
    ),
    notes,
    causes,
    /** What is told behind the causes, and before the facts of the run itself. */
    parts: isLoad(record) ? [loadPart(record)] : judged.filter(({ facts }) => facts.length > 0),
  };
}

/** What was not judged of the selected classes, and is not named by a cause, by its reason: the inconclusive first. */
function notJudgedFacts(record: RunRecord, causes: readonly RunCause[]): Fact[] {
  const named = new Set(causes.flatMap(({ leftOpen }) => leftOpen));
  const others = selectedResults(record).filter((result) => !named.has(result));
  return outcomes.filter(isNotJudged).flatMap((verdict) => {
    const own = others.filter((result) => result.verdict === verdict);
    const byReason = groupBy(own, ({ reason = 'no reason was recorded' }) => reason);
    return [...byReason].map(([reason, group]): Fact => {
      // What the user left out needs no list of ids.
      const ids = clip(requirementRanges(group.map(({ id }) => id)), 160);
      const which = reason.startsWith('not selected') ? '' : ` (${ids})`;
      return [`${group.length} ${verdictText(verdict)}`, `${clip(reason, 240)}${which}`];
    });
  });
}
