/**
 * How a probe ends without a judgement. Each carries the reason that the report gives; thrown where the probe can't go
 * on, so that no later line mistakes a missing answer for one.
 */

/** It was tried, and the answers allow no judgement: a positive control was refused, say. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
}

/** The requirement's condition did not arise. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** This run did not try. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
  /**
   * @param selected false where the user left the requirement out or did not give what it needs, or the profile has no
   * room for it; true where the run meant to try and did not get to it.
   */
  constructor(
    reason: string,
    readonly selected = false,
  ) {
    super(reason);
  }
}
