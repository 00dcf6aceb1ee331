import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import type { RunCause } from '../../summary/run-causes.js';
import { groupBy } from '../../text/group-by.js';
import { drawnWindows } from './drawn-windows.js';
import type { ShownResult } from './shown-results.js';

/** The exchanges that the page holds, each at one place. */
export interface ShownExchanges {
  /** How many of those named here it had to leave out. */
  readonly leftOut: number;
  /** Whether the page holds an exchange. */
  has(id: string): boolean;
  /** The exchanges at a place, by its anchor: under a cause, or under a requirement. */
  at(place: string): readonly RecordedExchange[];
  /** The first rejection of a window that is drawn, also if the page does not hold it. */
  rejection(id: string | undefined): RecordedExchange | undefined;
}

/** The anchor of a cause. */
export const causeAnchor = ({ id }: RunCause): string => `cause-${id}`;

/** The anchor of an exchange. Ids come from a file that anyone may have edited: nothing odd passes. */
export function exchangeAnchor(id: string): string {
  return `exchange-${id.replaceAll(/[^\w-]/g, '-')}`;
}

const exchangesOfACause = 2;
/** A page of 5 kB is usual: a hundred animals are cut to the lines that matter. */
const mostExchanges = 160;

/** The exchanges that findings and observations name, at the first place that names each: memory does not grow with the run. */
export async function shownExchanges(
  causes: readonly RunCause[],
  results: readonly ShownResult[],
  record: RunRecord,
  exchangesById: (ids: Iterable<string>) => Promise<ReadonlyMap<string, RecordedExchange>>,
): Promise<ShownExchanges> {
  const named = [
    ...causes.flatMap((cause) =>
      (cause.shown?.exchanges ?? [])
        .slice(0, exchangesOfACause)
        .map((id) => [id, causeAnchor(cause)] as const),
    ),
    ...results.flatMap(({ result, entries }) =>
      entries.flatMap(({ exchanges }) => exchanges.slice(0, 1).map((id) => [id, result.id] as const)),
    ),
  ];
  // The first place stays.
  const places = new Map(named.toReversed());
  const rejections = (record.plans ?? []).flatMap(drawnWindows).flatMap(({ rejected }) => rejected?.id ?? []);
  const wanted = new Set([...new Map(named).keys()].slice(0, mostExchanges));
  const found = await exchangesById([...wanted, ...rejections]);
  const shown = [...found.values()].filter(({ id }) => wanted.has(id));
  const byPlace = groupBy(shown, ({ id }) => places.get(id) ?? '');
  return {
    leftOut: places.size - shown.length,
    has: (id) => wanted.has(id) && found.has(id),
    at: (place) => byPlace.get(place) ?? [],
    rejection: (id = '') => found.get(id),
  };
}
