import { countingFaults } from './limits/counting.js';
import { dayFaults } from './limits/days.js';
import { effectFaults } from './limits/effects.js';
import { figureFaults } from './limits/figures.js';
import type { LimitFault } from './limits/limit-fault.js';
import { resetFaults } from './limits/resets.js';
import { waitFaults } from './limits/waits.js';

/** Every fault of the limits (LIMIT), seen only when a limit is reached. */
export const limitFaults: readonly LimitFault[] = [
  ...figureFaults,
  ...countingFaults,
  ...waitFaults,
  ...resetFaults,
  ...effectFaults,
  ...dayFaults,
];
