import * as fc from 'fast-check';
import { Draw } from '../draw/seeded.js';
import type { Fault } from '../reference/faults/fault.js';
import { faults } from '../reference/faults/faults.js';
import { combineOptions } from '../reference/options.js';
import type { Variant } from '../reference/variants/variant.js';
import { variants } from '../reference/variants/variants.js';
import { variantCase, type ProofCase } from './proof-case.js';
import { proveAgainst } from './prove.js';

/** Pairs of faults that a proof draws, and as many services with several habits. */
const drawn = 60;

/** Pairs of faults, and services with several habits. */
export function combinedCases(seed = 1, count = drawn): ProofCase[] {
  return [...pairCases(seed, count), ...habitCases(seed, count)];
}

/**
 * Pairs of faults of one service that have nothing to do with each other: none breaks a requirement that the other one
 * breaks. If both show, the suite must print at least two causes.
 */
function pairCases(seed: number, count: number): ProofCase[] {
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

/**
 * Conforming services with two to five habits at once, as every real service has: nothing may turn. What one of the
 * habits leaves open may stay so, or be judged by what another one shows.
 */
function habitCases(seed: number, count: number): ProofCase[] {
  const onBusiness = variants.filter(({ plan = 'business' }) => plan === 'business');
  const knowsCategories = ({ title }: Variant): boolean => title.startsWith('Categories are foreign keys');
  const several = fc
    .subarray(onBusiness, { minLength: 2, maxLength: 5 })
    // Two that each know categories of their own know none together: nothing could be created.
    .filter((habits) => habits.filter(knowsCategories).length < 2);
  return new Draw(seed, 'habits').some(several, count).map(habitCase);
}

function habitCase(habits: readonly Variant[]): ProofCase {
  const combined = variantCase({
    name: habits.map(({ name }) => name).join(' + '),
    title: habits.map(({ title }) => title).join('. '),
    options: combineOptions(...habits.map(({ options }) => options)),
  });
  return { ...combined, mayStayOpen: habits.flatMap(({ leavesOpen = [] }) => leavesOpen) };
}
