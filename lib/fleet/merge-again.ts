import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../http/exchange/exchange.js';
import type { RecordedRun, Replay } from '../replay/replay-run.js';
import { keptFleet, type Fleet } from './fleet-files.js';
import { mergeLedgers } from './merge.js';

/** Merges once more what a fleet left in the folder of its run: figures, limits and exchanges all follow from the ledgers. */
export async function mergeAgain({ record, exchanges, directory }: RecordedRun): Promise<Replay> {
  let fleet: Fleet;
  try {
    fleet = keptFleet(directory);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      record,
      discrepancies: [`The ledgers of the fleet can't be merged again: ${why}.`],
      leftOut: new Map(),
    };
  }
  const merged: Exchange[] = [];
  const again = await mergeLedgers({
    ...fleet,
    evidence: { append: (exchange) => void merged.push(exchange), close: () => undefined },
    command: record.run.command ?? '',
    environment: {},
  });
  const other = merged.filter((one, index) => {
    const recorded = { ...exchanges[index], previous: undefined };
    return !isDeepStrictEqual(
      { ...(JSON.parse(JSON.stringify(one)) as Exchange), previous: undefined },
      recorded,
    );
  });
  const discrepancies = [
    ...other.map(({ id }) => `${id} is not the exchange that the ledgers hold.`),
    ...exchanges.slice(merged.length).map(({ id }) => `${id} stands in no ledger.`),
  ];
  return { record: again, discrepancies, leftOut: new Map() };
}
