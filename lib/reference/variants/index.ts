import type { Variant } from './variant.js';

/** Every conforming variant. */
export const variants: readonly Variant[] = [];
