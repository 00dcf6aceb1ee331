import type { RequirementId } from '../../specification/catalogue.js';
import type { plans } from '../../specification/plan.js';
import type { ReferenceOptions } from '../options.js';

/** A service with a fault: its base address and a key that it accepts. */
export interface WireTarget {
  readonly baseUrl: string;
  readonly key: string;
}

/** One bug of a service that otherwise conforms. */
export interface Fault {
  /** Unique, in words: `limit-off-by-one`. */
  readonly name: string;
  /** The bug in a sentence. */
  readonly title: string;
  /**
   * The ids that turn to `fail` or `warn` when the suite runs with the standard profile against it, no more and no
   * fewer; first the one that it is mainly about. That they turn proves that there is a fault.
   */
  readonly breaks: readonly RequirementId[];
  /** Why the suite prints more than one cause, if it does: nothing in the responses says that it is one. */
  readonly severalCauses?: string;
  /** Only this profile finds it for sure; by default every one but quick does. */
  readonly profile?: 'thorough';
  /** The plan of the key, by default business. On free a run takes minutes, so that what shows only later does. */
  readonly plan?: keyof typeof plans;
  /** What `serveReference` is started with, beside keys and port. */
  readonly options: ReferenceOptions;
}

/** A wire look did not show the fault that it expected. */
export class FaultNotSeen extends Error {
  override readonly name = 'FaultNotSeen';
}
