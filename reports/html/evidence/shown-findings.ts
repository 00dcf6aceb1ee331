import type { Finding, RequirementResult, RunRecord } from '../../../lib/record/record.js';
import { renderedLength } from '../text/rendered-length.js';
import { outcomeOf, outcomes } from '../parts/outcome.js';

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
/** The room that findings may take, without their exchanges, in characters of the document. */
const roomForFindings = 1_200_000;
/** What a finding takes beside its texts. */
const costOfAFinding = 600;
/** How much of a finding's texts is shown, in UTF-16 units. */
export const longestQuoted = 1_500;
export const longestCommand = 4_000;

function cost({ message, expected, received, reproduce }: Finding): number {
  return (
    costOfAFinding +
    renderedLength(message, longestQuoted) +
    renderedLength(expected, longestQuoted) +
    renderedLength(received, longestQuoted) +
    renderedLength(reproduce, longestCommand)
  );
}

/** The requirements with findings: failures first, then warnings, waived ones, and the rest, each in their order. */
export function findingGroups(record: RunRecord): FindingGroup[] {
  const rank = (row: RequirementResult): number => outcomes.indexOf(outcomeOf(row));
  let room = roomForFindings;
  const fits = (finding: Finding): boolean => (room -= cost(finding)) >= 0;
  return record.requirements
    .filter((row) => row.findings.length > 0)
    .sort((one, other) => rank(one) - rank(other))
    .map((row) => {
      const shown = row.findings.slice(0, findingsOfARequirement).filter(fits);
      return {
        row,
        shown: shown.map((finding, index) => ({ row, finding, anchor: `finding-${row.id}-${index + 1}` })),
        leftOut: row.findings.length - shown.length,
      };
    });
}
