import type { RunRecord } from '../evidence/record/record.js';
import type { Fault } from '../reference/faults/fault.js';
import { faults } from '../reference/faults/faults.js';
import { variants } from '../reference/variants/variants.js';
import type { Variant } from '../reference/variants/variant.js';
import type { Profile } from '../verdict/profile.js';
import { plans } from '../specification/plan.js';
import { proveAgainst } from './prove.js';

/** A service that the suite is run against, and what must come of it. */
export interface ProofCase {
  readonly kind: 'fault' | 'variant' | 'pair';
  readonly name: string;
  readonly title: string;
  /** The ids that must turn. */
  readonly breaks: readonly string[];
  /** Of a fault under circumstances: it is found if one of these ids turns, and all of them may. */
  readonly group?: readonly string[];
  /** The ids that must stay open. Of a fault, and without them, only those that turn are compared. */
  readonly leavesOpen?: readonly string[] | undefined;
  /** The ids that may stay open beside them. */
  readonly mayStayOpen?: readonly string[];
  /** Why the suite prints more than one cause of a fault, if it does. */
  readonly severalCauses?: string | undefined;
  /** Of a pair of faults, the ids that each of them breaks. */
  readonly defects?: ReadonlyArray<readonly string[]>;
  /** The profile that finds it, if the standard one does not. */
  readonly profile?: Profile | undefined;
  /** @param directory where the files of the run go; none are written without it, or if the case is several runs */
  readonly run: (profile: Profile, directory?: string) => Promise<RunRecord>;
}

/** A fault of the service, without its limits. */
export function faultCase({ name, title, breaks, profile, ...service }: Fault): ProofCase {
  const run = runAgainst(service);
  return { kind: 'fault', name, title, breaks, leavesOpen: [], profile, run };
}

/** A conforming variant of the service, without its limits. */
export function variantCase({ name, title, leavesOpen = [], ...service }: Variant): ProofCase {
  return { kind: 'variant', name, title, breaks: [], leavesOpen, run: runAgainst(service) };
}

function runAgainst({ options, plan = 'business' }: Pick<Fault, 'options' | 'plan'>): ProofCase['run'] {
  return (profile, directory) =>
    proveAgainst(options, { settings: { profile, directory }, target: { plan: plans[plan] } });
}

/** Every fault and every variant, without the limits. */
export function functionalCases(): ProofCase[] {
  return [...faults.map(faultCase), ...variants.map(variantCase)];
}
