import type { RequirementResult, Verdict } from '../../lib/record/record.js';

/** The verdicts that judge nothing, the most troubling first. */
const notJudgedVerdicts = ['inconclusive', 'not-tested', 'not-applicable'] as const satisfies Verdict[];
type NotJudgedVerdict = (typeof notJudgedVerdicts)[number];

/** Rows that were not judged for one and the same reason. */
export interface NotJudgedGroup {
  readonly verdict: NotJudgedVerdict;
  readonly reason: string;
  readonly ids: readonly string[];
}

/** What a run did not judge, grouped by reason: the inconclusive first, then the not tested, then the inapplicable. */
export function notJudged(rows: readonly RequirementResult[]): NotJudgedGroup[] {
  return notJudgedVerdicts.flatMap((verdict) => {
    const byReason = new Map<string, string[]>();
    for (const row of rows) {
      if (row.verdict !== verdict) continue;
      const reason = row.reason ?? 'no reason was recorded';
      byReason.set(reason, [...(byReason.get(reason) ?? []), row.id]);
    }
    return [...byReason].map(([reason, ids]) => ({ verdict, reason, ids }));
  });
}

/** How a verdict is written in a sentence: `not tested`. */
export function verdictInWords(verdict: Verdict): string {
  return verdict.replace('-', ' ');
}
