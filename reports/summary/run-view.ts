import type { RunRecord } from '../../lib/evidence/record/record.js';
import { leavesClassOpen } from '../../lib/verdict/class-verdict.js';
import { selectedResults } from './class-summary.js';
import { notJudged, type NotJudgedGroup } from './not-judged.js';
import type { Outcome } from './requirement-outcome.js';
import { runCauses, type RunCause } from './run-causes.js';
import { headline, verdictOf, wasNothingJudged } from './verdict-sentences.js';

/** What every format says of a run; a format only lays it out. */
export interface RunView {
  /** What sort of report it is: `Conformance report`. */
  readonly kind: string;
  /** The verdict in a word or two, and the outcome whose mark and colour it has. */
  readonly word: string;
  readonly outcome: Outcome;
  readonly headline: string;
  /** What spoils the run beside its requirements: it did not finish, a waiver does not fit. */
  readonly problems: ReadonlyArray<readonly [name: string, what: string]>;
  /** The same in a sentence each, without what the headline says. */
  readonly warnings: readonly string[];
  /** What a reader has to know of the run as a whole. */
  readonly notes: readonly string[];
  /** Failures first, then warnings, then what is waived; within these, the most fundamental first. */
  readonly causes: readonly RunCause[];
  /** What was not judged of the selected classes, and is not named by a cause. */
  readonly notJudged: readonly NotJudgedGroup[];
  /** The part of it that leaves a class open; none if the headline says that nothing was judged. */
  readonly open: readonly NotJudgedGroup[];
}

/** @param record made printable, if text of the target could harm the place that shows it */
export function viewOf(record: RunRecord): RunView {
  const { run, waiverProblems = [], notes = [] } = record;
  const causes = runCauses(record);
  const named = new Set(causes.flatMap(({ leftOpen }) => leftOpen));
  const others = selectedResults(record).filter((result) => !named.has(result));
  const stopped = run.complete
    ? []
    : [['The run did not finish', run.stopped ?? 'no reason is known'] as const];
  const waivers = waiverProblems.map((problem) => ['Waiver', problem] as const);
  const nothing = wasNothingJudged(record);
  const unsaid = nothing ? waivers : [...stopped, ...waivers];
  const elsewhere = run.waivers?.ofOtherTargets ?? [];
  return {
    ...verdictOf(record),
    headline: headline(record),
    problems: [...stopped, ...waivers],
    warnings: unsaid.map(([name, what]) => `${name}: ${what.replace(/\.$/u, '')}.`),
    notes: [
      ...notes,
      ...(elsewhere.length > 0 ? [`Waivers of another target, not used: ${elsewhere.join(', ')}.`] : []),
    ],
    causes,
    notJudged: notJudged(others),
    open: nothing ? [] : notJudged(others.filter(leavesClassOpen)),
  };
}
