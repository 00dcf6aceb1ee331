import { appendFile } from 'node:fs/promises';
import { failsClass } from '../lib/verdict/class-verdict.js';
import type { RunRecord } from '../lib/record/record.js';
import { markdownSummary } from './markdown.js';
import { outcomeTexts, type Outcome } from './summary/requirement-outcome.js';
import type { RunCause } from './summary/run-causes.js';
import { viewOf } from './summary/run-view.js';
import { isSelfCheck, selfCheck } from './summary/self-check.js';
import { labelled } from './text/finding-text.js';
import { clip } from '../lib/explain/clip.js';
import { printable } from '../lib/explain/printable.js';
import { requirementRanges } from './text/requirement-id.js';

/** GitHub shows ten annotations of a kind for a step and drops the others silently. */
const annotationsOfAKind = 10;
/** Of one line of a message. */
const longestLine = 500;

type Kind = 'error' | 'warning' | 'notice';

/**
 * The workflow commands that annotate a GitHub job with a run: an error for each cause of failures, a warning for each
 * of warnings, a notice for each of waived failures; of each kind as many as GitHub shows, the last one naming the rest.
 */
export function githubAnnotations(record: RunRecord): string[] {
  const { causes, problems, open } = viewOf(record);
  const openLines = open.map(({ ids, reason }) => `${requirementRanges(ids)}: ${reason}`);
  return [
    ...(isSelfCheck(record) ? [command('warning', 'No target was given', selfCheck)] : []),
    ...problems.map(([name, what]) => command('error', name, what)),
    ...(open.length > 0 ? [command('error', 'Could not be judged', ...openLines)] : []),
    ...(['inconclusive', 'fail', 'warn', 'waived'] as const).flatMap((outcome) =>
      annotationsOf(causes, outcome),
    ),
  ];
}

const kinds: Partial<Record<Outcome, Kind>> = { warn: 'warning', waived: 'notice' };

function annotationsOf(causes: readonly RunCause[], outcome: Outcome): string[] {
  const kind = kinds[outcome] ?? 'error';
  const own = causes.filter((cause) => cause.outcome === outcome);
  const shown = own.slice(0, own.length > annotationsOfAKind ? annotationsOfAKind - 1 : undefined);
  const rest = own.slice(shown.length).map(({ ids }) => ids);
  const title = `${rest.length} more: ${outcomeTexts[outcome].word.toLowerCase()}`;
  return [
    ...shown.map(({ named, lines, remarks }) => {
      const [first, ...others] = named;
      const also = requirementRanges(others.map(({ id }) => id));
      const title = `${first?.heading ?? ''}${also === '' ? '' : ` (also ${also})`}`;
      const finding = labelled(lines.filter(([label]) => labels.has(label)));
      const seen = named.flatMap(({ id, others }) => others.map(({ message }) => `${id}: ${message}`));
      return command(kind, title, ...finding, ...seen, ...remarks);
    }),
    ...(rest.length > 0 ? [command(kind, title, rest.join(', '))] : []),
  ];
}

const labels = new Set(['', 'expected', 'received']);

/** One workflow command. The lines of its message follow each other, text from the target on one line each. */
function command(kind: Kind, title: string, ...lines: string[]): string {
  const message = lines
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
