import type { RunRecord } from '../lib/evidence/record/record.js';
import type { Renderer } from './renderer.js';
import { isLoad } from './summary/load-summary.js';
import type { Part } from './summary/part.js';
import { outcomeTexts, type Outcome } from './summary/requirement-outcome.js';
import type { RunCause } from './summary/run-causes.js';
import { runFacts, runLine } from './summary/run-facts.js';
import { viewOf } from './summary/run-view.js';
import { causeText } from './terminal/cause-lines.js';
import { withoutCodeMarks } from './text/finding-text.js';
import { markdownBlock, markdownCell as cell } from './text/markdown-text.js';

/** The run in Markdown, as GitHub shows it on a job's page; everything from the target is escaped. */
export const markdown = {
  file: 'summary.md',
  render: async ({ record }) => markdownSummary(record),
} as const satisfies Renderer;

/** GitHub refuses a summary of more than 1 MiB, and nobody reads a page to that length: the report has the rest. */
const causesInFull = 20;
const longestLine = 2_000;

const verdictMarks: Partial<Record<Outcome, string>> = { pass: '✅', fail: '❌', observed: '📈' };

/** The whole summary as one text, ending with a line feed. */
export function markdownSummary(run: RunRecord): string {
  const { record, word, outcome, headline, warnings, causes, parts } = viewOf(run);
  const mark = verdictMarks[outcome] ?? '🟡';
  return [
    `## ${mark} Pet Store Service${isLoad(record) ? ' under load' : ''}: ${word}`,
    cell(headline, 2_000),
    ...warnings.map((warning) => `**${cell(warning)}**`),
    ...causesText(causes),
    ...parts.map(partText),
    folded(cell(runLine(record), 400), partText({ title: '', facts: runFacts(record) })),
  ]
    .join('\n\n')
    .concat('\n');
}

/** @param summary escaped */
function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

/** A part as a list. */
function partText({ title, facts }: Part): string {
  return [
    ...(title === '' ? [] : [`### ${cell(title)}`]),
    facts.map(([name, text]) => `- ${cell(name)}: ${cell(text, 400)}`).join('\n'),
  ].join('\n\n');
}

/** Failures first, then warnings, then what is waived, each with its mark. */
function causesText(causes: readonly RunCause[]): string[] {
  if (causes.length === 0) return [];
  const rest = causes.slice(causesInFull).map(({ ids }) => ids);
  return [
    `### What is wrong (${causes.length})`,
    ...causes.slice(0, causesInFull).map(causeBlock),
    ...(rest.length > 0 ? [`And, in the report: ${rest.join(', ')}.`] : []),
  ];
}

function causeBlock(cause: RunCause): string {
  const mark = cell(outcomeTexts[cause.outcome].mark);
  const summary = `${mark} <b>${cause.ids}</b>: ${cell(withoutCodeMarks(cause.message))}`;
  return folded(summary, markdownBlock(causeText(cause), longestLine));
}
