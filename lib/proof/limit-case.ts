import type { LimitFault } from '../reference/faults/limits/limit-fault.js';
import { algorithmsBehind, expectedOf, limitFaults } from '../reference/faults/limits/limit-faults.js';
import { algorithms, type AlgorithmName } from '../reference/limiter/algorithms.js';
import { combineOptions } from '../reference/options.js';
import { limitConditions, type LimitCondition } from '../reference/variants/limit-conditions.js';
import { limitVariants, type LimitVariant } from '../reference/variants/limit-variants.js';
import type { ProofCase } from './proof-case.js';
import { proveDayAgainst, proveLimitsAgainst } from './prove.js';

const usual: AlgorithmName = 'fixed-window-aligned';
const algorithmNames = Object.keys(algorithms) as AlgorithmName[];

/** What a fault or a variant stands behind: an algorithm, and a condition under which less can be seen. */
interface Circumstances {
  readonly algorithm?: AlgorithmName;
  readonly condition?: LimitCondition;
}

/** A fault of the limits. */
export function limitFaultCase(
  fault: LimitFault,
  { algorithm = usual, condition }: Circumstances = {},
): ProofCase {
  const { title, ofTheDay = false, severalCauses } = fault;
  const options = combineOptions(
    { limiter: { algorithm } },
    fault.options,
    ...(condition ? [condition.options] : []),
  );
  return {
    kind: 'fault',
    name: [
      fault.name,
      ...(algorithm === usual ? [] : [algorithm]),
      ...(condition ? [condition.name] : []),
    ].join(' + '),
    title,
    ...expectedOf(fault, algorithm, condition),
    severalCauses,
    leavesOpen: [],
    run: (_, directory) =>
      ofTheDay
        ? proveDayAgainst(options, directory)
        : proveLimitsAgainst(options, { ahead: condition?.ahead, directory }),
  };
}

/** A limiter that conforms. */
export function limitVariantCase(variant: LimitVariant, condition?: LimitCondition): ProofCase {
  const { name, title, leavesOpen = [], ahead = condition?.ahead } = variant;
  return {
    kind: 'variant',
    name: condition ? `${name} + ${condition.name}` : name,
    title,
    breaks: condition?.turns ?? [],
    hides: condition?.hides ?? [],
    leavesOpen,
    run: (_, directory) =>
      proveLimitsAgainst(combineOptions(variant.options, ...(condition ? [condition.options] : [])), {
        ahead,
        directory,
      }),
  };
}

/** Every fault and every variant of the limits, as each is. */
export function limitCases(): ProofCase[] {
  return [
    ...limitFaults.map((fault) => limitFaultCase(fault)),
    ...limitVariants.map((variant) => limitVariantCase(variant)),
  ];
}

/** Every fault of the minute behind the other algorithms and under each condition; the algorithms under each condition. */
export function circumstanceCases(): ProofCase[] {
  const ofTheMinute = limitFaults.filter(({ ofTheDay }) => ofTheDay !== true);
  return [
    ...ofTheMinute.flatMap((fault) =>
      algorithmsBehind(fault)
        .filter((algorithm) => algorithm !== usual)
        .map((algorithm) => limitFaultCase(fault, { algorithm })),
    ),
    ...ofTheMinute.flatMap((fault) =>
      limitConditions.map((condition) => limitFaultCase(fault, { condition })),
    ),
    ...algorithmNames.flatMap((algorithm) =>
      limitConditions.map((condition) =>
        limitVariantCase(
          { name: algorithm, title: algorithm, options: { limiter: { algorithm } } },
          condition,
        ),
      ),
    ),
  ];
}
