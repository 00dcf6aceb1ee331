import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../http/exchange/exchange.js';
import type { RecordedRun, Replay } from '../replay/replay-run.js';
import { countLoad, endedLoad } from './count-load.js';

/** The exchanges of a load, without those that prepared it. */
export function loadExchanges(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.filter(({ purpose }) => purpose === 'load');
}

/** Counts a load again from its exchanges, which must be all that it sent. It judges no requirement: figures are compared. */
export function countAgain(recorded: Pick<RecordedRun, 'record' | 'exchanges'>): Replay {
  const { record } = recorded;
  return { record, discrepancies: discrepanciesOf(recorded), leftOut: new Map() };
}

function discrepanciesOf({ record, exchanges }: Pick<RecordedRun, 'record' | 'exchanges'>): string[] {
  const { load, plans: [measured] = [], run } = record;
  const ended = endedLoad(record);
  if (!load || !ended) return [];
  const { sent, withheld } = load;
  const own = loadExchanges(exchanges);
  if (own.length !== sent)
    return [`The evidence holds ${own.length} requests of the load, and the record counts ${sent}.`];
  if (run.complete && sent + withheld !== ended.planned)
    return [`The record accounts for ${sent + withheld} of ${ended.planned} planned requests.`];
  const again = countLoad(ended, own);
  const recorded: Record<string, unknown> = { ...load, phase: measured?.phases[0] };
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
