import { markdownTable } from 'markdown-table';
import type { RequirementResult, RunRecord } from '../lib/record/record.js';
import { findingText } from './text/finding-text.js';
import { headline } from './summary/headline.js';
import { answers, isLoad, loadOutcome, percentiles, type LoadOutcome } from './summary/load-summary.js';
import { markdownBlock, markdownText } from './text/markdown-text.js';
import { notJudged, verdictInWords } from './summary/not-judged.js';
import { outcomeOf, outcomes, tally, type Outcome } from './summary/requirement-outcome.js';
import { clip, printable } from './text/printable.js';
import type { Renderer } from './renderer.js';
import { classOfRow, requirementClasses } from './summary/requirement-classes.js';
import { requirementRanges } from './text/requirement-id.js';
import { sectionReference } from './text/section.js';

/** The run in Markdown, as GitHub shows it on a job's page; everything from the target is escaped. */
export const markdown = {
  name: 'markdown',
  file: 'summary.md',
  summary: 'a Markdown summary, as CI pages show it',
  async *render({ record }) {
    yield markdownSummary(record);
  },
} as const satisfies Renderer;

/** GitHub refuses a summary of more than 1 MiB, and no page is read that far: the rest stands in the report. */
const rowsInFull = 20;
const findingsShown = 3;
const longestLine = 400;
const observationsShown = 100;
const longestCell = 200;

const verdictMark = {
  conformant: '✅',
  partial: '🟡',
  incomplete: '🟡',
  'non-conformant': '❌',
} as const satisfies Record<RunRecord['verdict'], string>;

const loadMark = {
  kept: '✅',
  missed: '❌',
  measured: '📈',
  unfinished: '🟡',
} as const satisfies Record<LoadOutcome, string>;

/** The whole summary as one text, ending with a line feed. */
export function markdownSummary(record: RunRecord): string {
  const { run, target, suite, requests } = record;
  return [
    title(record),
    markdownText(`${headline(record)}.`),
    ...(run.complete ? [] : [`**The run was cut off.** ${cell(run.stopped ?? '')}`]),
    ...(record.waiverProblems ?? []).map((problem) => `**Waiver:** ${cell(problem)}`),
    ...(isLoad(record) ? loadTables(record) : judged(record)),
    markdownText(
      `${requests.sent} requests to ${target.baseUrl} (${target.plan} plan), ${run.profile} profile, seed ${run.seed}, ${suite.name} ${suite.version}, ${run.startedAt}.`,
    ),
    ...(record.leftovers.length > 0 ? [leftBehind(record)] : []),
    ...(record.notes ?? []).map(cell),
  ]
    .join('\n\n')
    .concat('\n');
}

function title(record: RunRecord): string {
  return isLoad(record)
    ? `## ${loadMark[loadOutcome(record)]} Pet Store Service under load`
    : `## ${verdictMark[record.verdict]} Pet Store Service: ${record.verdict}`;
}

function judged(record: RunRecord): string[] {
  return [
    classTable(record),
    ...missed(record, 'failed', 'Failed'),
    ...missed(record, 'warned', 'Warnings'),
    ...missed(record, 'waived', 'Waived'),
    ...openRows(record),
    ...observed(record),
  ];
}

function loadTables({ load }: RunRecord): string[] {
  if (!load) return [];
  const { latency, thresholds } = load;
  const bounds = thresholds.map(({ name, bound, measured, kept }) => [
    name,
    cell(bound),
    cell(measured),
    kept ? '✅ kept' : '❌ **missed**',
  ]);
  const times = percentiles.map((name) => (latency ? `${latency[name].toFixed(1)} ms` : 'no answer'));
  return [
    ...(bounds.length > 0 ? [markdownTable([['bound', 'asked', 'measured', ''], ...bounds])] : []),
    markdownTable([
      ['planned', 'goodput', 'good', 'refused', 'errors', ...percentiles],
      [
        `${load.ratePerSecond.toFixed(2)}/s`,
        `${load.goodputPerSecond.toFixed(2)}/s`,
        `${load.good} of ${load.sent}`,
        String(load.refused),
        String(load.errors),
        ...times,
      ],
    ]),
    markdownText(`Answers: ${answers(load)}.`),
  ];
}

function classTable(record: RunRecord): string {
  const columns = [
    'passed',
    'failed',
    'waived',
    'warned',
    'not judged',
    'observed',
  ] as const satisfies (typeof outcomes)[number][];
  const rows = requirementClasses.map((id) => {
    const found = record.classes.find((one) => one.id === id);
    if (!found) return [id, 'not selected', ...columns.map(() => '')];
    const counts = tally(
      record.requirements.filter((row) => classOfRow(row) === id),
      record,
    );
    return [id, `**${found.verdict}**`, ...columns.map((name) => String(counts[name]))];
  });
  return markdownTable([['class', 'verdict', ...columns], ...rows], {
    align: ['l', 'l', ...columns.map(() => 'r')],
  });
}

function missed(record: RunRecord, outcome: Outcome, heading: string): string[] {
  const rows = record.requirements.filter((row) => outcomeOf(row, record) === outcome);
  return rows.length === 0
    ? []
    : [
        `### ${heading} (${rows.length})`,
        ...rows.slice(0, rowsInFull).map(missedRow),
        ...(rows.length > rowsInFull
          ? [`And, in the report: ${requirementRanges(rows.slice(rowsInFull).map(({ id }) => id))}.`]
          : []),
      ];
}

/** The title comes from the catalogue, whose backquotes are Markdown already. */
function missedRow(row: RequirementResult): string {
  const { findings, waived } = row;
  const shown = findings
    .slice(0, findingsShown)
    .map((finding) => markdownBlock(findingText(finding), longestLine));
  const rest = findings.length - shown.length;
  return [
    `<details><summary><b>${row.id}</b> ${`${row.level} ${sectionReference(row.section)}`.trim()}: ${codeInHtml(row.title)}</summary>`,
    ...(waived ? [markdownText(`Waived until ${waived.until} by ${waived.owner}: ${waived.reason}`)] : []),
    ...shown,
    ...(rest > 0 ? [`and ${rest} more findings, in the report`] : []),
    '</details>',
  ].join('\n\n');
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

function openRows({ requirements }: RunRecord): string[] {
  const groups = notJudged(requirements);
  if (groups.length === 0) return [];
  const rows = groups.map(({ verdict, reason, ids }) => [
    String(ids.length),
    verdictInWords(verdict),
    cell(reason),
    requirementRanges(ids),
  ]);
  return [
    '### Not judged',
    markdownTable([['', 'verdict', 'reason', 'requirements'], ...rows], { alignDelimiters: false }),
  ];
}

function observed({ requirements }: RunRecord): string[] {
  const all = requirements.flatMap(({ id, observations = [] }) =>
    observations.map((observation) => ({ id, ...observation })),
  );
  if (all.length === 0) return [];
  const rows = all
    .slice(0, observationsShown)
    .map(({ id, subject, behaviour }) => [id, cell(subject), cell(behaviour)]);
  const heading = ['', 'what is left open', 'what the service does'];
  const rest = all.length - rows.length;
  return [
    `<details><summary>What the specification leaves open, and what this service does (${all.length})</summary>`,
    markdownTable([heading, ...rows], { alignDelimiters: false }),
    ...(rest > 0 ? [`and ${rest} more, in the report`] : []),
    '</details>',
  ];
}

function leftBehind({ leftovers }: RunRecord): string {
  return leftovers.length === 1
    ? '1 animal was left in the store.'
    : `${leftovers.length} animals were left in the store.`;
}
