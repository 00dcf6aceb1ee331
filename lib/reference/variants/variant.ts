import type { RequirementId } from '../../specification/catalogue.js';
import type { plans } from '../../specification/plan.js';
import type { ReferenceOptions } from '../options.js';

/** A service that conforms, and differs from the reference in something that the specification leaves open. */
export interface Variant {
  /** Unique, in words: `oldest-first`. */
  readonly name: string;
  /** What it does, in a sentence. */
  readonly title: string;
  /** The plan of the key, by default business. On free a run takes minutes, so that what shows only later does. */
  readonly plan?: keyof typeof plans;
  /** What `serveReference` is started with, beside keys and port. */
  readonly options: ReferenceOptions;
  /**
   * The exact set of functional ids that a run with the standard profile cannot judge; by default none.
   * GET-05, which applies from December 2030 on, is not listed.
   */
  readonly leavesOpen?: readonly RequirementId[];
}
