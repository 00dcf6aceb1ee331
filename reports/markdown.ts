import { markdownTable } from 'markdown-table';
import type { RunRecord } from '../lib/evidence/record/record.js';
import type { Renderer } from './renderer.js';
import { classSummaries } from './summary/class-summary.js';
import { leftoversText } from './summary/leftovers.js';
import { isLoad, loadFacts, loadTables, thresholdText } from './summary/load-summary.js';
import { tallyColumns, verdictText, type Outcome } from './summary/requirement-outcome.js';
import type { NamedRequirement, RunCause } from './summary/run-causes.js';
import { runFacts, runLine } from './summary/run-facts.js';
import { viewOf, type RunView } from './summary/run-view.js';
import { firstSentence, labelled, withoutCodeMarks } from './text/finding-text.js';
import { markdownBlock, markdownCell as cell } from './text/markdown-text.js';
import { requirementRanges } from './text/requirement-id.js';

/** The run in Markdown, as GitHub shows it on a job's page; everything from the target is escaped. */
export const markdown = {
  name: 'markdown',
  file: 'summary.md',
  summary: 'a Markdown summary, as CI pages show it',
  async *render({ record }) {
    yield markdownSummary(record);
  },
} as const satisfies Renderer;

/** GitHub refuses a summary of more than 1 MiB, and nobody reads a page to that length: the report has the rest. */
const causesInFull = 20;
/** Further findings of one requirement. */
const messagesShown = 12;
const longestLine = 2_000;

const verdictMarks: Partial<Record<Outcome, string>> = { pass: '✅', fail: '❌', observed: '📈' };
const markOf = (outcome: Outcome): string => verdictMarks[outcome] ?? '🟡';

/** The whole summary as one text, ending with a line feed. */
export function markdownSummary(record: RunRecord): string {
  const view = viewOf(record);
  const { word, outcome, headline, warnings, notes } = view;
  const facts = runFacts(record).map(([name, text]) => `- ${name}: ${cell(text)}`);
  return [
    `## ${markOf(outcome)} Pet Store Service${isLoad(record) ? ' under load' : ''}: ${word}`,
    cell(headline, 2_000),
    ...warnings.map((warning) => `**${cell(warning)}**`),
    ...(isLoad(record) ? loadParts(record) : judgedParts(record, view)),
    ...notes.map((note) => cell(note)),
    ...(record.leftovers.length > 0 ? [`Left behind: ${cell(leftoversText(record.leftovers))}.`] : []),
    folded(cell(runLine(record), 400), [facts.join('\n')]),
  ]
    .join('\n\n')
    .concat('\n');
}

/** @param summary escaped */
function folded(summary: string, parts: readonly string[]): string {
  const shown = parts.filter((part) => part !== '');
  return [`<details><summary>${summary}</summary>`, ...shown, '</details>'].join('\n\n');
}

function judgedParts(record: RunRecord, { causes, notJudged }: RunView): string[] {
  const left = notJudged.map(({ verdict, reason, ids }) => [
    String(ids.length),
    verdictText(verdict),
    cell(reason),
    requirementRanges(ids),
  ]);
  const head = ['', 'verdict', 'reason', 'requirements'];
  return [
    classTable(record),
    ...causesOf('Causes of failures', causes, ({ isUrgent }) => isUrgent),
    ...causesOf('Warnings', causes, ({ outcome }) => outcome === 'warn'),
    ...causesOf('Waived', causes, ({ outcome }) => outcome === 'waived'),
    ...(left.length > 0
      ? ['### Not judged', markdownTable([head, ...left], { alignDelimiters: false })]
      : []),
  ];
}

function classTable(record: RunRecord): string {
  const names = tallyColumns.map(([name]) => name);
  const rows = classSummaries(record).map(({ id, verdict, counts, reason }) => [
    id,
    verdict ? `**${verdict}**` : cell(reason),
    ...tallyColumns.map(([, key]) => (verdict ? String(counts[key]) : '')),
  ]);
  const align = ['l', 'l', ...names.map(() => 'r')];
  return markdownTable([['class', 'verdict', ...names], ...rows], { align });
}

function causesOf(
  heading: string,
  causes: readonly RunCause[],
  isOne: (cause: RunCause) => boolean,
): string[] {
  const own = causes.filter(isOne);
  if (own.length === 0) return [];
  const rest = own.slice(causesInFull).map(({ ids }) => ids);
  return [
    `### ${heading} (${own.length})`,
    ...own.slice(0, causesInFull).map(causeText),
    ...(rest.length > 0 ? [`And, in the report: ${rest.join(', ')}.`] : []),
  ];
}

/** What is wrong, each requirement with what else it found, what shows it, and what to do. */
function causeText({ ids, named, message, lines, remarks, fix }: RunCause): string {
  const shown = lines.filter(([label]) => label !== '');
  return folded(`<b>${ids}</b>: ${cell(withoutCodeMarks(message))}`, [
    named.flatMap(requirementLines).join('\n'),
    shown.length > 0 ? markdownBlock(labelled(shown), longestLine) : '',
    ...remarks.map((remark) => cell(remark)),
    fix === undefined ? '' : `Fix: ${cell(withoutCodeMarks(firstSentence(fix)), 600)}`,
  ]);
}

function requirementLines({ heading, others }: NamedRequirement): string[] {
  const rest = others.length - messagesShown;
  return [
    `- ${cell(heading)}`,
    ...others.slice(0, messagesShown).map(({ message }) => `  - ${cell(message)}`),
    ...(rest > 0 ? [`  - and ${rest} more findings, in the report`] : []),
  ];
}

function loadParts({ load }: RunRecord): string[] {
  if (!load) return [];
  const bounds = load.thresholds.map((threshold) => {
    const { word, outcome, measured } = thresholdText(threshold);
    return [threshold.name, cell(threshold.bound), cell(measured), `${markOf(outcome)} ${word}`];
  });
  return [
    ...(bounds.length > 0 ? [markdownTable([['bound', 'asked', 'measured', ''], ...bounds])] : []),
    markdownTable([['load', ''], ...loadFacts(load).map((fact) => fact.map((text) => cell(text)))]),
    ...loadTables(load).map(({ head, rows }) => markdownTable([head, ...rows])),
  ];
}
