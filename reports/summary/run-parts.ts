import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { requirementRanges } from '../text/requirement-id.js';
import { classSummaries } from './class-summary.js';
import { leftoversText } from './leftovers.js';
import { limitFacts, limitsTitle } from './limit-summary.js';
import { isLoad, loadPart } from './load-summary.js';
import type { NotJudgedGroup } from './not-judged.js';
import { known, type Fact, type Part } from './part.js';
import { tallyText, verdictText } from './requirement-outcome.js';
import { clockSentence, retriesSentence, sincePreviousSentence } from './run-facts.js';
import type { RunView } from './run-view.js';

/** What is told of a run behind its causes, and before the facts of the run itself. */
export function partsOf(record: RunRecord, { notJudged, notes }: RunView): Part[] {
  const judged = [
    { title: '', facts: classFacts(record) },
    { title: 'Not judged', facts: notJudged.map(notJudgedFact) },
    ...(record.plans ?? []).map((plan) => ({ title: limitsTitle(plan), facts: limitFacts(plan) })),
    { title: '', facts: newsFacts(record, notes) },
  ];
  const parts = isLoad(record) ? [loadPart(record)] : judged;
  return parts.filter(({ facts }) => facts.length > 0);
}

/** A line for each class: what was not judged stands beside what passed. */
export function classFacts(record: RunRecord): Fact[] {
  return classSummaries(record).map(({ name, verdict, counts, reason }) => [
    name,
    verdict ? `${verdict}: ${tallyText(counts)}` : reason,
  ]);
}

/** What the user left out needs no list of ids. */
function notJudgedFact({ verdict, reason, ids }: NotJudgedGroup): Fact {
  const which = reason.startsWith('not selected') ? '' : ` (${clip(requirementRanges(ids), 160)})`;
  return [`${ids.length} ${verdictText(verdict)}`, `${clip(reason, 240)}${which}`];
}

/** What is not as in every run. Date has whole seconds: a difference of one may be rounding. */
function newsFacts(record: RunRecord, notes: readonly string[]): Fact[] {
  const { leftovers, target } = record;
  const clocksDiffer = Math.abs(target.clockDifferenceMs ?? 0) >= 2_000;
  return known([
    ['Left behind', leftovers.length > 0 ? leftoversText(leftovers) : undefined],
    ...notes.map((note) => ['Note', note] as const),
    ['Note', clocksDiffer ? clockSentence(target.clockDifferenceMs) : undefined],
    ['Note', retriesSentence(record)],
    ['Changed', sincePreviousSentence(record)],
  ]);
}
