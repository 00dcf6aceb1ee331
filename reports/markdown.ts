import { markdownTable } from 'markdown-table';
import type { Finding, RunRecord } from '../lib/record/record.js';
import type { Renderer } from './renderer.js';
import { classSummaries } from './summary/class-summary.js';
import { leftoversText } from './summary/leftovers.js';
import { isLoad, latencyTable, loadFacts, shareTable, thresholdText } from './summary/load-summary.js';
import { verdictText, type NotJudgedGroup } from './summary/not-judged.js';
import { tallyColumns, type Outcome } from './summary/requirement-outcome.js';
import { runBasis } from './summary/run-basis.js';
import type { NamedRequirement, RunCause } from './summary/run-causes.js';
import { planNamed, sentText } from './summary/run-summary.js';
import { capitalized } from './summary/verdict-sentences.js';
import { viewOf, type RunView } from './summary/run-view.js';
import { findingLines, firstSentence, labelled, levelText, withoutCodeMarks } from './text/finding-text.js';
import { markdownBlock, markdownText } from './text/markdown-text.js';
import { clip } from '../lib/explain/clip.js';
import { printable } from '../lib/explain/printable.js';
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
const findingsInFull = 2;
/** Of one requirement: a run keeps no more, but a record may. */
const messagesShown = 12;
const longestLine = 2_000;
const longestCell = 200;

const verdictMarks: Partial<Record<Outcome, string>> = { pass: '✅', fail: '❌', observed: '📈' };

/** The whole summary as one text, ending with a line feed. */
export function markdownSummary(record: RunRecord): string {
  const { run, target, suite, leftovers } = record;
  const view = viewOf(record);
  const { word, outcome, headline, warnings } = view;
  return [
    `## ${verdictMarks[outcome] ?? '🟡'} Pet Store Service${isLoad(record) ? ' under load' : ''}: ${word}`,
    markdownText(headline),
    ...warnings.map((warning) => `**${cell(warning)}**`),
    ...(isLoad(record) ? loadTables(record) : judged(record, view)),
    markdownText(
      `${capitalized(sentText(record))} to ${[target.baseUrl, ...planNamed(target)].join(', ')}, ${run.profile} profile, seed ${run.seed}, ${suite.name} ${suite.version}, ${run.startedAt}.`,
    ),
    ...basis(record),
    ...(leftovers.length > 0 ? [`Left behind: ${cell(leftoversText(leftovers))}.`] : []),
    ...(record.notes ?? []).map(cell),
  ]
    .join('\n\n')
    .concat('\n');
}

function basis(record: RunRecord): string[] {
  const facts = runBasis(record).map(([name, text]) => `${name}: ${markdownText(printable(text))}`);
  if (facts.length === 0) return [];
  return [['<details><summary>What the run rests on</summary>', ...facts, '</details>'].join('\n\n')];
}

function judged(record: RunRecord, { causes, notJudged }: RunView): string[] {
  return [
    classTable(record),
    ...causesOf('Causes of failures', causes, ({ isUrgent }) => isUrgent),
    ...causesOf('Warnings', causes, ({ outcome }) => outcome === 'warn'),
    ...causesOf('Waived', causes, ({ outcome }) => outcome === 'waived'),
    ...notJudgedTable(notJudged),
  ];
}

function loadTables({ load }: RunRecord): string[] {
  if (!load) return [];
  const bounds = load.thresholds.map((threshold) => {
    const { word, outcome, measured } = thresholdText(threshold);
    return [
      threshold.name,
      cell(threshold.bound),
      cell(measured),
      `${verdictMarks[outcome] ?? '🟡'} ${word}`,
    ];
  });
  const shares = shareTable(load);
  return [
    ...(bounds.length > 0 ? [markdownTable([['bound', 'asked', 'measured', ''], ...bounds])] : []),
    markdownTable([['load', ''], ...loadFacts(load).map((fact) => fact.map(cell))]),
    markdownTable(latencyTable(load)),
    ...(shares ? [markdownTable(shares)] : []),
  ];
}

function classTable(record: RunRecord): string {
  const names = tallyColumns.map(([name]) => name);
  const rows = classSummaries(record).map(({ id, verdict, counts, reason }) =>
    verdict
      ? [id, `**${verdict}**`, ...tallyColumns.map(([, key]) => String(counts[key]))]
      : [id, cell(reason), ...names.map(() => '')],
  );
  return markdownTable([['class', 'verdict', ...names], ...rows], {
    align: ['l', 'l', ...names.map(() => 'r')],
  });
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

function causeText({ ids, named, only, message, shown, lines, remarks, fix }: RunCause): string {
  const others = only ? (named[0]?.others ?? []) : [];
  const told = others.slice(0, findingsInFull - 1).map(findingLines);
  return [
    `<details><summary><b>${ids}</b>${only ? ` ${levelText(only)}` : ''}: ${codeInHtml(only?.title ?? message)}</summary>`,
    ...(only ? [] : [named.flatMap(requirementLines).join('\n')]),
    ...remarks.map(cell),
    ...(shown
      ? [lines, ...told].map((each) => markdownBlock(labelled(each), longestLine))
      : lines.map(([, text]) => cell(text))),
    messageLines(others.slice(told.length)).join('\n'),
    ...(fix === undefined ? [] : [`Fix: ${markdownText(withoutCodeMarks(firstSentence(fix)))}`]),
    '</details>',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A requirement of several, and what else it found. */
function requirementLines({ heading, others }: NamedRequirement): string[] {
  return [`- ${cell(heading)}`, ...messageLines(others).map((line) => `  ${line}`)];
}

function messageLines(findings: readonly Finding[]): string[] {
  const rest = findings.length - messagesShown;
  return [
    ...findings.slice(0, messagesShown).map(({ message }) => `- ${cell(message)}`),
    ...(rest > 0 ? [`- and ${rest} more findings, in the report`] : []),
  ];
}

/** Inside an HTML line Markdown's backquotes mean nothing, and `<API_KEY>` would be a tag. */
function codeInHtml(title: string): string {
  return title
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]*)`/gu, '<code>$1</code>');
}

function cell(text: string): string {
  return markdownText(clip(printable(text.slice(0, longestCell * 4)), longestCell));
}

function notJudgedTable(groups: readonly NotJudgedGroup[]): string[] {
  const rows = groups.map(({ verdict, reason, ids }) => [
    String(ids.length),
    verdictText(verdict),
    cell(reason),
    requirementRanges(ids),
  ]);
  if (rows.length === 0) return [];
  const head = ['', 'verdict', 'reason', 'requirements'];
  return ['### Not judged', markdownTable([head, ...rows], { alignDelimiters: false })];
}
