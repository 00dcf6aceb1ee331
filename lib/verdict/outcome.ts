import type { RequirementId } from '../specification/catalogue.js';

/**
 * How a probe ends without a judgement. Each carries the reason that the report gives. They are thrown when the probe
 * can't go on, so that no later line mistakes a missing response for one.
 */

/** It was tried, and the responses allow no judgement: a positive control was refused, for example. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  /** @param see the requirement that judges what kept this one from being judged */
  constructor(
    readonly reason: string,
    readonly see?: RequirementId,
  ) {
    super(see === undefined ? reason : `${reason} (see ${see})`);
  }
}

/** The requirement's condition did not arise. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** This run did not try. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
  /**
   * @param selected false if the user left the requirement out or did not give what it needs, or if the profile has no
   * room for it; true if the run meant to try and did not get to it.
   */
  constructor(
    reason: string,
    readonly selected = false,
  ) {
    super(reason);
  }
}
