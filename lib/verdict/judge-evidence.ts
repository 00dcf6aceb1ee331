import type { Evidence } from '../evidence/evidence.js';
import type { RequirementResult } from '../record/record.js';
import type { RequirementId } from '../specification/catalogue.js';
import { judgeRule } from './judge-rule.js';
import { declaredRequirements } from './requirement.js';

/**
 * The results of all requirements that have a rule, by the evidence alone: whoever sent the exchanges, nothing is sent
 * and nothing is played again.
 * @param endOf what ended the probe of a requirement early
 */
export function judgeEvidence(
  evidence: Evidence,
  endOf: (id: RequirementId) => unknown = () => undefined,
): Map<RequirementId, RequirementResult> {
  return new Map(
    declaredRequirements().map(({ id, leavesTo, rule }) => [
      id,
      judgeRule({ id, leavesTo, checks: () => rule(evidence) }, endOf(id)),
    ]),
  );
}
