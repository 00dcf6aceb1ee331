import { markdownTable } from 'markdown-table';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { catalogue, isRequirementId } from '../lib/specification/catalogue.js';
import { classSummaries } from './summary/class-summary.js';
import { outcomeOf, outcomeTexts, tally, tallyText } from './summary/requirement-outcome.js';
import { runLine } from './summary/run-facts.js';
import { markdownText } from './text/markdown-text.js';

/**
 * Implementations side by side, in Markdown: the classes, then the requirements in the order of the catalogue with the outcome
 * of each run. Requirements of other versions stand behind them; a run may not know one.
 */
export function runMatrix(runs: readonly RunRecord[]): string {
  const names = runs.map(({ target }) => markdownText(target.name));
  const summaries = runs.map(classSummaries);
  const classes = (summaries[0] ?? []).map(({ id }, index) => [
    id,
    ...summaries.map((summary) => summary[index]?.verdict ?? 'not selected'),
  ]);
  const others = runs.flatMap(({ requirements }) => requirements.filter(({ id }) => !isRequirementId(id)));
  const known = new Map([...catalogue, ...others].map((one) => [one.id, one]));
  const rows = [...known.values()].map(({ id, level, title }) => [
    id,
    level,
    markdownText(title),
    ...runs.map((run) => outcomeText(run, id)),
  ]);
  const centred = runs.map(() => 'c');
  const lines = runs.map((run, index) => {
    const counts = tallyText(tally(run.requirements, run));
    return `- **${names[index]}**: ${counts} (${markdownText(runLine(run))})`;
  });
  const parts = [
    '# Pet Store Service: implementations side by side',
    markdownTable([['class', ...names], ...classes], { align: ['l', ...centred] }),
    markdownTable([['', 'level', 'requirement', ...names], ...rows], { align: ['l', 'l', 'l', ...centred] }),
    lines.join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function outcomeText(run: RunRecord, id: string): string {
  const result = run.requirements.find((one) => one.id === id);
  if (!result) return '';
  const outcome = outcomeOf(result, run);
  const { mark, word } = outcomeTexts[outcome];
  return outcome === 'pass' || outcome === 'observed' ? mark : `**${mark}** ${word.toLowerCase()}`;
}
