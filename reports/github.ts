import { appendFile } from 'node:fs/promises';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { clip } from '../lib/explain/clip.js';
import { printable } from '../lib/explain/printable.js';
import { exitCode, failsClass } from '../lib/verdict/class-verdict.js';
import { isLoad } from './summary/measurements.js';
import type { Outcome } from './summary/outcomes.js';
import { isUrgent } from './summary/run-causes.js';
import { viewOf } from './summary/run-view.js';
import { isSelfCheck, selfCheck, verdictOf } from './summary/verdict-sentences.js';
import { causeText } from './terminal/terminal-report.js';
import { describeFindings } from './test-case.js';

const longestLine = 500;

/**
 * The workflow commands that annotate a GitHub job: the verdict if it is not green, and each cause as an error, a warning or, if
 * it is waived, a notice. GitHub shows ten of a kind; the summary on the job's page has all.
 */
export function githubAnnotations(record: RunRecord): string[] {
  const { word, headline, causes, problems, parts } = viewOf(record);
  const open = parts.find(({ title }) => title === 'Not judged')?.facts ?? [];
  return [
    ...(isSelfCheck(record) ? [command('warning', 'No target was given', [selfCheck])] : []),
    ...(exitCode(record) === 0
      ? []
      : [command('error', word, [headline, ...open.map((fact) => fact.join(': '))])]),
    ...problems.map(([name, what]) => command('error', name, [what])),
    ...causes.map((cause) => {
      const kind = isUrgent(cause) ? 'error' : cause.outcome === 'warn' ? 'warning' : 'notice';
      return command(kind, `${cause.ids}: ${cause.message}`, causeText(cause));
    }),
  ];
}

/** One workflow command. The lines of its message follow each other, text from the target on one line each. */
function command(kind: string, title: string, lines: readonly string[]): string {
  const [head, ...message] = [title, ...lines].map((line) => escaped(clip(line, longestLine)));
  const property = head?.replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${kind} title=${property}::${message.join('%0A')}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/**
 * On GitHub Actions, prints the annotations, appends the summary to the job's page, and gives later steps the outputs
 * `verdict`, `failed` (ids), `report` (the run's folder) and `digest`. Rejects if a file of GitHub can't be written.
 */
export async function tellGitHub(
  record: RunRecord,
  job: { environment: NodeJS.ProcessEnv; directory: string; digest: string; print: (line: string) => void },
): Promise<void> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT } = job.environment;
  if (GITHUB_ACTIONS !== 'true') return;
  for (const line of githubAnnotations(record)) job.print(line);
  const digest = `sha256:${job.digest}`;
  if (GITHUB_STEP_SUMMARY)
    await appendFile(GITHUB_STEP_SUMMARY, `${markdownSummary(record)}\nManifest: \`${digest}\`\n`);
  const failed = record.requirements.filter((result) => failsClass(result, record.run)).map(({ id }) => id);
  const report = printable(job.directory);
  const outputs = `verdict=${record.verdict}\nfailed=${failed.join(',')}\nreport=${report}\ndigest=${digest}\n`;
  if (GITHUB_OUTPUT) await appendFile(GITHUB_OUTPUT, outputs);
}

const marks: Partial<Record<Outcome, string>> = { pass: '✅', fail: '❌', observed: '📈' };

/** A page in Markdown, as GitHub shows it for a job: the verdict as its heading, and what the terminal tells. */
export function markdownSummary(record: RunRecord): string {
  const { word, outcome } = verdictOf(record);
  const title = `Pet Store Service${isLoad(record) ? ' under load' : ''}: ${word}`;
  return markdownPage(`${marks[outcome] ?? '🟡'} ${title}`, describeFindings(record));
}

/** A printable text below a heading. It is a code block: nothing of it is active. */
export function markdownPage(title: string, text: string): string {
  // The fence is longer than every run of backquotes inside.
  const runs = text.match(/`+/gu) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return [`## ${title}`, '', `${fence}text`, text, fence, ''].join('\n');
}
