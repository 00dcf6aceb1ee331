import { appendFile } from 'node:fs/promises';
import type { RequirementResult, RunRecord } from '../lib/record/record.js';
import { withoutBackquotes } from './text/finding-text.js';
import { markdownSummary } from './markdown.js';
import { outcomeOf, type Outcome } from './summary/requirement-outcome.js';
import { clip, printable } from './text/printable.js';
import { requirementRanges } from './text/requirement-id.js';
import { sectionReference } from './text/section.js';

/** GitHub shows ten annotations of a kind for a step and drops the others silently. */
const annotationsOfAKind = 10;
/** Of one line of a message, which has up to five. */
const longestMessage = 500;

type Kind = 'error' | 'warning' | 'notice';

/**
 * The workflow commands that annotate a GitHub job with a run: an error for each failure, a warning for each warning, a
 * notice for each waived miss; of each kind as many as GitHub shows, the last one naming the rest.
 */
export function githubAnnotations(record: RunRecord): string[] {
  const { waiverProblems = [], run, requirements } = record;
  const open = requirements
    .filter((row) => row.level === 'MUST' && row.verdict === 'inconclusive')
    .map(({ id }) => id);
  return [
    ...(run.complete
      ? []
      : [command('error', 'The run was cut off', run.stopped ?? 'it did not end by itself')]),
    ...waiverProblems.map((problem) => command('error', 'Waiver', problem)),
    ...(open.length > 0 ? [command('error', 'Could not be judged', requirementRanges(open))] : []),
    ...annotationsOf(record, 'failed', 'error'),
    ...annotationsOf(record, 'warned', 'warning'),
    ...annotationsOf(record, 'waived', 'notice'),
  ];
}

function annotationsOf(record: RunRecord, outcome: Outcome, kind: Kind): string[] {
  const rows = record.requirements.filter((row) => outcomeOf(row, record) === outcome);
  if (rows.length <= annotationsOfAKind) return rows.map((row) => annotation(row, kind));
  const shown = rows.slice(0, annotationsOfAKind - 1);
  const rest = rows.slice(shown.length).map(({ id }) => id);
  return [
    ...shown.map((row) => annotation(row, kind)),
    command(kind, `${rest.length} more ${outcome}`, requirementRanges(rest)),
  ];
}

function annotation(row: RequirementResult, kind: Kind): string {
  const { message, expected, received } = row.findings[0] ?? { message: row.title };
  const parts = [
    withoutBackquotes(row.title),
    message,
    ...(row.waived ? [`Waived until ${row.waived.until} by ${row.waived.owner}: ${row.waived.reason}`] : []),
    ...(expected === undefined ? [] : [`Expected: ${expected}`]),
    ...(received === undefined ? [] : [`Received: ${received}`]),
  ];
  return command(kind, `${row.id} ${row.level} ${sectionReference(row.section)}`.trim(), ...parts);
}

/** One workflow command; the lines of its message stand behind each other, text from the target on one line each. */
function command(kind: Kind, title: string, ...lines: string[]): string {
  const message = lines
    .map((line) => clip(printable(line.slice(0, longestMessage * 4)), longestMessage))
    .join('\n');
  return `::${kind} title=${escapeProperty(printable(title))}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Where GitHub Actions announces itself: prints the annotations and appends the summary to the job's page. Elsewhere
 * nothing happens.
 */
export async function tellGitHub(
  record: RunRecord,
  { environment, print }: { environment: NodeJS.ProcessEnv; print: (line: string) => void },
): Promise<void> {
  if (environment['GITHUB_ACTIONS'] !== 'true') return;
  for (const line of githubAnnotations(record)) print(line);
  const summary = environment['GITHUB_STEP_SUMMARY'];
  if (summary) await appendFile(summary, markdownSummary(record));
}
