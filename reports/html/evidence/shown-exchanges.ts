import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import type { Finding, RequirementResult } from '../../../lib/evidence/record/requirement-result.js';
import type { RunCause } from '../../summary/run-causes.js';
import { groupBy } from '../../text/group-by.js';
import { drawnWindows } from './drawn-windows.js';

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

/** Something that a requirement shows, and the exchanges that show it. */
interface Entry {
  readonly text: string;
  readonly exchanges: readonly string[];
  /** None of an observation. */
  readonly finding?: Finding;
}

/** Shown of one requirement: the record has the others. */
export const mostEntries = 8;

/** The findings of a requirement, then the observations. */
export function entriesOf({ findings, observations = [] }: RequirementResult): Entry[] {
  return [
    ...findings.map((finding) => ({ text: finding.message, exchanges: finding.exchanges, finding })),
    ...observations.map(({ subject, behaviour, exchanges }) => ({
      text: `${subject}: ${behaviour}`,
      exchanges,
    })),
  ];
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
  { requirements, plans = [] }: RunRecord,
  exchangesById: (ids: Iterable<string>) => Promise<ReadonlyMap<string, RecordedExchange>>,
): Promise<ShownExchanges> {
  const places = new Map<string, string>();
  const name = (place: string, ids: readonly string[]): void => {
    for (const id of ids) if (!places.has(id)) places.set(id, place);
  };
  for (const cause of causes)
    name(causeAnchor(cause), cause.shown?.exchanges.slice(0, exchangesOfACause) ?? []);
  for (const result of requirements)
    for (const { exchanges } of entriesOf(result).slice(0, mostEntries))
      name(result.id, exchanges.slice(0, 1));
  const rejections = plans.flatMap(drawnWindows).flatMap(({ rejected }) => rejected?.id ?? []);
  const wanted = new Set([...places.keys()].slice(0, mostExchanges));
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
