import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import type { RunCause } from '../../summary/run-causes.js';
import { groupBy } from '../../text/group-by.js';
import { drawnWindows } from './drawn-windows.js';
import type { ShownResult } from './shown-findings.js';

/** The exchanges that the page holds, each at one place, and those that it had to leave out. */
export interface ShownExchanges {
  readonly leftOut: readonly string[];
  /** Whether the page holds an exchange. */
  has(id: string): boolean;
  /** The exchanges at a place: under a cause, or under a requirement. */
  at(place: string): readonly RecordedExchange[];
  /** The first rejection of a window that is drawn, also if the page does not hold it. */
  rejection(id: string | undefined): RecordedExchange | undefined;
}

/** The places of exchanges, which are also the anchors of what they stand under. */
export const placeOf = {
  cause: ({ id }: RunCause): string => `cause-${id}`,
  requirement: ({ result }: ShownResult): string => result.id,
} as const;

/** The anchor of an exchange. Ids come from a file that anyone may have edited: nothing odd passes. */
export function exchangeAnchor(id: string): string {
  return `exchange-${id.replaceAll(/[^\w-]/g, '-')}`;
}

const exchangesOfACause = 3;
/** A page of 5 kB is usual: a hundred animals are cut to the lines that matter. */
const mostExchanges = 120;

/** Exchange ids and their places, the most informative first: each stands at the first place that names it. */
function wantedExchanges(causes: readonly RunCause[], results: readonly ShownResult[]): Map<string, string> {
  const ofCauses = (from: number, to: number) =>
    causes.flatMap((cause) =>
      (cause.shown?.exchanges ?? []).slice(from, to).map((id) => [id, placeOf.cause(cause)] as const),
    );
  const ofResults = results.flatMap((shown) =>
    [...shown.findings, ...shown.observations].flatMap(({ exchanges }) =>
      exchanges.slice(0, 1).map((id) => [id, placeOf.requirement(shown)] as const),
    ),
  );
  const wanted = [...ofCauses(0, 1), ...ofResults, ...ofCauses(1, exchangesOfACause)];
  const places = new Map<string, string>();
  for (const [id, place] of wanted) if (!places.has(id)) places.set(id, place);
  return places;
}

/** The exchanges that findings and observations name: memory does not grow with the length of the run. */
export async function shownExchanges(
  causes: readonly RunCause[],
  results: readonly ShownResult[],
  record: RunRecord,
  exchangesById: (ids: Iterable<string>) => Promise<ReadonlyMap<string, RecordedExchange>>,
): Promise<ShownExchanges> {
  const wanted = wantedExchanges(causes, results);
  const ids = [...wanted.keys()];
  const rejections = (record.plans ?? [])
    .flatMap(drawnWindows)
    .flatMap(({ rejected }) => (rejected ? [rejected.id] : []));
  const candidates = new Set(ids.slice(0, mostExchanges));
  const found = await exchangesById([...candidates, ...rejections]);
  const shown = new Map([...found].filter(([id]) => candidates.has(id)));
  const byPlace = groupBy(shown.values(), ({ id }) => wanted.get(id) ?? '');
  return {
    leftOut: ids.filter((id) => !shown.has(id)),
    has: (id) => shown.has(id),
    at: (place) => byPlace.get(place) ?? [],
    rejection: (id = '') => found.get(id),
  };
}
