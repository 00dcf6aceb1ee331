import { admissionFaults } from './admission-faults.js';
import { burstFaults } from './burst-faults.js';
import { costFaults } from './cost-faults.js';
import { counterFaults } from './counter-faults.js';
import { dayFaults } from './day-faults.js';
import type { LimitFault } from './limit-fault.js';
import { rejectionFaults } from './rejection-faults.js';
import { renewalFaults } from './renewal-faults.js';
import { resetFaults } from './reset-faults.js';
import { retryAfterFaults } from './retry-after-faults.js';
import { windowFaults } from './window-faults.js';

/** Every fault of the limits (LIMIT), which shows only when a limit is reached. */
export const limitFaults: readonly LimitFault[] = [
  ...admissionFaults,
  ...burstFaults,
  ...counterFaults,
  ...costFaults,
  ...retryAfterFaults,
  ...resetFaults,
  ...windowFaults,
  ...renewalFaults,
  ...rejectionFaults,
  ...dayFaults,
];
