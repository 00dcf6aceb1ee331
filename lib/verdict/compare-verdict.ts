import type { RequirementResult, Verdict } from '../evidence/record/requirement-result.js';

/** From the most to the least favourable verdict for the target. */
const weights = {
  'not-tested': 0,
  observed: 1,
  pass: 2,
  'not-applicable': 1,
  inconclusive: 3,
  warn: 4,
  fail: 5,
} as const satisfies Record<Verdict, number>;

/** What was meant to be tried and was not weighs as much as what could not be judged. */
function weight({ verdict, selected }: RequirementResult): number {
  return verdict === 'not-tested' && selected === true ? weights.inconclusive : weights[verdict];
}

/**
 * One result for several plans: the least favourable verdict, with what each plan showed. A plan that was not tried takes
 * nothing from what another one passed; its own result stands with the plan's measurements.
 */
export function leastFavourable(
  rows: ReadonlyArray<{ readonly plan: string; readonly row: RequirementResult }>,
): RequirementResult | undefined {
  const [first, ...others] = rows;
  if (!first) return undefined;
  if (others.length === 0) return first.row;
  const { row: leastFavourable } = rows.reduce((a, b) => (weight(b.row) > weight(a.row) ? b : a));
  const ofPlan = (plan: string, text: string): string => `${plan}: ${text}`;
  const reasons = rows.flatMap(({ plan, row: { verdict, reason } }) =>
    verdict === leastFavourable.verdict && reason !== undefined ? ofPlan(plan, reason) : [],
  );
  const observations = rows.flatMap(({ plan, row }) =>
    (row.observations ?? []).map((one) => ({ ...one, subject: ofPlan(plan, one.subject) })),
  );
  const notes = rows.flatMap(({ plan, row }) => (row.notes ?? []).map((note) => ofPlan(plan, note)));
  const findings = rows.flatMap(({ plan, row }) =>
    row.findings.map((finding) => ({ ...finding, message: ofPlan(plan, finding.message) })),
  );
  return {
    ...leastFavourable,
    checks: rows.reduce((sum, { row }) => sum + row.checks, 0),
    findings,
    ...(reasons.length > 0 && { reason: [...new Set(reasons)].join('; ') }),
    ...(observations.length > 0 && { observations }),
    ...(notes.length > 0 && { notes }),
  };
}
