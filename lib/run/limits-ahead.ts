import { minutesOfDay } from '../limits/day/counting.js';
import { classOf, type RequirementId } from '../specification/catalogue.js';
import type { Settings } from './settings.js';

/** Windows that the probes of a minute exhaust, and requests beside them. */
const windowsUsed = 2;
const besides = 30;
/** With the wait between them. */
const minutesOfWindows = 2;

/** Which parts of the limits a run tries, and what that comes to at the most. */
export interface LimitsAhead {
  readonly minute: boolean;
  readonly day: boolean;
  readonly requests: number;
  readonly minutes: number;
}

/** What trying the limits comes to. @param selected the requirements of the run */
export function limitsAhead(
  { limits, target: { plan, localAddresses = [] } }: Settings,
  selected: ReadonlySet<RequirementId>,
): LimitsAhead {
  const isOfMinute = (id: RequirementId): boolean =>
    classOf(id) === 'limits' && id !== 'LIMIT-10' && id !== 'LIMIT-12';
  const minute = limits !== 'none' && [...selected].some(isOfMinute);
  const day = limits === 'day' && selected.has('LIMIT-10');
  const more = localAddresses.length > 1 ? 1 : 0;
  const ofMinute = minute ? (windowsUsed + more) * (plan.perMinute + 1) + besides : 0;
  return {
    minute,
    day,
    requests: ofMinute + (day ? plan.perDay + besides : 0),
    minutes: (minute ? minutesOfWindows + more : 0) + (day ? minutesOfDay(plan) : 0),
  };
}
