import { explainCommand } from '../../lib/explain/page-address.js';
import type { RunRecord } from '../../lib/record/record.js';
import { logText, printableDeep } from '../../lib/usage/printable.js';
import { exitCode } from '../../lib/verdict/exit-status.js';
import { notJudged, verdictText } from '../summary/not-judged.js';
import { leftOpenText, runCauses, type RunCause } from '../summary/run-causes.js';
import { selectedResults } from '../summary/class-summary.js';
import { headline, verdictOf } from '../summary/verdict-sentences.js';
import { findingTexts, withoutCodeMarks } from '../text/finding-text.js';
import { requirementRanges } from '../text/requirement-id.js';

/**
 * What a run found, as plain text: its verdict, and a paragraph for each cause of failures and warnings with what was
 * expected, what was received and a curl line that shows it again. Text of the target is made printable.
 *
 * @example console.log(describeFindings(await runConformance({ baseUrl, apiKey })));
 */
export function describeFindings(run: RunRecord): string {
  const record = printableDeep(run);
  const causes = runCauses(record).filter(({ outcome }) => outcome !== 'waived');
  const named = new Set(causes.flatMap(({ leftOpen }) => leftOpen));
  const open = notJudged(selectedResults(record).filter((result) => !named.has(result)));
  return logText([
    `${verdictOf(record).word}: ${headline(record)}`,
    ...(record.run.complete
      ? []
      : [`The run did not finish: ${record.run.stopped ?? 'no reason is known'}.`]),
    ...(record.waiverProblems ?? []).map((problem) => `Waiver: ${problem}`),
    ...causes.map((cause) => `\n${causeText(cause)}`),
    ...(open.some(({ verdict }) => verdict === 'inconclusive') ? [''] : []),
    ...open.flatMap(({ verdict, reason, ids }) =>
      verdict === 'inconclusive' ? [`${requirementRanges(ids)} ${verdictText(verdict)}: ${reason}`] : [],
    ),
  ]);
}

/**
 * Throws the findings as text unless a run is conformant, or partial by its own selection: what exit code 0 means on the
 * command line. A run that could not judge throws, too.
 *
 * @example expectConformant(await runConformance({ baseUrl, apiKey, plan: 'free' }));
 */
export function expectConformant(record: RunRecord): void {
  if (exitCode(record) !== 0) throw failureOf(describeFindings(record));
}

/** An error whose place in this package is of no use to anyone. */
export function failureOf(text: string): Error {
  const failure = new Error(text);
  failure.name = 'NotConformant';
  failure.stack = text;
  return failure;
}

/** A cause in a few lines: its requirements, the finding that shows it, and where more is said. */
export function causeText(cause: RunCause): string {
  const { ids, extent, only, shown, others, message, results, leftOpen } = cause;
  const [first] = [...results, ...leftOpen];
  return [
    `${ids} ${extent}${only ? `: ${withoutCodeMarks(only.title)}` : ''}`,
    ...(shown ? findingTexts(shown) : [message]).map((line) => `  ${line}`),
    ...others.map((finding) => `  also: ${finding.message}`),
    `  ${leftOpenText(cause)}`,
    ...(first ? [`  more: ${explainCommand(first.id)}`] : []),
  ]
    .filter((line) => line.trim() !== '')
    .join('\n');
}
