import type { Finding, RequirementResult, RunRecord } from '../../../lib/run/record.js';
import { standingOf, standings } from '../verdict/standing.js';

/** A finding as the report shows it, under an anchor of its own. */
export interface ShownFinding {
  readonly row: RequirementResult;
  readonly finding: Finding;
  /** `finding-CREATE-12-1`. */
  readonly anchor: string;
}

/** The findings of one requirement: those shown, and how many more the record holds. */
export interface FindingGroup {
  readonly row: RequirementResult;
  readonly shown: readonly ShownFinding[];
  readonly leftOut: number;
}

/** Findings shown of one requirement: the rest is in the record. */
const findingsOfARequirement = 12;

/** The requirements with findings: failures first, then warnings, waived ones, and the rest, each in their order. */
export function findingGroups(record: RunRecord): FindingGroup[] {
  const rank = (row: RequirementResult): number => standings.indexOf(standingOf(row));
  return record.requirements
    .filter((row) => row.findings.length > 0)
    .sort((one, other) => rank(one) - rank(other))
    .map((row) => ({
      row,
      shown: row.findings.slice(0, findingsOfARequirement).map((finding, index) => ({
        row,
        finding,
        anchor: `finding-${row.id}-${index + 1}`,
      })),
      leftOut: Math.max(0, row.findings.length - findingsOfARequirement),
    }));
}
