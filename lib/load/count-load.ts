import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../evidence/exchange.js';
import type { LoadMeasurement } from '../evidence/record/load-measurement.js';
import type { RunRecord } from '../evidence/record/record.js';
import { clip } from '../explain/clip.js';
import { BothCounts, countsAgree } from './ledger.js';
import { readLedger, type CountLine, type LedgerLine } from './ledger-file.js';
import { LoadCounter, type LoadFacts, type LoadResult } from './load-counter.js';
import { recordedBounds, thresholdsOf } from './thresholds.js';

type ShareRow = NonNullable<LoadMeasurement['shares']>[number];

/** What stands in no line of the ledger of a load that has ended. */
export interface EndedLoad extends LoadFacts {
  readonly durationMs: number;
  readonly withheld: number;
  readonly share?: LoadMeasurement['share'];
  readonly shares?:
    readonly Pick<ShareRow, 'number' | 'run' | 'withheld' | 'clockDifferenceMs'>[] | undefined;
}

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

/** The figures of a load, from the lines of its ledger. */
export function countLoad(given: EndedLoad, lines: readonly LedgerLine[]): LoadResult {
  const { startedAt, durationMs, withheld, share, shares } = given;
  const counter = new LoadCounter(given);
  for (const line of lines) counter.add(line);
  const { load, ...rest } = counter.result({ endedAt: startedAt + durationMs, withheld });
  const rows = shares?.map(({ number, run, withheld: left, clockDifferenceMs }): ShareRow => {
    const { counts, felt } = counter.ofShare({ number, of: shares.length });
    const { sent, good, refused, errors } = counts;
    return {
      number,
      run,
      sent,
      good,
      refused,
      errors,
      withheld: left,
      latency: felt.latency,
      clockDifferenceMs,
    };
  });
  return { ...rest, load: { ...load, ...(share && { share }), ...(rows && { shares: rows }) } };
}

/** What the evidence of a load contradicts in its record, in sentences. It judges no requirement: it is counted again. */
export function loadDiscrepancies(record: RunRecord, evidence: LoadEvidence): string[] {
  const { load, plans: [measured] = [], run } = record;
  const [phase] = measured?.phases ?? [];
  if (!load) return [];
  if (!phase) return ['The record has figures of a load, and does not say when it began.'];
  if (!load.stages)
    return ['A version of the suite without a ledger sent the load: its figures can not be counted again.'];
  const { sent, withheld, notSent = 0, stages } = load;
  const planned = load.planned ?? sent + withheld;
  if (run.complete && load.ended === undefined && sent + withheld + notSent !== planned)
    return [`The record accounts for ${sent + withheld + notSent} of ${planned} planned requests.`];
  const startedAt = Date.parse(phase.startedAt);
  const thresholds = thresholdsOf(recordedBounds(load));
  const again = countLoad({ ...load, stages, planned, startedAt, thresholds }, evidence.lines);
  const recorded: Record<string, unknown> = { ...load, phase };
  // As it would be read from a file.
  const counted = JSON.parse(
    JSON.stringify({ ...again.load, phase: again.phase, counts: load.counts, ended: load.ended }),
  ) as typeof recorded;
  const different = Object.keys({ ...counted, ...recorded })
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
  const ofVolleys = new Map<string, BothCounts>();
  for (const line of [...lines, ...counts]) {
    const both = ofVolleys.get(line.volley) ?? new BothCounts();
    ofVolleys.set(line.volley, both);
    both.add(line);
  }
  const uncounted = [...ofVolleys].filter(([, both]) => !countsAgree(both));
  const strange = lines.find(({ exchange: id, sent = 0, status }) => {
    const exchange = id === undefined ? undefined : byId.get(id);
    return (
      id !== undefined &&
      (!exchange || exchange.response?.status !== status || Math.abs(exchange.sentAt - sent) > toleranceMs)
    );
  });
  return [
    ...uncounted.map(([volley]) => `The ledger of ${volley} is not what autocannon has counted of it.`),
    ...(strange ? [`The ledger and ${strange.exchange} do not tell the same of a request.`] : []),
  ];
}

/** Both are rounded to microseconds. */
const toleranceMs = 0.01;

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : clip(JSON.stringify(value), 80);
}
