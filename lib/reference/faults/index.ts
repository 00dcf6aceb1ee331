import type { Fault } from './fault.js';

/** Every functional fault, a file a section of the catalogue. */
export const faults: readonly Fault[] = [];
