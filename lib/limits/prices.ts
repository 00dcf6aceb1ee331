import type { Seen } from './seen.js';

/** Requests that cost the same: some operations may be counted twice, and errors not at all. */
export function kindOf({ exchange, status }: Seen): string {
  return `${exchange.operation ?? ''} ${status}`;
}

/** By how much Remaining falls with a request of each kind, most of the time. */
export function pricesOf(requests: readonly Seen[]): ReadonlyMap<string, number> {
  const falls = new Map<string, Map<number, number>>();
  requests.forEach((request, index) => {
    const before = requests[index - 1];
    const fall = before && fallOf(before, request);
    if (fall === undefined || fall < 0) return;
    const times = falls.get(kindOf(request)) ?? new Map<number, number>();
    falls.set(kindOf(request), times.set(fall, (times.get(fall) ?? 0) + 1));
  });
  return new Map([...falls].map(([kind, times]) => [kind, commonest(times)]));
}

/** By how much Remaining fell, in the same window; undefined where the two can't be compared. */
export function fallOf(before: Seen, { told, sentAt }: Seen): number | undefined {
  const { limit, remaining, reset } = before.told;
  if (before.at > sentAt || limit !== told.limit || remaining === undefined || told.remaining === undefined)
    return undefined;
  if (Math.abs((reset?.at ?? 0) - (told.reset?.at ?? 0)) > 1_000) return undefined;
  return remaining - told.remaining;
}

function commonest(times: ReadonlyMap<number, number>): number {
  const [first] = [...times].toSorted(([, one], [, other]) => other - one);
  return first?.[0] ?? 1;
}
