import { consistencyVariants } from './consistency-variants.js';
import { creatingVariants } from './creating-variants.js';
import { errorVariants } from './error-variants.js';
import { identifierVariants } from './id-variants.js';
import { listingVariants } from './listing-variants.js';
import { rateVariants } from './rate-variants.js';
import { storeVariants } from './store-variants.js';
import { transportVariants } from './transport-variants.js';
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
