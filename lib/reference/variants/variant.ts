import type { RequirementId } from '../../specification/catalogue.js';
import type { ReferenceOptions } from '../options.js';

/** A service that conforms, and differs from the reference in something that the specification leaves open. */
export interface Variant {
  /** Unique, in words: `oldest-first`. */
  readonly name: string;
  /** What it does, in a sentence. */
  readonly title: string;
  /** What `serveReference` is started with, beside keys and port. */
  readonly options: ReferenceOptions;
  /**
   * The functional ids that a run with the standard profile can't judge of it, no more and no fewer; by default none.
   * GET-05, which has its time from December 2030 on, is not named.
   */
  readonly leavesOpen?: readonly RequirementId[];
}
