import * as fc from 'fast-check';
import { Draw } from '../draw/seeded.js';
import type { Fault } from '../reference/faults/fault.js';
import { faults } from '../reference/faults/faults.js';
import { combineOptions } from '../reference/options.js';
import type { ProofCase } from './proof-case.js';
import { proveAgainst } from './prove.js';

/** Pairs that a proof draws. */
const drawn = 60;

/**
 * Pairs of faults of one service that have nothing to do with each other: none breaks a requirement that the other one
 * breaks. If both show, the suite must print at least two causes.
 */
export function pairCases(seed = 1, count = drawn): ProofCase[] {
  const one = fc.constantFrom(...faults);
  const unrelated = fc
    .tuple(one, one)
    .filter(([first, second]) => !first.breaks.some((id) => second.breaks.includes(id)));
  return new Draw(seed, 'pairs of faults').some(unrelated, count).map(pairCase);
}

function pairCase([first, second]: readonly [Fault, Fault]): ProofCase {
  const options = combineOptions(first.options, second.options);
  return {
    kind: 'pair',
    name: `${first.name} + ${second.name}`,
    title: `${first.title}. ${second.title}`,
    breaks: [...first.breaks, ...second.breaks],
    leavesOpen: [],
    defects: [first.breaks, second.breaks],
    run: (profile, directory) => proveAgainst(options, { settings: { profile, directory } }),
  };
}
