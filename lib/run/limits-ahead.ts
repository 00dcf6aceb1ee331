import { minutesOfDay } from '../limits/day/counting.js';
import { classOf, type RequirementId } from '../specification/catalogue.js';
import type { Settings } from './settings.js';

/** Windows that the probes of a minute exhaust, and requests beside them. */
const windowsUsed = 2;
const besides = 30;
/** With the wait between them. */
const minutesOfWindows = 2;

/** Which parts of the limits a run tries. */
export interface LimitParts {
  readonly minute: boolean;
  readonly day: boolean;
}

/** What trying the limits comes to. */
export interface LimitsAhead {
  /** At the most. */
  readonly requests: number;
  readonly minutes: number;
}

/** The parts that a selection asks for. */
export function partsOf({ limits }: Settings, selected: ReadonlySet<RequirementId>): LimitParts {
  return {
    minute: limits !== 'none' && [...selected].some(isOfMinute),
    day: limits === 'day' && selected.has('LIMIT-10'),
  };
}

function isOfMinute(id: RequirementId): boolean {
  return classOf(id) === 'limits' && id !== 'LIMIT-10' && id !== 'LIMIT-12';
}

export function limitsAhead({ target }: Settings, parts: LimitParts): LimitsAhead {
  const { plan, localAddresses = [] } = target;
  const more = localAddresses.length > 1 ? 1 : 0;
  const minute = parts.minute ? (windowsUsed + more) * (plan.perMinute + 1) + besides : 0;
  const day = parts.day ? plan.perDay + besides : 0;
  return {
    requests: minute + day,
    minutes: (parts.minute ? minutesOfWindows + more : 0) + (parts.day ? minutesOfDay(plan) : 0),
  };
}
