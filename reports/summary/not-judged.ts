import type { RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { groupBy } from '../text/group-by.js';
import { notJudgedOutcomes } from './requirement-outcome.js';

/** Results without a judgement, for one and the same reason. */
export interface NotJudgedGroup {
  readonly verdict: (typeof notJudgedOutcomes)[number];
  readonly reason: string;
  readonly ids: readonly string[];
}

/** What a run did not judge, grouped by reason: the inconclusive first, then the not tested, then the not applicable. */
export function notJudged(results: readonly RequirementResult[]): NotJudgedGroup[] {
  return notJudgedOutcomes.flatMap((verdict) => {
    const own = results.filter((result) => result.verdict === verdict);
    const byReason = groupBy(own, ({ reason = 'no reason was recorded' }) => reason);
    return [...byReason].map(([reason, group]) => ({ verdict, reason, ids: group.map(({ id }) => id) }));
  });
}
