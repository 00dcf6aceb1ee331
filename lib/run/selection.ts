import type { RunRecord } from '../evidence/record/record.js';
import {
  classOf,
  requirementIds,
  type RequirementClass,
  type RequirementId,
} from '../specification/catalogue.js';

const requirementClasses = ['functional', 'limits', 'description'] as const;

export interface Selection {
  readonly ids: ReadonlySet<RequirementId>;
  /** Why an id was left out. */
  readonly reasons: ReadonlyMap<RequirementId, string>;
  /** The classes that the run's headline speaks of. */
  readonly classes: readonly RequirementClass[];
}

/** What decides which requirements a run tries: its settings, or what its record tells of them. */
export interface Selecting {
  /** Ids and prefixes. */
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
  readonly limits: RunRecord['run']['limits'];
  /** Undefined if no interface description was given. */
  readonly description?: unknown;
  /** Undefined if the run sent its requests itself. */
  readonly traffic?: unknown;
}

const notGiven: Record<RequirementClass, string> = {
  functional: 'not selected',
  limits: 'not selected: limits are tried with --limits=minute or --limits=day',
  description: 'not selected: no interface description was given (--description=URL|FILE)',
};

const sentTogether = 'recorded traffic does not tell which requests were to be sent at the same moment';
/** Of traffic that others recorded. */
const notInTraffic: typeof notGiven = {
  functional: 'not selected',
  limits: 'limits are judged if the plan of the key is given (--plan)',
  description: 'recorded traffic is not compared with an interface description',
};

/** Whether a pattern names the id, or is a prefix of it up to a dash: `AUTH`, `LIST-02`, `LIST-0`. */
function isNamed(id: RequirementId, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const wanted = pattern.toUpperCase();
    const isPrefix = wanted.length > 0 && id.startsWith(wanted);
    return id === wanted || (isPrefix && (wanted.includes('-') || id[wanted.length] === '-'));
  });
}

/** Patterns that name nothing in the catalogue. */
export function unknownPatterns(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => !requirementIds.some((id) => isNamed(id, [pattern])));
}

/** Which requirements a run tries, and for the others why not. */
export function selectionOf(selecting: Selecting): Selection {
  const left = requirementIds.map((id) => [id, whyLeftOut(id, selecting)] as const);
  const reasons = new Map(left.flatMap(([id, why]) => (why === undefined ? [] : [[id, why]])));
  const ids = new Set(requirementIds.filter((id) => !reasons.has(id)));
  const classes = requirementClasses.filter((one) => [...ids].some((id) => classOf(id) === one));
  return { ids, reasons, classes };
}

/** The same by what a run tells of itself. */
export function selectionOfRun({ run }: Pick<RunRecord, 'run'>): Selection {
  return selectionOf({ ...run.options, limits: run.limits, traffic: run.traffic });
}

function whyLeftOut(id: RequirementId, selecting: Selecting): string | undefined {
  const { only = [], except = [], limits, description, traffic } = selecting;
  const own = classOf(id);
  if (only.length > 0 && !isNamed(id, only)) return 'not selected';
  if (isNamed(id, except)) return 'not selected (--except)';
  if (traffic !== undefined && id === 'LIMIT-03') return sentTogether;
  const isGiven = { functional: true, limits: limits !== 'none', description: description !== undefined };
  return isGiven[own] ? undefined : (traffic === undefined ? notGiven : notInTraffic)[own];
}
