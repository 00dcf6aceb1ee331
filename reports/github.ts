import { appendFile } from 'node:fs/promises';
import { failsClass, leavesClassOpen } from '../lib/verdict/class-verdict.js';
import type { RunRecord } from '../lib/record/record.js';
import { markdownSummary } from './markdown.js';
import { outcomeTexts, type Outcome } from './summary/requirement-outcome.js';
import { leftOpenText, runCauses, type RunCause } from './summary/run-causes.js';
import { isSelfCheck, selfCheck } from './summary/verdict-sentences.js';
import { findingTexts, waiverText, withoutCodeMarks } from './text/finding-text.js';
import { clip, printable } from '../lib/usage/printable.js';
import { requirementRanges } from './text/requirement-id.js';

/** GitHub shows ten annotations of a kind for a step and drops the others silently. */
const annotationsOfAKind = 10;
/** Of one line of a message, which has up to five. */
const longestLine = 500;

type Kind = 'error' | 'warning' | 'notice';

/**
 * The workflow commands that annotate a GitHub job with a run: an error for each cause of failures, a warning for each
 * of warnings, a notice for each of waived failures; of each kind as many as GitHub shows, the last one naming the rest.
 */
export function githubAnnotations(record: RunRecord): string[] {
  const { waiverProblems = [], waiverReminders = [], run, requirements } = record;
  const causes = runCauses(record);
  const named = new Set(causes.flatMap(({ leftOpen }) => leftOpen));
  const open = requirements
    .filter((result) => leavesClassOpen(result) && !named.has(result))
    .map(({ id }) => id);
  return [
    ...(isSelfCheck(record) ? [command('warning', 'No target was given', selfCheck)] : []),
    ...(run.complete
      ? []
      : [command('error', 'The run did not finish', run.stopped ?? 'No reason is known')]),
    ...waiverProblems.map((problem) => command('error', 'Waiver', problem)),
    ...waiverReminders.map((reminder) => command('warning', 'Waiver', reminder)),
    ...(open.length > 0 ? [command('error', 'Could not be judged', requirementRanges(open))] : []),
    ...annotationsOf(causes, 'inconclusive', 'error'),
    ...annotationsOf(causes, 'fail', 'error'),
    ...annotationsOf(causes, 'warn', 'warning'),
    ...annotationsOf(causes, 'waived', 'notice'),
  ];
}

function annotationsOf(causes: readonly RunCause[], outcome: Outcome, kind: Kind): string[] {
  const own = causes.filter((cause) => cause.outcome === outcome);
  const shown = own.slice(0, own.length > annotationsOfAKind ? annotationsOfAKind - 1 : undefined);
  const rest = own.slice(shown.length).map(({ ids }) => ids);
  const title = `${rest.length} more: ${outcomeTexts[outcome].word.toLowerCase()}`;
  return [
    ...shown.map((cause) => annotation(cause, kind)),
    ...(rest.length > 0 ? [command(kind, title, rest.join(', '))] : []),
  ];
}

function annotation(cause: RunCause, kind: Kind): string {
  const { ids, extent, only, shown, message } = cause;
  const labels = new Set(['', 'expected', 'received']);
  return command(
    kind,
    `${ids} ${extent}`,
    ...(only ? [withoutCodeMarks(only.title)] : []),
    ...(only?.waived ? [waiverText(only.waived)] : []),
    ...(shown ? findingTexts(shown, labels) : [message]),
    leftOpenText(cause),
  );
}

/** One workflow command. The lines of its message follow each other, text from the target on one line each. */
function command(kind: Kind, title: string, ...lines: string[]): string {
  const message = lines
    .filter((line) => line !== '')
    .map((line) => clip(printable(line.slice(0, longestLine * 4)), longestLine))
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
 * On GitHub Actions, prints the annotations, appends the summary to the job's page, and gives later steps the outputs
 * `verdict`, `failed` (ids), `report` (the run's folder) and `digest`. Elsewhere nothing happens. Rejects if a file of
 * GitHub can't be written.
 * @param digest SHA-256 of the run's manifest.
 */
export async function tellGitHub(
  record: RunRecord,
  {
    environment,
    directory,
    digest,
    print,
  }: { environment: NodeJS.ProcessEnv; directory: string; digest: string; print: (line: string) => void },
): Promise<void> {
  if (environment['GITHUB_ACTIONS'] !== 'true') return;
  for (const line of githubAnnotations(record)) print(line);
  const summary = environment['GITHUB_STEP_SUMMARY'];
  if (summary) await appendFile(summary, `${markdownSummary(record)}\nManifest: \`sha256:${digest}\`\n`);
  const outputs = {
    verdict: record.verdict,
    failed: record.requirements
      .filter((result) => failsClass(result, record.run))
      .map(({ id }) => id)
      .join(','),
    report: printable(directory),
    digest: `sha256:${digest}`,
  };
  const file = environment['GITHUB_OUTPUT'];
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  if (file) await appendFile(file, lines.join(''));
}
