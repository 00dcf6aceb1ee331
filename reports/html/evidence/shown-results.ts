import type { Finding, RequirementResult } from '../../../lib/evidence/record/requirement-result.js';

/** Something that a requirement shows, and the exchanges that show it. */
interface Entry {
  readonly text: string;
  readonly exchanges: readonly string[];
  /** None of an observation. */
  readonly finding?: Finding;
}

/** What the page shows of a requirement, and how many entries more the record holds. */
export interface ShownResult {
  readonly result: RequirementResult;
  readonly entries: readonly Entry[];
  readonly leftOut: number;
}

/** Shown of one requirement, and of all together. One of each requirement is always shown. */
const mostOfOne = 40;
const mostOfAll = 400;

/** The findings, then the observations. Of many that failed less is shown than of a few, so that the page stays small. */
export function shownResults(results: readonly RequirementResult[]): ShownResult[] {
  const all = results.map((result) => ({ result, entries: entriesOf(result) }));
  const having = all.filter(({ entries }) => entries.length > 0).length;
  const most = Math.min(mostOfOne, Math.ceil(mostOfAll / Math.max(1, having)));
  return all.map(({ result, entries }) => ({
    result,
    entries: entries.slice(0, most),
    leftOut: Math.max(0, entries.length - most),
  }));
}

function entriesOf({ findings, observations = [] }: RequirementResult): Entry[] {
  return [
    ...findings.map((finding) => ({ text: finding.message, exchanges: finding.exchanges, finding })),
    ...observations.map(({ subject, behaviour, exchanges }) => ({
      text: `${subject}: ${behaviour}`,
      exchanges,
    })),
  ];
}
