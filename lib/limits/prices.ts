import { refused, type Seen } from './seen.js';

/** Requests that cost the same: some operations may be counted twice, and errors not at all. */
export function kindOf({ exchange, status }: Seen): string {
  return `${exchange.operation ?? ''} ${status}`;
}

/**
 * By how much Remaining falls with a request of its kind, most of the time; by 1 where that was not seen, as with those
 * that are refused: Remaining is 0 before them.
 */
export function priceFrom(requests: readonly Seen[]): (seen: Seen) => number {
  const falls = new Map<string, Map<number, number>>();
  requests.forEach((request, index) => {
    const before = requests[index - 1];
    const fall = before && fallOf(before, request);
    if (fall === undefined || fall < 0 || refused(request)) return;
    const times = falls.get(kindOf(request)) ?? new Map<number, number>();
    falls.set(kindOf(request), times.set(fall, (times.get(fall) ?? 0) + 1));
  });
  const prices = new Map([...falls].map(([kind, times]) => [kind, commonest(times)]));
  return (seen) => prices.get(kindOf(seen)) ?? 1;
}

/**
 * By how much Remaining fell; negative where a window began anew or requests came back, undefined where the two can't be
 * compared. Reset is no help: with a bucket it moves with every request.
 */
export function fallOf(before: Seen, { told, sentAt }: Seen): number | undefined {
  const { limit, remaining } = before.told;
  if (before.at > sentAt || limit !== told.limit || remaining === undefined || told.remaining === undefined)
    return undefined;
  return remaining - told.remaining;
}

function commonest(times: ReadonlyMap<number, number>): number {
  const [first] = [...times].toSorted(([, one], [, other]) => other - one);
  return first?.[0] ?? 1;
}
