import { burstsOf, type Burst, type History } from '../history/history.js';
import type { Observation } from '../history/observation.js';

export function vantagePointOf({ exchange }: Observation): string {
  return exchange.request.localAddress ?? '';
}

/** What is counted apart, by its name. */
const partNames = {
  none: () => '',
  shared: () => '',
  operation: ({ operation }) => String(operation),
  path: ({ exchange }) => exchange.request.url.replace(/\?.*$/, ''),
  connection: ({ exchange }) => exchange.connection ?? '',
  'source address': vantagePointOf,
} as const satisfies Record<string, (one: Observation) => string>;
export type PartitionName = keyof typeof partNames;

const known = new WeakMap<History, Partial<Record<PartitionName, Burst[][]>>>();

/** The bursts of a history, apart for what is counted apart; `shared`: not even callers are. */
export function partsOf(history: History, by: PartitionName): Burst[][] {
  const cached = known.get(history) ?? {};
  known.set(history, cached);
  return (cached[by] ??= partedBy(by, history));
}

function partedBy(by: PartitionName, { own, others }: History): Burst[][] {
  const all = by === 'shared' ? [...own, ...others].toSorted((a, b) => a.sentAt - b.sentAt) : own;
  const partOf: (one: Observation) => string = partNames[by];
  const parts = new Map<string, Observation[]>(all.map((one) => [partOf(one), []]));
  for (const one of all) parts.get(partOf(one))?.push(one);
  return [...parts.values()].map(burstsOf);
}
