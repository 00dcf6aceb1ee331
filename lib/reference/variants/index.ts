import { consistencyVariants } from './consistency.js';
import { creatingVariants } from './creating.js';
import { errorVariants } from './errors.js';
import { identifierVariants } from './identifiers.js';
import { listingVariants } from './listing.js';
import { rateVariants } from './rate.js';
import { storeVariants } from './stores.js';
import { transportVariants } from './transport.js';
import type { Variant } from './variant.js';

/** Every conforming variant. */
export const variants: readonly Variant[] = [
  ...listingVariants,
  ...storeVariants,
  ...consistencyVariants,
  ...creatingVariants,
  ...identifierVariants,
  ...errorVariants,
  ...transportVariants,
  ...rateVariants,
];
