import type { RequirementId } from '../../../specification/catalogue.js';
import { algorithms, type AlgorithmName } from '../../limiter/algorithms.js';
import { admissionFaults } from './admission-faults.js';
import { burstFaults } from './burst-faults.js';
import { costFaults } from './cost-faults.js';
import { counterFaults } from './counter-faults.js';
import { dayFaults } from './day-faults.js';
import { fixedWindows, type LimitFault } from './limit-fault.js';
import { rejectionFaults } from './rejection-faults.js';
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
  ...rejectionFaults,
  ...dayFaults,
];

/** The algorithms behind which a fault is one. */
export function algorithmsBehind({ behind }: LimitFault): readonly AlgorithmName[] {
  return behind ?? (Object.keys(algorithms) as AlgorithmName[]);
}

/** The ids that turn when a fault stands behind this algorithm. */
export function breaksBehind(fault: LimitFault, algorithm: AlgorithmName): readonly RequirementId[] {
  const own = fault.breaksBehind?.[algorithm];
  if (own) return own;
  // Reset and Retry-After name the same moment only if the whole limit is restored at once.
  const restoredAtOnce = fixedWindows.some((name) => name === algorithm);
  return restoredAtOnce ? fault.breaks : fault.breaks.filter((id) => id !== 'LIMIT-06');
}
