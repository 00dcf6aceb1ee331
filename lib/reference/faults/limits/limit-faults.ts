import { countingFaults } from './cost-faults.js';
import { dayFaults } from './day-faults.js';
import { effectFaults } from './effect-faults.js';
import { figureFaults } from './admission-faults.js';
import type { LimitFault } from './limit-fault.js';
import { resetFaults } from './reset-faults.js';
import { waitFaults } from './retry-after-faults.js';

/** Every fault of the limits (LIMIT), seen only when a limit is reached. */
export const limitFaults: readonly LimitFault[] = [
  ...figureFaults,
  ...countingFaults,
  ...waitFaults,
  ...resetFaults,
  ...effectFaults,
  ...dayFaults,
];
