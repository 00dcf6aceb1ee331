import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { failureKinds, operationNames } from '../evidence/recorded-exchange.js';
import { ledgerFileName } from '../evidence/record/run-files.js';
import { readLines } from '../evidence/record/regular-file.js';
import type { PacedEntry } from './paced.js';

/** One request that was to be sent. Times are epoch milliseconds, durations milliseconds. */
const lineSchema = z.object({
  /** `load`, `share 2/5`, `day free` and what was used before it, `day free before`, or the plan and the part of the limit probes: `free burst`. */
  volley: z.string(),
  outcome: z.enum(['answered', 'lost', 'not sent']),
  operation: z.enum(operationNames).optional(),
  planned: z.number().optional(),
  sent: z.number().optional(),
  /** By how much it was sent late although a connection was free, or read late because this process stood still. */
  ownLate: z.number().optional(),
  /** From sending to the head of the response, or to the failure. */
  took: z.number().optional(),
  status: z.int().optional(),
  /** Absent if it was never written, as no connection could be opened. */
  connection: z.string().optional(),
  /** Why there is no whole response. */
  reason: z.enum(failureKinds).optional(),
  /** `X-RateLimit-Remaining` of the day, if the response told it. */
  remaining: z.int().optional(),
});
export type LedgerLine = z.infer<typeof lineSchema>;

/** Appends a line to a run's ledger at once, so that a killed run keeps it. */
export type LedgerFile = (line: LedgerLine) => void;

/**
 * The ledger in a run's folder; without a folder nothing is kept. The file is made with its first line. What a killed run left
 * of a line is taken away: the next one would stand behind it, and both would be lost.
 */
export function ledgerFile(directory: string | undefined): LedgerFile {
  if (directory === undefined) return () => undefined;
  const path = join(directory, ledgerFileName);
  if (existsSync(path)) truncateSync(path, readFileSync(path).lastIndexOf('\n') + 1);
  return (line) => appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/** The lines of the ledger in a run's folder; none if there is no ledger. @throws UnreadableRun */
export async function readLedger(directory: string): Promise<LedgerLine[]> {
  return [...readLines(join(directory, ledgerFileName), lineSchema)];
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 1_000) / 1_000;

/** A request as it stands in the file, whether it was sent or not. A planned moment may stand with it. */
export function ledgerLine(
  volley: string,
  { plannedAt, ownLateMs = 0, entry }: Partial<PacedEntry>,
): LedgerLine {
  const planned = plannedAt !== undefined && { planned: rounded(plannedAt) };
  if (!entry) return { volley, outcome: 'not sent', ...planned };
  const { request, outcome, sentAt, at, status, connection, failure } = entry;
  return {
    volley,
    outcome,
    ...(request.operation !== null && { operation: request.operation }),
    sent: rounded(sentAt),
    took: rounded(at - sentAt),
    ...(status !== null && { status }),
    ...(connection !== undefined && { connection }),
    ...(failure && { reason: failure.kind }),
    ...planned,
    ...(planned && { ownLate: rounded(ownLateMs) }),
  };
}
