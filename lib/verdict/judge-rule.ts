import type { RequirementResult } from '../evidence/record/requirement-result.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Checks } from './check.js';
import { Judgement } from './judgement.js';
import { Outcome, outcomeOf } from './outcome.js';

/**
 * The result of a requirement by the checks of its rule. Never throws: a rule ends with an outcome if the run as a whole
 * gives it nothing to judge.
 * @param ended what ended its probe early, if anything did; the result keeps it
 */
export function judgeRule(
  id: RequirementId,
  checks: () => Checks | RequirementResult,
  ended?: unknown,
): RequirementResult {
  const judgement = new Judgement(id);
  const noted = ended === undefined ? {} : { ended: endOf(ended) };
  let thrown = ended;
  try {
    const made = checks();
    if ('verdict' in made) return { ...made, ...noted };
    for (const check of made) check(judgement);
  } catch (error) {
    if (ended === undefined || outcomeOf(error).verdict !== 'inconclusive') thrown = error;
  }
  return { ...judgement.result(thrown), ...noted };
}

/** What ended a probe, as a record keeps it. */
function endOf(ended: unknown): NonNullable<RequirementResult['ended']> {
  const { verdict, reason, selected, see } = outcomeOf(ended);
  return { verdict, reason, selected, ...(see !== undefined && { see }) };
}

/** The same, read from a record. */
export function recordedEnd({ ended }: Pick<RequirementResult, 'ended'>): Outcome | undefined {
  if (ended === undefined) return undefined;
  const { verdict, reason, selected, see } = ended;
  const known = verdict === 'not-applicable' || verdict === 'not-tested' ? verdict : 'inconclusive';
  return new Outcome(known, reason, selected, see as RequirementId | undefined);
}
