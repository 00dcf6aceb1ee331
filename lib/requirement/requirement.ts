import type { Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult } from '../record/record.js';
import type { Probe } from '../session/probe.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Judgement } from '../verdict/judgement.js';

/**
 * When in a run a requirement is judged. Within a phase probes run at the same time; each phase waits for the one
 * before, because it needs what that left in the store.
 */
export const phases = [
  /** Independent probes, with what they create. */
  'probes',
  /** What refused requests left behind, seen against what was created after them. */
  'side effects',
  /** Listings of a store that holds more than one default page. */
  'listings',
  /** Listings of a store that holds more than one full page. */
  'full store',
  /** What the specification leaves open or does not list. */
  'unspecified',
  /** Windows that are used up. */
  'limits',
  /** Probes that look at what the others have shown. */
  'whole run',
  /** What is judged on all exchanges of the run. */
  'every exchange',
] as const;
export type Phase = (typeof phases)[number];

export interface Declaration {
  readonly id: RequirementId;
  readonly phase: Phase;
  /** No other request of ours is under way while it runs. */
  readonly exclusive: boolean;
  /** Left out of the quick profile, with this reason. */
  readonly notInQuick?: string;
  /** It sends nothing to the target's operations, and is judged even where the target is not there. */
  readonly withoutTarget: boolean;
  /** Its result, if it was put together from several judgements; otherwise what the probe's trial kept decides. */
  readonly judge: (probe: Probe) => Promise<RequirementResult | void>;
}

export type Options = Partial<Pick<Declaration, 'phase' | 'exclusive' | 'notInQuick' | 'withoutTarget'>>;

const declarations = new Map<RequirementId, Declaration>();

function declare(declaration: Declaration): void {
  if (declarations.has(declaration.id)) throw new Error(`${declaration.id} is declared twice`);
  declarations.set(declaration.id, declaration);
}

/** Declares how a requirement of the catalogue is judged. Title, level and section come from the catalogue. */
export function requirement(id: RequirementId, judge: Declaration['judge']): void;
export function requirement(id: RequirementId, options: Options, judge: Declaration['judge']): void;
export function requirement(
  id: RequirementId,
  second: Options | Declaration['judge'],
  third?: Declaration['judge'],
): void {
  const options = typeof second === 'function' ? {} : second;
  const judge = typeof second === 'function' ? second : third;
  if (!judge) throw new Error(`${id} has no judgement`);
  declare({ id, phase: 'probes', exclusive: false, withoutTarget: false, ...options, judge });
}

/** Kinds of answers that an invariant needs to see; a run that has none of a kind sends one request for it. */
export type Kind = 'listing' | 'creation' | 'animal' | '400' | '401' | '404';

/** Judges the exchanges of a run one by one, so that a day's exchanges need no more memory than an hour's. */
export interface Invariant {
  readonly id: RequirementId;
  readonly kinds: readonly Kind[];
  /**
   * Whether it also judges exchanges that the network may have broken (see repeat.ts). Only ROBUST-01 does: what a
   * gateway answered, or a connection cut off, shows nothing of the target's headers and bodies.
   */
  readonly brokenToo: boolean;
  /** A judge for one run: `see` each exchange in order, then `conclude`. */
  readonly begin: (
    judgement: Judgement,
    run: RunFacts,
  ) => { see(exchange: Exchange): void; conclude?(): void };
}

/** What an invariant has to know of the run beside its exchanges. All of it stands in the run record. */
export interface RunFacts {
  readonly plan: { readonly name: string; readonly perMinute: number; readonly perDay: number };
  /** Whether the user said which plan the key has. */
  readonly planGiven: boolean;
  readonly clockDifference: number | null;
  /** By the run's date, from 5 December 2030 on (section 9.3). */
  readonly removalDatePassed: boolean;
}

const invariantsById = new Map<RequirementId, Invariant>();

/** Declares an invariant (∀ in the catalogue): judged on every exchange with one of the three operations. */
export function everyExchange(
  id: RequirementId,
  kinds: readonly Kind[],
  begin: Invariant['begin'],
  { brokenToo = false }: { brokenToo?: boolean } = {},
): void {
  if (invariantsById.has(id) || declarations.has(id)) throw new Error(`${id} is declared twice`);
  invariantsById.set(id, { id, kinds, brokenToo, begin });
}

export function declaredProbes(): readonly Declaration[] {
  return [...declarations.values()];
}

export function declaredInvariants(): readonly Invariant[] {
  return [...invariantsById.values()];
}
