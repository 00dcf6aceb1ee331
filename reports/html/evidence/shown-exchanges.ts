import type { Finding, RequirementResult } from '../../../lib/evidence/record/requirement-result.js';
import type { FinishedRun } from '../../finished-run.js';
import type { RunCause } from '../../summary/run-causes.js';
import type { RunView } from '../../summary/run-view.js';
import { groupBy } from '../../text.js';
import { drawnWindows } from './drawn-windows.js';

/** What every part of a report is made of. */
export interface PageData extends RunView {
  readonly exchanges: Awaited<ReturnType<typeof shownExchanges>>;
}

/** Shown of one requirement: the record has the others. */
export const mostEntries = 8;

/** The findings of a requirement, then the observations. */
export function entriesOf({ findings, observations = [] }: RequirementResult): Finding[] {
  const observed = observations.map(({ subject, behaviour, exchanges }) => {
    return { message: `${subject}: ${behaviour}`, exchanges };
  });
  return [...findings, ...observed];
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

/** The exchanges that the page names, at the first place that names each: memory does not grow with the run. */
export async function shownExchanges(
  { causes, record: { requirements, plans = [] } }: RunView,
  exchangesById: FinishedRun['exchangesById'],
) {
  const places = new Map<string, string>();
  const name = (place: string, ids: readonly string[]): void => {
    for (const id of ids) if (!places.has(id)) places.set(id, place);
  };
  for (const cause of causes)
    name(causeAnchor(cause), cause.shown?.exchanges.slice(0, exchangesOfACause) ?? []);
  for (const { anchor, rejected } of plans.flatMap(drawnWindows)) if (rejected) name(anchor, [rejected.id]);
  for (const result of requirements)
    for (const { exchanges } of entriesOf(result).slice(0, mostEntries))
      name(result.id, exchanges.slice(0, 1));
  const byId = await exchangesById([...places.keys()].slice(0, mostExchanges));
  const byPlace = groupBy(byId.values(), ({ id }) => places.get(id) ?? '');
  // Each is at one place; those that were named, and had to be left out, are counted.
  return { byId, byPlace, leftOut: places.size - byId.size };
}
