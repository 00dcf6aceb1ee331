import { groupOf } from '../reference/faults/limits/groups.js';
import type { LimitFault } from '../reference/faults/limits/limit-fault.js';
import { limitFaults } from '../reference/faults/limits/limit-faults.js';
import { combineOptions } from '../reference/options.js';
import {
  limitConditions,
  otherAlgorithms,
  type LimitCircumstance,
} from '../reference/variants/limit-circumstances.js';
import { limitVariants, type LimitVariant } from '../reference/variants/limit-variants.js';
import type { ProofCase } from './proof-case.js';
import { proveDayAgainst, proveLimitsAgainst } from './prove.js';

/** A fault of the limits, as it is. */
function limitFaultCase({
  name,
  title,
  breaks,
  severalCauses,
  ofTheDay = false,
  options,
}: LimitFault): ProofCase {
  return {
    kind: 'fault',
    name,
    title,
    breaks,
    severalCauses,
    run: (_, directory) =>
      ofTheDay ? proveDayAgainst(options, directory) : proveLimitsAgainst(options, { directory }),
  };
}

/** A limiter that conforms. */
function limitVariantCase({ name, title, options, ahead, leavesOpen = [] }: LimitVariant): ProofCase {
  return {
    kind: 'variant',
    name,
    title,
    breaks: [],
    leavesOpen,
    run: (_, directory) => proveLimitsAgainst(options, { ahead, directory }),
  };
}

/** Every fault and every variant of the limits, as each is. */
export function limitCases(): ProofCase[] {
  return [...limitFaults.map(limitFaultCase), ...limitVariants.map(limitVariantCase)];
}

/**
 * Every second field of the table of faults and circumstances, as on a chessboard: each fault is tried under half of
 * the circumstances, and each circumstance with half of the faults. Beside them every algorithm under every condition.
 */
export function circumstanceCases(): ProofCase[] {
  const circumstances = [...otherAlgorithms, ...limitConditions];
  const faults = limitFaults.filter(({ ofTheDay }) => ofTheDay !== true);
  return [
    ...faults.flatMap((fault, row) =>
      circumstances
        .filter((circumstance, column) => (row + column) % 2 === 1 && isFaultUnder(fault, circumstance))
        .map((circumstance) => faultUnder(fault, circumstance)),
    ),
    ...[undefined, ...otherAlgorithms].flatMap((algorithm) =>
      limitConditions.map((condition) => variantUnder(algorithm, condition)),
    ),
  ];
}

function isFaultUnder({ behind, breaks }: LimitFault, circumstance: LimitCircumstance): boolean {
  const { algorithm, turns, unjudged } = circumstance;
  const isBehind = behind === undefined || algorithm === undefined || behind.includes(algorithm);
  return isBehind && !breaks.every((id) => turns.includes(id) || unjudged.includes(id));
}

function faultUnder(fault: LimitFault, { name, options, ahead, turns }: LimitCircumstance): ProofCase {
  const group = [...new Set([...fault.breaks, ...groupOf(fault)])].filter((id) => !turns.includes(id));
  // The circumstance goes last: another client meets the faulty limiter, too.
  const combined = combineOptions(fault.options, options);
  return {
    ...limitFaultCase(fault),
    name: `${fault.name} + ${name}`,
    breaks: turns,
    group,
    run: (_, directory) => proveLimitsAgainst(combined, { ahead, directory }),
  };
}

function variantUnder(algorithm: LimitCircumstance | undefined, condition: LimitCircumstance): ProofCase {
  const options = combineOptions(algorithm?.options ?? {}, condition.options);
  const name = `${algorithm?.name ?? 'fixed-window-aligned'} + ${condition.name}`;
  const { title, ahead } = condition;
  // What a condition leaves open is not compared: that no conforming service is accused is.
  return {
    ...limitVariantCase({ name, title, options, ...(ahead !== undefined && { ahead }) }),
    breaks: condition.turns,
    leavesOpen: undefined,
  };
}
