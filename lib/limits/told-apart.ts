import type { Plan } from '../specification/plan.js';
import type { Seen } from './seen.js';
import { tellingRemaining } from './telling-remaining.js';

/**
 * Whether Remaining, in a window that operations use in turn, is told for each of them apart: it falls by less than was
 * admitted of all three, and time does not explain that. Then it does not show that they share one limit (section 8).
 */
export function toldApart(
  requests: readonly Seen[],
  { plan, windowMs }: { readonly plan: Plan; readonly windowMs: number },
): boolean {
  const shown = tellingRemaining({ plan, windowMs, history: requests });
  const operations = [...new Set(shown.map(({ seen }) => seen.exchange.operation))];
  if (operations.length < 2) return false;
  return operations.every((operation) => {
    const own = shown.filter(({ seen }) => seen.exchange.operation === operation);
    const [first] = own;
    const last = own.at(-1);
    if (!first || !last) return false;
    const [from, to] = [first.seen, last.seen];
    const between = shown.filter(({ seen }) => seen.sentAt > from.sentAt && seen.sentAt <= to.sentAt).length;
    const refill = Math.ceil((plan.perMinute * (to.at - from.sentAt)) / windowMs) + 1;
    return between - (first.remaining - last.remaining) > refill;
  });
}
