import type { RunRecord } from '../../lib/evidence/record/record.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import { exitCode } from '../../lib/verdict/exit-status.js';
import { verdictText } from '../summary/requirement-outcome.js';
import { viewOf } from '../summary/run-view.js';
import { causeText } from '../terminal/cause-lines.js';
import { requirementRanges } from '../text/requirement-id.js';

/**
 * What a run found, as plain text: its verdict, and a paragraph for each cause of failures and warnings with what was
 * expected, what was received and a curl line that shows it again. Text of the target is made printable.
 *
 * @example console.log(describeFindings(await runConformance({ baseUrl, apiKey })));
 */
export function describeFindings(run: RunRecord): string {
  const { word, headline, warnings, causes, open } = viewOf(printableDeep(run));
  const wanted = causes.filter(({ outcome }) => outcome !== 'waived');
  return logText([
    `${word}: ${headline}`,
    ...warnings,
    ...wanted.flatMap((cause) => ['', ...causeText(cause)]),
    ...(open.length > 0 ? [''] : []),
    ...open.map(({ verdict, reason, ids }) => `${requirementRanges(ids)} ${verdictText(verdict)}: ${reason}`),
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
  return Object.assign(new Error(text), { name: 'NotConformant', stack: text });
}
