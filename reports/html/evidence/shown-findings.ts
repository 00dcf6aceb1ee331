import type { Finding, Observation, RequirementResult, RunRecord } from '../../../lib/record/record.js';
import { outcomeOf, outcomes } from '../../summary/requirement-outcome.js';
import { roomOf } from './room.js';

/** What the report shows of one requirement, and how much more the record holds. */
export interface Group<T> {
  readonly result: RequirementResult;
  readonly shown: readonly T[];
  readonly leftOut: number;
}

/** A finding under an anchor of its own: `finding-CREATE-12-1`. */
export interface ShownFinding {
  readonly finding: Finding;
  readonly anchor: string;
}

/** Shown of one requirement: the rest is in the record. */
const findingsOfARequirement = 12;
const observationsOfARequirement = 60;
/** The room for all of them, without their exchanges, in characters of the document. */
const roomForFindings = 1_200_000;
const roomForObservations = 500_000;
/** How much of a finding's texts is shown, in UTF-16 units. */
export const longestQuoted = 1_500;
export const longestCommand = 4_000;
const longestObservation = 1_000;

/** The requirements with findings: failures first, then warnings, waived ones and the rest. */
export function findingGroups(record: RunRecord): Group<ShownFinding>[] {
  const takes = roomOf(roomForFindings);
  const fits = ({ message, expected, received, reproduce }: Finding): boolean =>
    takes(600, [
      [message, longestQuoted],
      [expected, longestQuoted],
      [received, longestQuoted],
      [reproduce, longestCommand],
    ]);
  const rank = (result: RequirementResult): number => outcomes.indexOf(outcomeOf(result, record));
  return record.requirements
    .filter(({ findings }) => findings.length > 0)
    .toSorted((one, other) => rank(one) - rank(other))
    .map((result) => {
      const shown = result.findings.slice(0, findingsOfARequirement).filter(fits);
      return {
        result,
        shown: shown.map((finding, index) => ({ finding, anchor: `finding-${result.id}-${index + 1}` })),
        leftOut: result.findings.length - shown.length,
      };
    });
}

/** What the specification leaves open, and any other requirement that observed something. */
export function observationGroups(record: RunRecord): Group<Observation>[] {
  const takes = roomOf(roomForObservations);
  return record.requirements
    .filter(({ level, observations = [] }) => level === 'OBSERVE' || observations.length > 0)
    .map((result) => {
      const { observations = [] } = result;
      const shown = observations.slice(0, observationsOfARequirement).filter(({ subject, behaviour }) =>
        takes(200, [
          [subject, longestObservation],
          [behaviour, longestObservation],
        ]),
      );
      return { result, shown, leftOut: observations.length - shown.length };
    });
}
