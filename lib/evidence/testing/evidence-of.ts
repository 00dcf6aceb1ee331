import type { Exchange } from '../exchange.js';
import type { RequirementResult } from '../record/record.js';
import { declarationOf } from '../../verdict/requirement.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { plans } from '../../specification/plan.js';
import { judgeRule } from '../../verdict/judgement.js';
import { type Evidence, type EvidenceFacts, evidenceIn } from '../evidence.js';

/** Evidence of these exchanges, in the order of completion, on the Free plan. */
export function evidenceOf(exchanges: readonly Exchange[], facts: Partial<EvidenceFacts> = {}): Evidence {
  return evidenceIn(exchanges, {
    name: 'target',
    baseUrl: 'http://127.0.0.1:1/v1',
    plan: plans.free,
    planGiven: true,
    clockDifferenceMs: 0,
    removalDatePassed: false,
    redact: (text) => text,
    consistencyMs: 2_000,
    categoryId: undefined,
    readOnly: false,
    isStopped: false,
    ...facts,
  });
}

/** What the rule of a requirement says of exchanges. Its suite must be imported. */
export function judged(
  id: RequirementId,
  exchanges: readonly Exchange[],
  facts?: Partial<EvidenceFacts>,
): RequirementResult {
  const { rule } = declarationOf(id);
  return judgeRule(id, () => rule(evidenceOf(exchanges, facts)));
}
