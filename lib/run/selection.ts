import {
  catalogue,
  classOf,
  requirementIds,
  type RequirementClass,
  type RequirementId,
} from '../specification/catalogue.js';

import type { Settings } from './settings.js';

export const requirementClasses = ['functional', 'limits', 'description'] as const;

export interface SelectionOptions {
  /** Ids or prefixes; empty: all. */
  readonly only: readonly string[];
  readonly except: readonly string[];
  /** Classes that this run can judge: always the functional one, the others if the user gave what they need. */
  readonly classes: ReadonlySet<RequirementClass>;
}

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

/** The classes that a run can judge: always the functional one, the others if the user gave what they need. */
export function classesOf({
  limits,
  description,
}: Pick<Settings, 'limits' | 'description'>): Set<RequirementClass> {
  return new Set([
    'functional',
    ...(limits === 'none' ? [] : (['limits'] as const)),
    ...(description === undefined ? [] : (['description'] as const)),
  ]);
}

/** Which requirements a run tries, and for the others why not. */
export function select(options: SelectionOptions): Selection {
  const ids = new Set<RequirementId>();
  const reasons = new Map<RequirementId, string>();
  for (const { id } of catalogue) {
    const requirementClass = classOf(id);
    if (options.only.length > 0 && !options.only.some((pattern) => names(pattern, id))) {
      reasons.set(id, 'not selected');
    } else if (options.except.some((pattern) => names(pattern, id))) {
      reasons.set(id, 'not selected (--except)');
    } else if (!options.classes.has(requirementClass)) {
      reasons.set(id, missing[requirementClass]);
    } else {
      ids.add(id);
    }
  }
  const classes = requirementClasses.filter((one) => [...ids].some((id) => classOf(id) === one));
  return { ids, reasons, classes };
}

/** Why a profile does not try a requirement. @param why what the profile has no room for */
export function noRoom(profile: string, why: string): string {
  return `the ${profile} profile has no room for it: ${why}`;
}
