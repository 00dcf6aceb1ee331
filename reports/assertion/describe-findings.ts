import type { RunRecord } from '../../lib/evidence/record/record.js';
import { exitCode } from '../../lib/verdict/class-verdict.js';
import { renderTerminal } from '../terminal/terminal-report.js';

/**
 * What a run found, as the terminal tells it, without colour: the causes of failures and warnings with what was expected, what
 * was received and a curl line that shows it again, and the verdict at the end. Text of the target is made printable.
 *
 * @example console.log(describeFindings(await runConformance({ baseUrl, apiKey })));
 */
export function describeFindings(run: RunRecord): string {
  return renderTerminal(run, { columns: 100, colour: false }).trim();
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
