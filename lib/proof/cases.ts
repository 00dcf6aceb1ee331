import * as fc from 'fast-check';
import { Draw } from '../draw/seeded.js';
import { SkippingClock } from '../http/clock/testing/skipping-clock.js';
import { described, randomLimiter } from '../limits/testing/random-limiter/random-limiter.js';
import { serveRandomLimiter } from '../limits/testing/random-limiter/service.js';
import { clusterCells, type ClusterCell } from '../reference/cluster/cells.js';
import type { Fault } from '../reference/faults/fault.js';
import { faults } from '../reference/faults/faults.js';
import { groupOf } from '../reference/faults/limits/groups.js';
import type { LimitFault } from '../reference/faults/limits/limit-fault.js';
import { limitFaults } from '../reference/faults/limits/limit-faults.js';
import { combineOptions } from '../reference/options.js';
import {
  limitConditions,
  otherAlgorithms,
  type LimitCircumstance,
} from '../reference/variants/limit-circumstances.js';
import { limitVariants } from '../reference/variants/limit-variants.js';
import { variants } from '../reference/variants/variants.js';
import type { Variant } from '../reference/variants/variant.js';
import type { Profile } from '../verdict/requirement.js';
import { plans } from '../specification/plan.js';
import { daySettings, limitSettings, type Proof } from './prove.js';

/** A service that the suite is run against, and what must come of it. */
export interface ProofCase extends Proof {
  readonly kind: 'fault' | 'variant' | 'pair';
  readonly name: string;
  readonly title: string;
  /** The ids that must turn. */
  readonly breaks: readonly string[];
  /** Of a fault under circumstances: it is found if one of these ids turns, and all of them may. */
  readonly group?: readonly string[];
  /** The ids that must stay open; what stays open is not compared without them. */
  readonly leavesOpen?: readonly string[];
  /** The ids that may stay open beside them. */
  readonly mayStayOpen?: readonly string[];
  /** Of a pair of faults, the ids that each of them breaks. */
  readonly defects?: ReadonlyArray<readonly string[]>;
  /** The profile that finds it, if the standard one does not. */
  readonly profile?: Profile;
}

/** The cases of the proof: faults, each of which must turn exactly what it breaks, and variants, which must turn nothing. */
export const parts = {
  functional: (): ProofCase[] => [...faults.map(faultCase), ...variants.map(variantCase)],
  limits: (): ProofCase[] => [...limitFaults.map(limitFaultCase), ...limitVariants.map(limitVariantCase)],
  circumstances: circumstanceCases,
  cluster: (): ProofCase[] =>
    clusterCells.flatMap((cell) => [
      clusterCase(cell, cell.fromOne, clients.slice(0, 1)),
      clusterCase(cell, cell.fromFour, clients),
    ]),
  combinations: combinedCases,
  'random-limiters': (seed: number, count = 100): ProofCase[] =>
    Array.from({ length: count }, (_, index) => randomCase(seed + index)),
} as const satisfies Record<string, (seed: number, count?: number) => readonly ProofCase[]>;
export type Part = keyof typeof parts;

/** A fault of the service, without its limits. */
function faultCase({ plan = 'business', ...fault }: Fault): ProofCase {
  return { kind: 'fault', ...fault, proof: { target: { plan: plans[plan] } } };
}

function variantCase({ plan = 'business', leavesOpen = [], ...variant }: Variant): ProofCase {
  return { kind: 'variant', breaks: [], leavesOpen, ...variant, proof: { target: { plan: plans[plan] } } };
}

function limitFaultCase({ name, title, breaks, options, ofTheDay = false }: LimitFault): ProofCase {
  return { kind: 'fault', name, title, breaks, options, proof: ofTheDay ? daySettings : limitSettings };
}

function limitVariantCase({
  ahead = 0,
  leavesOpen = [],
  ...variant
}: (typeof limitVariants)[number]): ProofCase {
  return { kind: 'variant', breaks: [], leavesOpen, ...variant, proof: { ...limitSettings, ahead } };
}

/**
 * Every second field of the table of faults and circumstances, as on a chessboard: each fault is tried under half of
 * the circumstances, and each circumstance with half of the faults. Beside them every algorithm under every condition.
 */
function circumstanceCases(): ProofCase[] {
  const circumstances = [...otherAlgorithms, ...limitConditions];
  const ofTheMinute = limitFaults.filter(({ ofTheDay }) => ofTheDay !== true);
  return [
    ...ofTheMinute.flatMap((fault, row) =>
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

function faultUnder(fault: LimitFault, { name, options, ahead = 0, turns }: LimitCircumstance): ProofCase {
  return {
    ...limitFaultCase(fault),
    name: `${fault.name} + ${name}`,
    breaks: turns,
    group: [...fault.breaks, ...groupOf(fault)].filter((id) => !turns.includes(id)),
    // The circumstance goes last: another client meets the faulty limiter, too.
    options: combineOptions(fault.options, options),
    proof: { ...limitSettings, ahead },
  };
}

/** What a condition leaves open is not compared: that no conforming service is accused is. */
function variantUnder(algorithm: LimitCircumstance | undefined, condition: LimitCircumstance): ProofCase {
  const { title, ahead = 0, turns } = condition;
  return {
    kind: 'variant',
    name: `${algorithm?.name ?? 'fixed-window-aligned'} + ${condition.name}`,
    title,
    breaks: turns,
    options: combineOptions(algorithm?.options ?? {}, condition.options),
    proof: { ...limitSettings, ahead },
  };
}

/** Where a cluster listens, and the source addresses of its clients: on Linux all of 127.0.0.0/8 are this machine's. */
const host = '127.0.0.1';
const clients = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];

/** A cluster on a plan that is small enough for a proof of seconds. */
function clusterCase(
  { name, title, options }: ClusterCell,
  breaks: readonly string[],
  localAddresses: readonly string[],
): ProofCase {
  const plan = { name: 'enterprise', perMinute: 24, perDay: 10_000 } as const;
  return {
    kind: breaks.length > 0 ? 'fault' : 'variant',
    name: `${name} from ${localAddresses.length}`,
    title,
    breaks,
    leavesOpen: [],
    options: { ...options(), host },
    proof: { ...limitSettings, target: { ...limitSettings.target, plan, localAddresses } },
  };
}

/**
 * Pairs of faults that have nothing to do with each other: none breaks a requirement that the other one breaks. If both
 * show, the suite must print at least two causes. Beside them conforming services with two to five habits at once.
 */
function combinedCases(seed: number, count = 60): ProofCase[] {
  const one = fc.constantFrom(...faults);
  const unrelated = fc
    .tuple(one, one)
    .filter(([first, second]) => !first.breaks.some((id) => second.breaks.includes(id)));
  const onBusiness = variants.filter(({ plan = 'business' }) => plan === 'business');
  const knowsCategories = ({ title }: Variant): boolean => title.startsWith('Categories are foreign keys');
  const habits = fc
    .subarray(onBusiness, { minLength: 2, maxLength: 5 })
    // Two that each know categories of their own know none together: nothing could be created.
    .filter((several) => several.filter(knowsCategories).length < 2);
  return [
    ...new Draw(seed, 'pairs of faults').some(unrelated, count).map((pair): ProofCase => {
      const defects = pair.map(({ breaks }) => breaks);
      return { kind: 'pair', ...together(pair), breaks: defects.flat(), defects };
    }),
    ...new Draw(seed, 'habits').some(habits, count).map((several): ProofCase => {
      // What one of the habits leaves open may stay so, or be judged by what another one shows.
      const mayStayOpen = several.flatMap(({ leavesOpen = [] }) => leavesOpen);
      return { kind: 'variant', ...together(several), breaks: [], leavesOpen: [], mayStayOpen };
    }),
  ];
}

function together(several: ReadonlyArray<Fault | Variant>) {
  return {
    name: several.map(({ name }) => name).join(' + '),
    title: several.map(({ title }) => title).join('. '),
    options: combineOptions(...several.map(({ options }) => options)),
  };
}

/** A full minute in which every window of the table of random limiters begins anew. */
const fullMinute = Date.UTC(2026, 0, 5, 12);
/** Milliseconds that each look at the clock takes. Nothing else passes beside sleeps, so that a seed shows the same again. */
const lookMs = 0.1;

/** A conforming limiter that is drawn from a seed. */
function randomCase(seed: number): ProofCase {
  const limiter = randomLimiter(seed);
  let looks = 0;
  const clock = new SkippingClock(fullMinute + limiter.begin, () => {
    looks += 1;
    return looks * lookMs;
  });
  const isFree = limiter.limit === plans.free.perMinute;
  const ofItsOwn = { name: 'enterprise', perMinute: limiter.limit, perDay: 10_000 } as const;
  return {
    kind: 'variant',
    name: `random-${seed}`,
    title: described(limiter),
    breaks: [],
    options: {},
    proof: {
      // Errors that some of these limiters never saw have no header, and some miss LIMIT-06, which is a SHOULD.
      settings: { limits: 'minute', only: ['RATE-05', 'LIMIT'], except: ['LIMIT-06'], clock },
      target: { ...limitSettings.target, plan: isFree ? plans.free : ofItsOwn },
      serve: ({ keys = [] }) => serveRandomLimiter(limiter, keys, clock),
    },
  };
}
