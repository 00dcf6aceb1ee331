import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../evidence/exchange.js';
import type { RunRecord } from '../evidence/record/record.js';
import { sumOfCounts } from '../evidence/record/request-counts.js';
import { clip } from '../explain/clip.js';
import { countOf, countsAgree } from './ledger.js';
import { readLedger, type CountLine, type LedgerLine } from './ledger-file.js';
import { countLoad } from './load-counter.js';
import { recordedBounds, thresholdsOf } from './thresholds.js';

/** What was written while a load ran. */
export interface LoadEvidence {
  readonly lines: readonly LedgerLine[];
  readonly counts: readonly CountLine[];
  /** Those of the load that were kept. */
  readonly exchanges: readonly Exchange[];
}

/** What was written while the load of a run's folder ran. @param exchanges all of the run */
export async function loadEvidence(directory: string, exchanges: readonly Exchange[]): Promise<LoadEvidence> {
  const lines: LedgerLine[] = [];
  const counts: CountLine[] = [];
  for await (const line of readLedger(directory))
    if ('autocannon' in line) counts.push(line);
    else lines.push(line);
  return { lines, counts, exchanges: exchanges.filter(({ purpose }) => purpose === 'load') };
}

/** What the ledger of a load contradicts in its record, in sentences. It judges no requirement: it is counted again. */
export function loadDiscrepancies({ load, run }: RunRecord, evidence: LoadEvidence): string[] {
  if (!load) return [];
  const { sent, withheld, notSent = 0, startedAt, planned = sent + withheld } = load;
  if (startedAt === undefined)
    return ['An earlier version of the suite sent the load: its figures can not be counted again.'];
  const accounted = sent + withheld + notSent;
  if (run.complete && accounted !== planned)
    return [`The record accounts for ${accounted} of ${planned} planned requests.`];
  const thresholds = thresholdsOf(recordedBounds(load));
  const facts = { ...load, planned, startedAt: Date.parse(startedAt), thresholds };
  const again = countLoad(facts, evidence.lines);
  // As it would be read from a file.
  const counted = JSON.parse(JSON.stringify(again)) as Record<string, unknown>;
  const different = Object.entries(load).flatMap(([name, recorded]) =>
    isDeepStrictEqual(counted[name], recorded)
      ? []
      : `load.${name} is recorded as ${shown(recorded)}, and counted as ${shown(counted[name])}.`,
  );
  return [...different, ...ledgerDiscrepancies(evidence)];
}

/** Milliseconds: both moments are rounded to microseconds. */
const tolerance = 0.01;

/** Where a ledger contradicts what autocannon has counted, or the exchanges that it names. */
export function ledgerDiscrepancies({ lines, counts, exchanges }: LoadEvidence): string[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const volleys = [...new Set([...lines, ...counts].map(({ volley }) => volley))];
  const uncounted = volleys.filter((name) => {
    const ledger = sumOfCounts(lines.filter(({ volley }) => volley === name).map(countOf));
    const own = counts.filter(({ volley }) => volley === name);
    return !countsAgree({ ledger, autocannon: sumOfCounts(own.map(({ autocannon }) => autocannon)) });
  });
  const strange = lines.find(({ exchange: id, sent = 0, status }) => {
    const exchange = byId.get(id ?? '');
    const isSame =
      exchange?.response?.status === status && Math.abs((exchange?.sentAt ?? 0) - sent) <= tolerance;
    return id !== undefined && !isSame;
  });
  return [
    ...uncounted.map((volley) => `The ledger of ${volley} is not what autocannon has counted of it.`),
    ...(strange ? [`The ledger and ${strange.exchange} do not tell the same of a request.`] : []),
  ];
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : clip(JSON.stringify(value), 80);
}
