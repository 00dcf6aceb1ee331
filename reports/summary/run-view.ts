import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { leavesClassOpen } from '../../lib/verdict/class-verdict.js';
import { groupBy } from '../text/group-by.js';
import { selectedResults } from './class-summary.js';
import { notJudgedOutcomes, type Outcome } from './requirement-outcome.js';
import { runCauses, type RunCause } from './run-causes.js';
import { headline, verdictOf, wasNothingJudged } from './verdict-sentences.js';

/** Results without a judgement, for one and the same reason. */
export interface NotJudgedGroup {
  readonly verdict: (typeof notJudgedOutcomes)[number];
  readonly reason: string;
  readonly ids: readonly string[];
}

/** What every format says of a run; a format only lays it out. */
export interface RunView {
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
  /** What was not judged of the selected classes, and is not named by a cause: the inconclusive first. */
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
  const why = run.stopped ?? 'no reason is known';
  const stopped = run.complete ? [] : [['The run did not finish', why] as const];
  const waivers = waiverProblems.map((problem) => ['Waiver', problem] as const);
  const nothing = wasNothingJudged(record);
  const unsaid = nothing ? waivers : [...stopped, ...waivers];
  const elsewhere = run.waivers?.ofOtherTargets ?? [];
  const unused = `Waivers of another target, not used: ${elsewhere.join(', ')}.`;
  return {
    ...verdictOf(record),
    headline: headline(record),
    problems: [...stopped, ...waivers],
    warnings: unsaid.map(([name, what]) => `${name}: ${what.replace(/\.$/u, '')}.`),
    notes: elsewhere.length > 0 ? [...notes, unused] : notes,
    causes,
    notJudged: groupsOf(others),
    open: nothing ? [] : groupsOf(others.filter(leavesClassOpen)),
  };
}

function groupsOf(results: readonly RequirementResult[]): NotJudgedGroup[] {
  return notJudgedOutcomes.flatMap((verdict) => {
    const own = results.filter((result) => result.verdict === verdict);
    const byReason = groupBy(own, ({ reason = 'no reason was recorded' }) => reason);
    return [...byReason].map(([reason, group]) => ({ verdict, reason, ids: group.map(({ id }) => id) }));
  });
}
