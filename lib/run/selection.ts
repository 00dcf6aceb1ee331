import type { RunRecord } from '../evidence/record/record.js';
import { classOf, requirementIds, type RequirementId } from '../specification/catalogue.js';

/** What decides which requirements a run tries: its settings, or what its record tells of them. */
export interface Selecting extends Pick<RunRecord['run'], 'limits'> {
  /** Ids, and what stands before their numbers. */
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
  /** Undefined if no interface description was given. */
  readonly description?: unknown;
  /** Undefined if the run sent its requests itself. */
  readonly traffic?: unknown;
}

/** Why a class is not selected: by a run, and if others recorded the traffic. */
const whyNot = {
  limits: [
    'not selected: limits are tried with --limits=minute or --limits=day',
    'limits are judged if the plan of the key is given (--plan)',
  ],
  description: [
    'not selected: no interface description was given (--description=URL|FILE)',
    'recorded traffic is not compared with an interface description',
  ],
};

/** Whether a name is the id, or what stands before its number: `LIST-02`, `LIST`. */
function isNamed(id: RequirementId, names: readonly string[]): boolean {
  return names.includes(id) || names.includes(id.replace(/-\d+$/, ''));
}

/** Which requirements a run tries, the classes that its headline speaks of, and why each other requirement is left out. */
export function selectionOf(selecting: Selecting) {
  const reasons = new Map(
    requirementIds.flatMap((id) => {
      const why = whyLeftOut(id, selecting);
      return why === undefined ? [] : [[id, why] as const];
    }),
  );
  const ids = new Set(requirementIds.filter((id) => !reasons.has(id)));
  return { ids, reasons, classes: [...new Set(Array.from(ids, classOf))] };
}

/** The same by what a run tells of itself. */
export function selectionOfRun({ run }: Pick<RunRecord, 'run'>): ReturnType<typeof selectionOf> {
  return selectionOf({ ...run.options, limits: run.limits, traffic: run.traffic });
}

function whyLeftOut(id: RequirementId, selecting: Selecting): string | undefined {
  const { only = [], except = [], limits, description, traffic } = selecting;
  if (only.length > 0 && !isNamed(id, only)) return 'not selected';
  if (isNamed(id, except)) return 'not selected (--except)';
  if (traffic !== undefined && id === 'LIMIT-03')
    return 'recorded traffic does not tell which requests were to be sent at the same moment';
  const own = classOf(id);
  const isGiven = { limits: limits !== 'none', description: description !== undefined };
  return own === 'functional' || isGiven[own] ? undefined : whyNot[own][traffic === undefined ? 0 : 1];
}
