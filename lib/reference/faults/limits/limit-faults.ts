import type { RequirementId } from '../../../specification/catalogue.js';
import { algorithms, type AlgorithmName } from '../../limiter/algorithms.js';
import type { LimitCondition } from '../../variants/limit-conditions.js';
import { admissionFaults } from './admission-faults.js';
import { burstFaults } from './burst-faults.js';
import { costFaults } from './cost-faults.js';
import { counterFaults } from './counter-faults.js';
import { dayFaults } from './day-faults.js';
import { fixedWindows, type LimitFault } from './limit-fault.js';
import { rejectionFaults } from './rejection-faults.js';
import { resetFaults } from './reset-faults.js';
import { retryAfterFaults } from './retry-after-faults.js';
import { seenUnder } from './seen-under.js';
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

/** The ids of a fault that an algorithm, or a condition, keeps from being judged. */
function hiddenBehind(
  { breaks }: LimitFault,
  algorithm: AlgorithmName,
  condition?: LimitCondition,
): readonly RequirementId[] {
  const isBitByBit = !fixedWindows.some((name) => name === algorithm);
  return [
    // Where requests come back one by one, Retry-After may name the next one, and Reset the last.
    ...(isBitByBit ? (['LIMIT-06'] as const) : []),
    ...(condition?.hides ?? []),
    ...(breaks.includes('LIMIT-01') ? (condition?.hidesTooFew ?? []) : []),
  ];
}

/** The ids that turn when a fault stands behind this algorithm, and under these conditions. */
export function breaksBehind(
  fault: LimitFault,
  algorithm: AlgorithmName,
  condition?: LimitCondition,
): readonly RequirementId[] {
  const exact = seenUnder[condition?.name ?? algorithm]?.sets[fault.name];
  if (exact) return exact;
  const under = condition && fault.breaksUnder?.[condition.name];
  const breaks = under ?? fault.breaksUnder?.[algorithm] ?? fault.breaks;
  const hidden = new Set(hiddenBehind(fault, algorithm, condition));
  const seen = breaks.filter((id) => !hidden.has(id));
  return [...new Set([...seen, ...(condition?.turns ?? [])])];
}
