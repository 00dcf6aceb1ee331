import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../http/exchange/exchange.js';
import type { LoadMeasurement, RunRecord } from '../record/record.js';
import { LoadCounter, type LoadFacts, type LoadResult } from './load-counter.js';
import { shareName } from './share.js';
import { recordedBounds, thresholdsOf } from './thresholds.js';

type ShareRow = NonNullable<LoadMeasurement['shares']>[number];

/** What stands in no exchange of a load that has ended. */
export interface EndedLoad extends LoadFacts {
  readonly durationMs: number;
  readonly withheld: number;
  readonly share?: LoadMeasurement['share'];
  readonly shares?:
    readonly Pick<ShareRow, 'number' | 'run' | 'withheld' | 'clockDifferenceMs'>[] | undefined;
}

/** What the record of a load says beside its figures; undefined for a run that has none. */
function endedLoad({ load, plans: [measured] = [] }: RunRecord): EndedLoad | undefined {
  const [phase] = measured?.phases ?? [];
  if (!load || !phase) return undefined;
  return {
    ...load,
    planned: load.planned ?? load.sent + load.withheld,
    startedAt: Date.parse(phase.startedAt),
    thresholds: thresholdsOf(recordedBounds(load)),
  };
}

/** The figures of a load, from all of its exchanges in the order of their file. */
export function countLoad(given: EndedLoad, exchanges: readonly Exchange[]): LoadResult {
  const { startedAt, durationMs, withheld, share, shares } = given;
  const count = (some: readonly Exchange[]): LoadResult => {
    const counter = new LoadCounter(given);
    for (const exchange of some) counter.add(exchange);
    return counter.result({ endedAt: startedAt + durationMs, withheld });
  };
  const { load, ...rest } = count(exchanges);
  const rows = shares?.map(({ number, run, withheld, clockDifferenceMs }): ShareRow => {
    const name = shareName({ number, of: shares.length });
    const { sent, admitted, refused, failed, latency } = count(
      exchanges.filter(({ phase }) => phase === name),
    ).phase;
    return {
      number,
      run,
      sent,
      good: admitted,
      refused,
      errors: failed,
      withheld,
      ...(latency && { latency }),
      clockDifferenceMs,
    };
  });
  return { ...rest, load: { ...load, ...(share && { share }), ...(rows && { shares: rows }) } };
}

/** The exchanges of a load, without those that prepared it. */
export function loadExchanges(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.filter(({ purpose }) => purpose === 'load');
}

/**
 * What the exchanges of a load contradict in its record, in sentences. It judges no requirement: its figures are counted
 * again, from exchanges that must be all that it sent.
 */
export function loadDiscrepancies(record: RunRecord, exchanges: readonly Exchange[]): string[] {
  const { load, plans: [measured] = [], run } = record;
  const ended = endedLoad(record);
  if (!load) return [];
  if (!ended) return ['The record has figures of a load, and does not say when it began.'];
  const { sent, withheld } = load;
  const own = loadExchanges(exchanges);
  if (own.length !== sent)
    return [`The evidence holds ${own.length} requests of the load, and the record counts ${sent}.`];
  if (run.complete && sent + withheld !== ended.planned)
    return [`The record accounts for ${sent + withheld} of ${ended.planned} planned requests.`];
  const again = countLoad(ended, own);
  // Earlier versions recorded a series of points, which nothing reads.
  const phase = { ...measured?.phases[0], series: [], seriesOmitted: sent };
  const recorded: Record<string, unknown> = { ...load, phase };
  // As it would be read from a file.
  const counted = JSON.parse(JSON.stringify({ ...again.load, phase: again.phase })) as typeof recorded;
  return Object.keys({ ...counted, ...recorded })
    .filter((name) => !isDeepStrictEqual(counted[name], recorded[name]))
    .map(
      (name) =>
        `load.${name} is recorded as ${shown(recorded[name])}, and counted as ${shown(counted[name])}.`,
    );
}

const longest = 80;

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
