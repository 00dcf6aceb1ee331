import { minutesOfDay } from '../limits/day/counting.js';
import { classOf, type RequirementId } from '../specification/catalogue.js';
import { keyVariablesOf, type PlanKey } from '../options/target.js';
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

/** What trying the limits of one plan's key comes to. */
export interface LimitsAhead {
  readonly key: PlanKey;
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

/** For each key whose limits are tried; they are tried side by side. */
export function limitsAhead(settings: Settings, parts: LimitParts): LimitsAhead[] {
  const fromSeveral = (settings.target.localAddresses ?? []).length > 1;
  return keysOf(settings).map((key) => {
    const { plan } = key;
    const windows = windowsUsed + (fromSeveral ? 1 : 0);
    const minute = parts.minute ? windows * (plan.perMinute + 1) + besides : 0;
    const day = parts.day ? plan.perDay + besides : 0;
    return {
      key,
      requests: minute + day,
      minutes:
        (parts.minute ? minutesOfWindows + (fromSeveral ? 1 : 0) : 0) + (parts.day ? minutesOfDay(plan) : 0),
    };
  });
}

/** The keys of the plans that are named, else the target's own. A key has one variable in a run, or it would be two callers. */
export function keysOf({ planKeys, target }: Settings): readonly PlanKey[] {
  const { own: variable } = keyVariablesOf(target);
  const keys = planKeys ?? [{ plan: target.plan, apiKey: target.apiKey, variable }];
  return keys.map((key) => (key.apiKey === target.apiKey ? { ...key, variable } : key));
}
