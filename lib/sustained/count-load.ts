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
export function endedLoad({ load, plans: [measured] = [] }: RunRecord): EndedLoad | undefined {
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
