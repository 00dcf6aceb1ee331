import type { Plan } from '../specification/plans.js';
import { admitted, type Seen } from './seen.js';
import { viewOf } from './told.js';

/**
 * Whether Remaining, in a window that operations use in turn, is told for each of them apart: it falls by less than was
 * admitted of all three, and time does not explain that. Then it does not show that they share one limit (section 8).
 */
export function toldApart(
  requests: readonly Seen[],
  { plan, windowMs }: { readonly plan: Plan; readonly windowMs: number },
): boolean {
  const shown = requests.filter(
    (seen) =>
      admitted(seen) && seen.told.remaining !== undefined && viewOf(seen.told, plan, windowMs) === 'minute',
  );
  const operations = [...new Set(shown.map(({ exchange }) => exchange.operation))];
  if (operations.length < 2) return false;
  return operations.every((operation) => {
    const own = shown.filter(({ exchange }) => exchange.operation === operation);
    const [first] = own;
    const last = own.at(-1);
    if (!first || !last) return false;
    const between = shown.filter(({ sentAt }) => sentAt > first.sentAt && sentAt <= last.sentAt).length;
    const fall = (first.told.remaining ?? 0) - (last.told.remaining ?? 0);
    const refill = Math.ceil((plan.perMinute * (last.at - first.sentAt)) / windowMs) + 1;
    return between - fall > refill;
  });
}
