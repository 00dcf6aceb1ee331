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

/** What the evidence of a load contradicts in its record, in sentences. It judges no requirement: it is counted again. */
export function loadDiscrepancies({ load, run }: RunRecord, evidence: LoadEvidence): string[] {
  if (!load) return [];
  const { sent, withheld, notSent = 0, stages, startedAt, planned = sent + withheld } = load;
  if (!stages || startedAt === undefined)
    return ['An earlier version of the suite sent the load: its figures can not be counted again.'];
  if (run.complete && load.ended === undefined && sent + withheld + notSent !== planned)
    return [`The record accounts for ${sent + withheld + notSent} of ${planned} planned requests.`];
  const thresholds = thresholdsOf(recordedBounds(load));
  const facts = { ...load, stages, planned, startedAt: Date.parse(startedAt), thresholds };
  const again = { ...load, ...countLoad(facts, evidence.lines) };
  const recorded: Record<string, unknown> = load;
  // As it would be read from a file.
  const counted = JSON.parse(JSON.stringify(again)) as typeof recorded;
  const different = Object.keys(again)
    .filter((name) => !isDeepStrictEqual(counted[name], recorded[name]))
    .map(
      (name) =>
        `load.${name} is recorded as ${shown(recorded[name])}, and counted as ${shown(counted[name])}.`,
    );
  return [...different, ...ledgerDiscrepancies(evidence)];
}

/** Where a ledger contradicts what autocannon has counted, or the exchanges that it names. */
export function ledgerDiscrepancies({ lines, counts, exchanges }: LoadEvidence): string[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const volleys = [...new Set([...lines, ...counts].map(({ volley }) => volley))];
  const uncounted = volleys.filter((volley) => {
    const ofVolley = <Line extends { readonly volley: string }>(all: readonly Line[]): Line[] =>
      all.filter((line) => line.volley === volley);
    const ledger = sumOfCounts(ofVolley(lines).map(countOf));
    return !countsAgree({ ledger, autocannon: sumOfCounts(ofVolley(counts).map((one) => one.autocannon)) });
  });
  const strange = lines.find(({ exchange: id, sent = 0, status }) => {
    const exchange = id === undefined ? undefined : byId.get(id);
    return (
      id !== undefined &&
      (!exchange || exchange.response?.status !== status || Math.abs(exchange.sentAt - sent) > toleranceMs)
    );
  });
  return [
    ...uncounted.map((volley) => `The ledger of ${volley} is not what autocannon has counted of it.`),
    ...(strange ? [`The ledger and ${strange.exchange} do not tell the same of a request.`] : []),
  ];
}

/** Both are rounded to microseconds. */
const toleranceMs = 0.01;

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : clip(JSON.stringify(value), 80);
}
