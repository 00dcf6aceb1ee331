import type {
  Finding,
  Observation,
  RequirementResult,
} from '../../../lib/evidence/record/requirement-result.js';

/** What the page shows of a requirement's findings and observations, and how many more the record holds. */
export interface ShownResult {
  readonly result: RequirementResult;
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
  readonly leftOut: { readonly findings: number; readonly observations: number };
}

/** Shown of one requirement, and of all together. One of each requirement is always shown. */
const mostOfOne = { findings: 12, observations: 40 } as const;
const mostOfAll = { findings: 250, observations: 400 } as const;

/** What is shown of each requirement: of many that failed less than of a few, so that the page stays small. */
export function shownResults(results: readonly RequirementResult[]): ShownResult[] {
  const room = (kind: 'findings' | 'observations'): number => {
    const having = results.filter((result) => (result[kind] ?? []).length > 0).length;
    return Math.max(1, Math.min(mostOfOne[kind], Math.floor(mostOfAll[kind] / Math.max(1, having))));
  };
  const most = { findings: room('findings'), observations: room('observations') };
  return results.map((result) => {
    const findings = result.findings.slice(0, most.findings);
    const observations = (result.observations ?? []).slice(0, most.observations);
    const leftOut = {
      findings: result.findings.length - findings.length,
      observations: (result.observations ?? []).length - observations.length,
    };
    return { result, findings, observations, leftOut };
  });
}
