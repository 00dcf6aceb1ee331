import type { RunRecord } from '../evidence/record/record.js';
import {
  classOf,
  requirementIds,
  type RequirementClass,
  type RequirementId,
} from '../specification/catalogue.js';
import type { Settings } from './settings.js';

export const requirementClasses = ['functional', 'limits', 'description'] as const;

export interface Selection {
  readonly ids: ReadonlySet<RequirementId>;
  /** Why an id was left out. */
  readonly reasons: ReadonlyMap<RequirementId, string>;
  /** The classes that the run's headline speaks of. */
  readonly classes: readonly RequirementClass[];
}

const missing: Record<RequirementClass, string> = {
  functional: 'not selected',
  limits: 'not selected: limits are tried with --limits=minute or --limits=day',
  description: 'not selected: no interface description was given (--description=URL|FILE)',
};

/** Whether `pattern` names the id, or is a prefix of it up to a dash: `AUTH`, `LIST-02`, `LIST-0`. */
function names(pattern: string, id: RequirementId): boolean {
  const wanted = pattern.toUpperCase();
  return (
    id === wanted ||
    (wanted.length > 0 && id.startsWith(wanted) && (wanted.includes('-') || id[wanted.length] === '-'))
  );
}

/** Patterns that name nothing in the catalogue. */
export function unknownPatterns(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => !requirementIds.some((id) => names(pattern, id)));
}

/** What of a run's settings decides what it tries. */
export type Selecting = Pick<Settings, 'only' | 'except' | 'limits' | 'description' | 'resume'>;

/** Which requirements a run tries, and for the others why not. */
export function selectionOf({ only, except, limits, description, resume }: Selecting): Selection {
  const isResumed = resume !== undefined;
  const isTried: Record<RequirementClass, boolean> = {
    functional: !isResumed,
    limits: isResumed || limits !== 'none',
    description: !isResumed && description !== undefined,
  };
  // A resumed run judges the day alone.
  const [wanted, unwanted] = isResumed ? [['LIMIT-10'], []] : [only, except];
  return selectBy((id) => {
    if (wanted.length > 0 && !wanted.some((pattern) => names(pattern, id))) return 'not selected';
    if (unwanted.some((pattern) => names(pattern, id))) return 'not selected (--except)';
    return isTried[classOf(id)] ? undefined : missing[classOf(id)];
  });
}

/** The same by what a run tells of itself. */
export function selectionOfRun({ run, target }: Pick<RunRecord, 'run' | 'target'>): Selection {
  const { only = [], except = [], description, resumed = false } = run.options ?? {};
  if (run.traffic) return selectionOfTraffic(target.planGiven === true);
  return selectionOf({
    only,
    except,
    limits: run.limits,
    description: description?.source,
    resume: resumed ? '' : undefined,
  });
}

/** Those that judge a history of requests with one key, whoever sent them. */
const ofHistory: ReadonlySet<RequirementId> = new Set([
  'LIMIT-01',
  'LIMIT-02',
  'LIMIT-04',
  'LIMIT-05',
  'LIMIT-06',
  'LIMIT-09',
  'LIMIT-11',
  'LIMIT-13',
  'LIMIT-14',
]);

const ownRequests =
  'recorded traffic is judged by the requirements on every exchange and by the limits; this one needs requests of its own';
const noPlan = 'limits are judged if the plan of the key is given (--plan)';

function selectionOfTraffic(planGiven: boolean): Selection {
  return selectBy((id) => {
    const isOfLimits = classOf(id) === 'limits';
    if (classOf(id) === 'description' || (isOfLimits && !ofHistory.has(id))) return ownRequests;
    return isOfLimits && !planGiven ? noPlan : undefined;
  });
}

/** @param whyNot why a requirement is left out; undefined if it is tried */
function selectBy(whyNot: (id: RequirementId) => string | undefined): Selection {
  const reasons = new Map<RequirementId, string>();
  for (const id of requirementIds) {
    const reason = whyNot(id);
    if (reason !== undefined) reasons.set(id, reason);
  }
  const ids = new Set(requirementIds.filter((id) => !reasons.has(id)));
  const classes = requirementClasses.filter((one) => [...ids].some((id) => classOf(id) === one));
  return { ids, reasons, classes };
}

/** Why a profile does not try a requirement. @param why what the profile has no room for */
export function noRoom(profile: string, why: string): string {
  return `the ${profile} profile has no room for it: ${why}`;
}
