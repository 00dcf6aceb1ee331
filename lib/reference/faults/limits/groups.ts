import type { RequirementId } from '../../../specification/catalogue.js';
import type { LimitFault } from './limit-fault.js';

/**
 * What a fault does to a client, and every id that shows it. Behind another algorithm or beside another client a limiter
 * shows other things of itself: then a fault is found if an id of its group turns, and no id outside it may.
 */
const groups = {
  'another key': ['LIMIT-08'],
  'side effects': ['LIMIT-07'],
  headers: ['RATE-01', 'RATE-02', 'RATE-03', 'RATE-04', 'RATE-05', 'LIMIT-04'],
  'waits and resets': ['RATE-03', 'LIMIT-01', 'LIMIT-04', 'LIMIT-05', 'LIMIT-06', 'LIMIT-14'],
  // What was admitted too much may be charged to the next window, which then begins later.
  'too many': ['RATE-04', 'RATE-05', 'LIMIT-02', 'LIMIT-03', 'LIMIT-04', 'LIMIT-06', 'LIMIT-09', 'LIMIT-14'],
  'too few': ['RATE-04', 'RATE-05', 'LIMIT-01', 'LIMIT-03', 'LIMIT-05', 'LIMIT-06', 'LIMIT-09', 'LIMIT-14'],
} as const satisfies Record<string, readonly RequirementId[]>;

export type GroupName = keyof typeof groups;

/** The ids of a fault's group: of the one that it names, or of the first that holds all that it breaks. */
export function groupOf({ name, breaks, group }: LimitFault): readonly RequirementId[] {
  const holding = Object.values(groups).find((ids: readonly RequirementId[]) =>
    breaks.every((id) => ids.includes(id)),
  );
  const ids = group === undefined ? holding : groups[group];
  if (ids === undefined) throw new Error(`${name} has no group of ids`);
  return ids;
}
