import type { RequirementResult } from '../evidence/record/requirement-result.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Checks } from './check.js';
import { Judgement } from './judgement.js';
import { Inconclusive, NotApplicable, NotTested } from './outcome.js';

/** A requirement as it is judged: the checks that its rule makes of the evidence. */
export interface Judged {
  readonly id: RequirementId;
  readonly checks: () => Checks | RequirementResult;
}

/**
 * The result of a requirement by the checks of its rule. Never throws: a rule ends with `NotTested`, `NotApplicable` or
 * `Inconclusive` if the run as a whole gives it nothing to judge.
 * @param ended what ended its probe early, if anything did
 */
export function judgeRule({ id, checks }: Judged, ended?: unknown): RequirementResult {
  const judgement = new Judgement(id);
  const noted = ended === undefined ? {} : { ended: endOf(id, ended) };
  try {
    const made = checks();
    if ('verdict' in made) return { ...made, ...noted };
    for (const check of made) check(judgement);
    return { ...judgement.result(ended), ...noted };
  } catch (error) {
    return { ...judgement.result(error instanceof Inconclusive ? (ended ?? error) : error), ...noted };
  }
}

type End = NonNullable<RequirementResult['ended']>;

/** What ended a probe, as the record keeps it: the verdict that it leads to if nothing is found. */
function endOf(id: RequirementId, ended: unknown): End {
  const { verdict, reason = '', selected } = new Judgement(id).result(ended);
  const isLeft = ended instanceof Inconclusive && ended.see !== undefined;
  return {
    verdict,
    reason: isLeft ? ended.reason : reason,
    ...(selected !== undefined && { selected }),
    ...(isLeft && { see: ended.see }),
  };
}

/** The same read from a record. */
export function recordedEnd({ ended }: Pick<RequirementResult, 'ended'>): unknown {
  if (ended === undefined) return undefined;
  const { verdict, reason, selected, see } = ended;
  if (verdict === 'not-applicable') return new NotApplicable(reason);
  return verdict === 'not-tested'
    ? new NotTested(reason, selected)
    : new Inconclusive(reason, see as RequirementId | undefined);
}
