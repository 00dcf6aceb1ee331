import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readLines } from '../evidence/record/regular-file.js';
import { ledgerFileName } from '../evidence/record/run-files.js';
import { failureKinds, operationNames } from '../evidence/recorded-exchange.js';
import { roundedDuration } from '../http/clock/clock.js';
import type { Received } from '../http/connection/reception.js';
import type { Destination, PlannedRequest } from '../http/exchange/planned-request.js';

export interface LedgerEntry extends Received {
  readonly request: PlannedRequest;
  /** With the source address that its connection was bound to. */
  readonly destination: Destination;
  /** Epoch milliseconds. */
  readonly plannedAt: number;
  /**
   * The harness's own lateness in milliseconds: by which it was sent late although a connection was free, and for which its
   * response may have lain unread.
   */
  readonly ownLateMs: number;
}

/** One request that was to be sent. Times are epoch milliseconds, durations milliseconds. */
const lineSchema = z.object({
  /** `load`, `share 2/5`, `day free` and what was used before it, `day free before`, or the plan and the part of the limit probes: `free burst`. */
  volley: z.string(),
  /** `not sent`: no connection was free in time; `withheld`: the target had asked for a wait. */
  outcome: z.enum(['answered', 'lost', 'not sent', 'withheld']),
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
  reason: z.enum(failureKinds).optional(),
  /** `X-RateLimit-Remaining` of the day, if the response told it. */
  remaining: z.int().optional(),
});
export type LedgerLine = z.infer<typeof lineSchema>;

export function ledgerLine(volley: string, entry: LedgerEntry): LedgerLine {
  const { request, plannedAt, ownLateMs, sentAt, at, status, connection, failure } = entry;
  return {
    volley,
    outcome: failure ? 'lost' : 'answered',
    operation: request.operation ?? undefined,
    planned: roundedDuration(plannedAt),
    sent: roundedDuration(sentAt),
    ownLate: roundedDuration(ownLateMs),
    took: roundedDuration(at - sentAt),
    status: status ?? undefined,
    connection,
    reason: failure?.kind,
  };
}

/** Appends a line to a run's ledger at once, so that a killed run keeps it. */
export type LedgerFile = (line: LedgerLine) => void;

/** The ledger in a run's folder, made with its first line; without a folder nothing is kept. */
export function ledgerFile(directory: string | undefined): LedgerFile {
  if (directory === undefined) return () => undefined;
  const path = join(directory, ledgerFileName);
  return (line) => appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/** The lines of the ledger in a run's folder; none if there is no ledger. @throws UnreadableRun */
export async function readLedger(directory: string): Promise<LedgerLine[]> {
  return [...readLines(join(directory, ledgerFileName), lineSchema)];
}
