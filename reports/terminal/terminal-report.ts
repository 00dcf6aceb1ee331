import { join } from 'node:path';
import type { ClassVerdict, RequirementResult, RunRecord } from '../../lib/record/record.js';
import { count } from '../../lib/usage/count.js';
import { duration } from '../text/duration.js';
import { headline } from '../summary/headline.js';
import { isLoad, loadLines } from '../summary/load-summary.js';
import { outcomeOf, type Outcome } from '../summary/requirement-outcome.js';
import { printableDeep } from '../text/printable.js';
import { findingLines } from './terminal-findings.js';
import { withoutLogCommand } from '../text/log-commands.js';
import { limitLines } from './terminal-limits.js';
import { layoutOf, type Layout } from './layout.js';
import { classLines, leftoverLines, notJudgedLines } from './terminal-summary.js';

export interface TerminalOptions {
  /** The terminal's width in columns; a CI log has 80. */
  readonly columns: number;
  readonly colour: boolean;
  /** Where the run's files are. */
  readonly directory?: string | undefined;
  /** The file in it that a reader is sent to. */
  readonly file?: string | undefined;
}

const badge = {
  conformant: ['bgGreen', 'CONFORMANT'],
  partial: ['bgYellow', 'PARTIAL'],
  incomplete: ['bgYellow', 'INCOMPLETE'],
  'non-conformant': ['bgRed', 'NON-CONFORMANT'],
} as const satisfies Record<ClassVerdict, readonly [string, string]>;

/** Clocks that differ by less than this (milliseconds) are as good as equal; `Date` has whole seconds. */
const clocksAgreeWithin = 2_000;

/**
 * A run as an implementer reads it in ten seconds: what failed and how to see it again, then what is only a warning,
 * then the classes, what was not judged, what was left behind, and the verdict as the last thing on the screen.
 * Everything from the target is made printable first.
 */
export function renderTerminal(
  run: RunRecord,
  { directory, file = 'report.html', ...options }: TerminalOptions,
): string {
  const record = printableDeep(run);
  if (isLoad(record)) return [...loadLines(record), ''].map(withoutLogCommand).join('\n');
  const layout = layoutOf(options);
  const pointer = directory === undefined ? 'in the report' : 'see the report';
  const rowsThat = (outcome: Outcome) =>
    record.requirements.filter((row) => outcomeOf(row, record) === outcome);
  const failures = rowsThat('failed');
  const warnings = rowsThat('warned');
  const waived = rowsThat('waived');
  return [
    '',
    ...findingLines(failures, 'failed', { inFull: 8, inLines: 12 }, layout, pointer),
    ...findingLines(warnings, 'warned', { inFull: failures.length > 8 ? 0 : 3, inLines: 6 }, layout, pointer),
    ...waivedLines(waived, layout),
    ...classLines(record, layout),
    ...notJudgedLines(record, layout, pointer),
    ...limitLines(record, layout),
    ...leftoverLines(record, layout, pointer),
    ...noteLines(record, layout),
    ...runLines(record, layout),
    ...(directory === undefined ? [] : [`Report       ${join(directory, file)}`]),
    '',
    ...verdictLines(record, layout),
    '',
  ]
    .map(withoutLogCommand)
    .join('\n');
}

function waivedLines(rows: readonly RequirementResult[], layout: Layout): string[] {
  const lines = rows.flatMap(({ id, waived }) =>
    waived
      ? [layout.paragraph(`~ ${id}  `, `waived until ${waived.until} by ${waived.owner}: ${waived.reason}`)]
      : [],
  );
  return lines.length === 0 ? [] : [...lines, ''];
}

function noteLines({ notes = [], target, requests }: RunRecord, layout: Layout): string[] {
  const difference = target.clockDifferenceMs ?? 0;
  const repeated = requests.repeated?.length ?? 0;
  return [
    ...notes,
    ...(Math.abs(difference) < clocksAgreeWithin
      ? []
      : [`The target's clock is ${duration(Math.abs(difference))} ${difference < 0 ? 'behind' : 'ahead'}.`]),
    ...(repeated > 0
      ? [`Asked again after a broken connection or an unasked 429: ${count(repeated, 'request')}.`]
      : []),
  ].map((note) => layout.paragraph('Note         ', note));
}

function runLines({ run, target, requests, suite }: RunRecord, layout: Layout): string[] {
  const took = duration(Date.parse(run.finishedAt) - Date.parse(run.startedAt));
  const waited = requests.waitedMs >= 1_000 ? `, waited ${duration(requests.waitedMs)}` : '';
  const facts = [
    `${count(requests.sent, 'request')} in ${took}${waited}`,
    `${run.profile} profile`,
    `${target.plan} plan`,
    `seed ${run.seed}`,
    `version ${suite.version}`,
  ];
  return [
    layout.paragraph('Target       ', target.baseUrl),
    layout.paragraph('Run          ', facts.join(', ')),
    layout.paragraph('Command      ', run.command),
  ];
}

function verdictLines(record: RunRecord, layout: Layout): string[] {
  const [colour, word] = badge[record.verdict];
  const { run, waiverProblems = [] } = record;
  return [
    ...(run.complete
      ? []
      : [layout.paragraph('! ', `The run is not complete: ${run.stopped ?? 'it did not end by itself'}.`)]),
    ...waiverProblems.map((problem) => layout.paragraph('✗ ', `Waiver: ${problem}`)),
    layout.paragraph(
      `${layout.paint([colour, 'black', 'bold'], ` ${word} `)} `,
      headline(record),
      word.length + 3,
    ),
  ];
}
