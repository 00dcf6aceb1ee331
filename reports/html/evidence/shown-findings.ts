import type { Observation, RequirementResult, RunRecord } from '../../../lib/record/record.js';
import type { ResultFinding } from '../../../lib/verdict/causes.js';
import type { RunCause } from '../../summary/run-causes.js';
import { roomOf } from './room.js';

/** The observations that the report shows of one requirement, and how many more the record holds. */
export interface ObservationGroup {
  readonly result: RequirementResult;
  readonly shown: readonly Observation[];
  readonly leftOut: number;
}

/** The findings that the report shows of one cause, and how many more the record holds. */
export interface CauseGroup {
  readonly cause: RunCause;
  readonly shown: readonly ShownFinding[];
  readonly leftOut: number;
}

/** A finding under an anchor of its own: `finding-CREATE-12-1`. */
export interface ShownFinding extends ResultFinding {
  readonly anchor: string;
}

/** Shown of one cause, or of one requirement: the rest is in the record. */
const findingsOfACause = 100;
const observationsOfARequirement = 60;
/** The room for all of them, without their exchanges, in characters of the document. */
const roomForFindings = 1_200_000;
const roomForObservations = 500_000;
/** How much of a finding's texts is shown, in UTF-16 units. */
export const longestQuoted = 1_500;
export const longestCommand = 20_000;
const longestObservation = 1_000;

/** The causes, each with the findings that there is room for. */
export function causeGroups(causes: readonly RunCause[]): CauseGroup[] {
  const takes = roomOf(roomForFindings);
  const fits = ({ finding }: ResultFinding): boolean =>
    takes(600, [
      [finding.message, longestQuoted],
      [finding.expected, longestQuoted],
      [finding.received, longestQuoted],
      [finding.reproduce, longestCommand],
    ]);
  return causes.map((cause) => {
    // One of each requirement before a second of any.
    const isFirst = (one: ResultFinding): boolean =>
      cause.findings.find(({ result }) => result === one.result) === one;
    const ordered = cause.findings.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
    const shown = ordered.slice(0, findingsOfACause).filter(fits);
    return {
      cause,
      shown: shown.map((one, index) => ({ ...one, anchor: `finding-${cause.id}-${index + 1}` })),
      leftOut: cause.findings.length - shown.length,
    };
  });
}

/** What the specification leaves open, and any other requirement that observed something. */
export function observationGroups(record: RunRecord): ObservationGroup[] {
  const takes = roomOf(roomForObservations);
  return record.requirements
    .filter(({ verdict, observations = [] }) => verdict === 'observed' || observations.length > 0)
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
