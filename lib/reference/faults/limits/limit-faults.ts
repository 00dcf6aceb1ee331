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
import { renewalFaults } from './renewal-faults.js';
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
  ...renewalFaults,
  ...rejectionFaults,
  ...dayFaults,
];

/** The algorithms behind which a fault is one. */
export function algorithmsBehind({ behind }: LimitFault): readonly AlgorithmName[] {
  return behind ?? (Object.keys(algorithms) as AlgorithmName[]);
}

/** What the suite must make of a fault behind an algorithm and under a condition. */
export interface Expected {
  /** The ids that must turn. */
  readonly breaks: readonly RequirementId[];
  /** Ids that may turn: the circumstances hide what shows them, or mislead. */
  readonly hides: readonly RequirementId[];
  /** At least one of these must turn. Empty if the circumstances hide the whole fault. */
  readonly shows: readonly RequirementId[];
}

/** What a fault turns behind this algorithm, and under this condition. */
export function expectedOf(
  fault: LimitFault,
  algorithm: AlgorithmName,
  condition?: LimitCondition,
): Expected {
  const under = condition && fault.breaksUnder?.[condition.name];
  const broken = under ?? fault.breaksUnder?.[algorithm] ?? fault.breaks;
  const { uncertain = {}, unseen = [] } = seenUnder[condition?.name ?? algorithm] ?? {};
  const isBitByBit = !fixedWindows.some((name) => name === algorithm);
  const hides = [
    ...(condition?.hides ?? []),
    ...(broken.includes('LIMIT-01') ? (condition?.hidesTooFew ?? []) : []),
  ].filter((id) => broken.includes(id));
  const isUnseen = unseen.includes(fault.name);
  const misled = uncertain[fault.name] ?? [];
  const open = new Set<RequirementId>([
    ...hides,
    ...misled,
    ...(isUnseen ? broken : []),
    // Where requests come back one by one, Retry-After may name the next one, and Reset the last. What counts wrongly may
    // look like windows, in which they must agree.
    ...(isBitByBit ? (['LIMIT-06'] as const) : []),
  ]);
  const ofCondition = condition?.turns ?? [];
  return {
    breaks: [...new Set([...broken.filter((id) => !open.has(id)), ...ofCondition])],
    hides: [...open],
    // A fault of a header that is missing is none.
    shows: isUnseen || broken.every((id) => condition?.hides.includes(id)) ? [] : [...broken, ...misled],
  };
}
