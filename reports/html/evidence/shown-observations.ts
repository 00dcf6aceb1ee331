import type { Observation, RequirementResult, RunRecord } from '../../../lib/record/record.js';
import { renderedLength } from '../text/rendered-length.js';

/** What a run observed of one requirement: the observations shown, and how many more the record holds. */
export interface ObservationGroup {
  readonly row: RequirementResult;
  readonly shown: readonly Observation[];
  readonly leftOut: number;
}

/** Observations shown of one requirement, and the room that all may take, in characters of the document. */
const observationsOfARequirement = 60;
const roomForObservations = 500_000;
/** What an observation takes beside its texts, and how much of those is shown. */
const costOfAnObservation = 200;
const longestText = 1_000;

function cost({ subject, behaviour }: Observation): number {
  return costOfAnObservation + renderedLength(subject, longestText) + renderedLength(behaviour, longestText);
}

/** The rows that the specification leaves open, and any other that observed something, in their order. */
export function observationGroups(record: RunRecord): ObservationGroup[] {
  let room = roomForObservations;
  const fits = (observation: Observation): boolean => (room -= cost(observation)) >= 0;
  return record.requirements
    .filter((row) => row.level === 'OBSERVE' || (row.observations ?? []).length > 0)
    .map((row) => {
      const observations = row.observations ?? [];
      const shown = observations.slice(0, observationsOfARequirement).filter(fits);
      return { row, shown, leftOut: observations.length - shown.length };
    });
}
