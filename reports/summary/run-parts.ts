import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { requirementRanges } from '../text/requirement-id.js';
import { classSummaries } from './class-summary.js';
import { leftoversText } from './leftovers.js';
import { limitFacts, limitsTitle } from './limit-summary.js';
import { isLoad, loadPart } from './load-summary.js';
import { known, type Fact, type Part } from './part.js';
import { verdictText } from './requirement-outcome.js';
import { sincePreviousSentence } from './run-facts.js';
import type { NotJudgedGroup, RunView } from './run-view.js';

/** What is told of a run behind its causes, and before the facts of the run itself. */
export function partsOf(record: RunRecord, { notJudged, notes }: RunView): Part[] {
  const { leftovers, plans = [] } = record;
  // What is not as in every run.
  const news = known([
    ['Left behind', leftovers.length > 0 ? leftoversText(leftovers) : undefined],
    ...notes.map((note) => ['Note', note] as const),
    ['Changed', sincePreviousSentence(record)],
  ]);
  const judged = [
    { title: '', facts: classFacts(record) },
    { title: 'Not judged', facts: notJudged.map(notJudgedFact) },
    ...plans.map((plan) => ({ title: limitsTitle(plan), facts: limitFacts(plan) })),
    { title: '', facts: news },
  ];
  const parts = isLoad(record) ? [loadPart(record)] : judged;
  return parts.filter(({ facts }) => facts.length > 0);
}

/** A line for each class: what was not judged stands beside what passed. */
export function classFacts(record: RunRecord): Fact[] {
  return classSummaries(record).map(({ name, text }) => [name, text]);
}

/** What the user left out needs no list of ids. */
function notJudgedFact({ verdict, reason, ids }: NotJudgedGroup): Fact {
  const which = reason.startsWith('not selected') ? '' : ` (${clip(requirementRanges(ids), 160)})`;
  return [`${ids.length} ${verdictText(verdict)}`, `${clip(reason, 240)}${which}`];
}
