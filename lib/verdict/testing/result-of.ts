import type { RequirementResult } from '../../evidence/record/record.js';
import type { Check } from '../check.js';
import { judgeRule } from '../judgement.js';

/** The result of LIST-01 if its rule made these checks. */
export function resultOf(...checks: readonly Check[]): RequirementResult {
  return judgeRule('LIST-01', () => checks);
}
