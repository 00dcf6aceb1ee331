import { burstsOf, type Burst, type History } from '../history/history.js';
import { isServed, type Observation } from '../history/observation.js';
import { tolerances } from '../tolerances.js';

const known = new WeakMap<History, Partial<Record<PartitionName, Burst[][]>>>();

/** The bursts of a history, apart for what is counted apart. */
export function partsOf(history: History, by: PartitionName): Burst[][] {
  const cached = known.get(history) ?? {};
  known.set(history, cached);
  return (cached[by] ??= partedBy(by, history));
}

function partedBy(by: PartitionName, { own, others }: History): Burst[][] {
  const all = by === 'shared' ? [...own, ...others].toSorted((a, b) => a.sentAt - b.sentAt) : own;
  const partOf = partOfEach(all, by);
  const parts = new Map<string, Observation[]>(all.map((one) => [partOf(one), []]));
  for (const one of all) parts.get(partOf(one))?.push(one);
  return [...parts.values()].map(burstsOf);
}

type NameOf = (one: Observation) => string;

export function vantagePointOf({ exchange }: Observation): string {
  return exchange.request.localAddress ?? '';
}

function connectionOf({ exchange }: Observation): string {
  return exchange.connection ?? '';
}

/** What is counted apart, by its name. Of nodes it is what may tell which of them takes a request. */
const partNames = {
  none: () => '',
  shared: () => '',
  operation: ({ operation }) => String(operation),
  method: ({ operation }) => (operation === 'createPet' ? 'writes' : 'reads'),
  path: ({ exchange }) => exchange.request.url.replace(/\?.*$/, ''),
  connection: connectionOf,
  'nodes by vantage point': vantagePointOf,
  'nodes by connection': connectionOf,
  'nodes by request': ({ id }) => id,
} as const satisfies Record<string, NameOf>;
export type PartitionName = keyof typeof partNames;

/** The part of a history that each observation belongs to, if it is counted apart in this way. */
function partOfEach(own: readonly Observation[], by: PartitionName): NameOf {
  const nameOf = partNames[by];
  if (!by.startsWith('nodes')) return nameOf;
  const counters = countersOf(own, by);
  return (one) => String(counters.findIndex((names) => names.has(nameOf(one))));
}

/**
 * The counters of a history, each by the names whose requests it takes, as Remaining shows: a counter's Remaining falls with
 * each request, so that names have different counters if theirs, taken together, would not.
 */
export function countersOf(own: readonly Observation[], by: PartitionName): Array<ReadonlySet<string>> {
  const nameOf = partNames[by];
  const reporting = burstsOf(own)
    .flatMap(inOrderOfCounting)
    .filter(
      ({ outcome, headers }) =>
        outcome === 'admitted' && headers.remaining !== undefined && headers.period === 'minute',
    );
  if (reporting.length === 0) return [];
  const order = new Map(reporting.map((one, index) => [one, index]));
  const placeOf = (one: Observation): number => order.get(one) ?? 0;
  const reportingBy = new Map<string, Observation[]>(own.map((one) => [nameOf(one), []]));
  for (const one of reporting) reportingBy.get(nameOf(one))?.push(one);
  const counters: Array<{ names: Set<string>; reporting: Observation[]; falls: boolean }> = [];
  for (const [name, ofName] of reportingBy) {
    const fitting = counters.flatMap((counter) => {
      // Only beside the requests of this name Remaining falls otherwise than without them.
      const [from, to] = [ofName[0], ofName.at(-1)].map((one) =>
        one ? counter.reporting.findLastIndex((other) => placeOf(other) < placeOf(one)) : 0,
      );
      const begin = Math.max(0, from ?? 0);
      const beside = ofName.length > 0 ? counter.reporting.slice(begin, (to ?? 0) + 2) : [];
      const among = [...beside, ...ofName].toSorted((a, b) => placeOf(a) - placeOf(b));
      const gaps = counter.falls ? gapsIn(among) : undefined;
      if (gaps === undefined) return [];
      // What was rejected met a counter that had nothing left.
      const added = ofName.length > 0 ? gaps - (gapsIn(beside) ?? 0) : remainingOf(counter.reporting.at(-1));
      return [{ counter, added, begin, replaced: beside.length, among }];
    });
    // Of counters that fit alike the one that has rested longest.
    const restedSince = ({ counter }: (typeof fitting)[number]): number =>
      counter.reporting.at(-1)?.sentAt ?? 0;
    const [best] = fitting.toSorted((a, b) => a.added - b.added || restedSince(a) - restedSince(b));
    if (best) {
      best.counter.names.add(name);
      best.counter.reporting.splice(best.begin, best.replaced, ...best.among);
    } else
      counters.push({
        names: new Set([name]),
        reporting: ofName,
        falls: gapsIn(ofName) !== undefined,
      });
    // If each request has a counter of its own, Remaining does not fall at all.
    if (by === 'nodes by request' && counters.length > tolerances.mostNodes) return [];
  }
  return counters.map(({ names }) => names);
}

function remainingOf(one: Observation | undefined): number {
  return one?.headers.remaining ?? 0;
}

/** Of requests that overlap Remaining shows which was counted first. */
function inOrderOfCounting({ observations, overlapping }: Burst): readonly Observation[] {
  return overlapping ? observations.toSorted((a, b) => remainingOf(b) - remainingOf(a)) : observations;
}

/** How many numbers Remaining leaves out as it falls; undefined if it does not fall each time, though nothing can have come back. */
function gapsIn(reporting: readonly Observation[]): number | undefined {
  let gaps = 0;
  for (const [index, one] of reporting.entries()) {
    const before = reporting[index - 1];
    if (!before) continue;
    const fall = remainingOf(before) - remainingOf(one);
    if (fall >= (isServed(one) ? 1 : 0)) gaps += Math.max(0, fall - 1);
    else if (one.sentAt - before.receivedAt <= tolerances.quickMs) return undefined;
    // What has just fallen is likelier to fall on than what has come back.
    else gaps += 1;
  }
  return gaps;
}
