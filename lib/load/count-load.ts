import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../evidence/record/record.js';
import { clip } from '../explain/clip.js';
import type { LedgerLine } from './ledger-file.js';
import { countLoad } from './load-counter.js';
import { recordedBounds, thresholdsOf } from './thresholds.js';

/** What the ledger of a load contradicts in its record, in sentences. It judges no requirement: it is counted again. */
export function loadDiscrepancies({ load, run }: RunRecord, lines: readonly LedgerLine[]): string[] {
  if (!load) return [];
  const { sent, withheld, notSent = 0, startedAt, planned = sent + withheld } = load;
  if (startedAt === undefined)
    return ['An earlier version of the suite sent the load: its figures can not be counted again.'];
  const accounted = sent + withheld + notSent;
  if (run.complete && accounted !== planned)
    return [`The record accounts for ${accounted} of ${planned} planned requests.`];
  const thresholds = thresholdsOf(recordedBounds(load));
  const again = countLoad({ ...load, planned, startedAt: Date.parse(startedAt), thresholds }, lines);
  // As it would be read from a file.
  const counted = JSON.parse(JSON.stringify(again)) as Record<string, unknown>;
  return Object.entries(load).flatMap(([name, recorded]) =>
    isDeepStrictEqual(counted[name], recorded)
      ? []
      : `load.${name} is recorded as ${shown(recorded)}, and counted as ${shown(counted[name])}.`,
  );
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : clip(JSON.stringify(value), 80);
}
