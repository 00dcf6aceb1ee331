import { appendFile } from 'node:fs/promises';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { clip } from '../lib/explain/clip.js';
import { printable } from '../lib/explain/printable.js';
import { failsClass } from '../lib/verdict/class-verdict.js';
import { markdownSummary } from './markdown.js';
import type { RunCause } from './summary/run-causes.js';
import { viewOf } from './summary/run-view.js';
import { isSelfCheck, selfCheck } from './summary/self-check.js';
import { causeText } from './terminal/cause-lines.js';
import { levelText, withoutCodeMarks } from './text/finding-text.js';
import { requirementRanges } from './text/requirement-id.js';

/** Of one line of a message. */
const longestLine = 500;

/**
 * The workflow commands that annotate a GitHub job with a run: an error for each cause of failures, a warning for each
 * of warnings, a notice for each of waived failures. GitHub shows ten of a kind; the summary on the job's page has all.
 */
export function githubAnnotations(record: RunRecord): string[] {
  const { causes, problems, open } = viewOf(record);
  const openLines = open.map(({ ids, reason }) => `${requirementRanges(ids)}: ${reason}`);
  return [
    ...(isSelfCheck(record) ? [command('warning', 'No target was given', selfCheck)] : []),
    ...problems.map(([name, what]) => command('error', name, what)),
    ...(open.length > 0 ? [command('error', 'Could not be judged', ...openLines)] : []),
    ...causes.map(annotation),
  ];
}

/** The title names the requirement that shows the cause; the message goes on from there. */
function annotation(cause: RunCause): string {
  const { named, root, isUrgent, outcome } = cause;
  const kind = isUrgent ? 'error' : outcome === 'warn' ? 'warning' : 'notice';
  const also = requirementRanges(named.flatMap((one) => (one === root ? [] : one.id)));
  const rule = root ? `${root.id} ${levelText(root)}: ${withoutCodeMarks(root.title)}` : '';
  const [, ...lines] = causeText(cause).map((line) => line.replace(/^ {2}/u, ''));
  return command(kind, `${rule}${also === '' ? '' : ` (also ${also})`}`, ...lines);
}

/** One workflow command. The lines of its message follow each other, text from the target on one line each. */
function command(kind: string, title: string, ...lines: string[]): string {
  const message = lines.map((line) => clip(printable(line.slice(0, longestLine * 4)), longestLine));
  const property = escaped(printable(title)).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${kind} title=${property}::${escaped(message.join('\n'))}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** What GitHub Actions is told with. */
interface GitHubJob {
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  /** SHA-256 of the run's manifest. */
  readonly digest: string;
  readonly print: (line: string) => void;
}

/**
 * On GitHub Actions, prints the annotations, appends the summary to the job's page, and gives later steps the outputs
 * `verdict`, `failed` (ids), `report` (the run's folder) and `digest`. Elsewhere nothing happens. Rejects if a file of
 * GitHub can't be written.
 */
export async function tellGitHub(record: RunRecord, job: GitHubJob): Promise<void> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT } = job.environment;
  if (GITHUB_ACTIONS !== 'true') return;
  for (const line of githubAnnotations(record)) job.print(line);
  const digest = `sha256:${job.digest}`;
  if (GITHUB_STEP_SUMMARY)
    await appendFile(GITHUB_STEP_SUMMARY, `${markdownSummary(record)}\nManifest: \`${digest}\`\n`);
  const failed = record.requirements.filter((result) => failsClass(result, record.run)).map(({ id }) => id);
  const outputs = {
    verdict: record.verdict,
    failed: failed.join(','),
    report: printable(job.directory),
    digest,
  };
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  if (GITHUB_OUTPUT) await appendFile(GITHUB_OUTPUT, lines.join(''));
}
