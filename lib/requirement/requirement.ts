import type { ComparedDescription } from '../description/target-description.js';
import type { Draw } from '../draw/seeded.js';
import type { Exchange } from '../http/exchange/exchange.js';
import type { LimitsOfRun } from '../limits/limits-of-run.js';
import type { RequirementResult } from '../record/record.js';
import type { RepeatedRequest } from '../record/repeated-request.js';
import type { KeyFacts } from '../verdict/leaks.js';
import type { Api } from '../session/api.js';
import type { ApiResponse } from '../session/api-response.js';
import type { RetryUntil } from '../session/retry.js';
import type { NewPet } from '../session/control-search.js';
import type { Store } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Plan } from '../specification/plan.js';
import type { Judgement, LeavesTo } from '../verdict/judgement.js';

/**
 * When in a run a requirement is judged. Within a phase probes run at the same time; each phase waits for the one
 * before, because it needs what that left in the store.
 */
export const phases = [
  /** Independent probes, with what they create. */
  'probes',
  /** What refused requests left behind, compared with what was created after them. */
  'side effects',
  /** Listings of a store that holds more than one default page. */
  'listings',
  /** Listings of a store that holds more than one full page. */
  'full store',
  /** What the specification leaves open or does not list. */
  'unspecified',
  /** Windows that are exhausted. */
  'limits',
  /** Probes that look at what the others have shown. */
  'whole run',
  /** What refused requests left behind, as it shows a while later: all else has been requested meanwhile. */
  'late effects',
  /** What may spoil the store for every request after it, such as a name that the target can't list. */
  'last',
  /** What is judged on all exchanges of the run. */
  'every exchange',
] as const;
export type Phase = (typeof phases)[number];

export const profiles = ['quick', 'standard', 'thorough'] as const;
export type Profile = (typeof profiles)[number];

/** All that a probe is given. What it requests is recorded under its requirement's id. */
export interface Probe {
  readonly api: Api;
  readonly store: Store;
  readonly draw: Draw;
  /** The seed of the run, for what several probes share. */
  readonly seed: number;
  readonly judgement: Judgement;
  readonly profile: Profile;
  readonly plan: Plan;
  /** A name that no other animal of the run has. */
  readonly name: (label?: string) => string;
  /** A body like one that the target accepted in this run, under a name that no other animal has. */
  readonly newPet: () => Promise<NewPet>;
  /** The same with another status, for an animal that need not be seen on a page of a large store. */
  readonly newPetOfOtherStatus: () => Promise<NewPet>;
  /** How many of something this profile has room for. */
  readonly depth: (counts: Record<Profile, number>) => number;
  /**
   * The cases to try: all of them, unless the run repeats another one, in which a finding of this requirement named some.
   * @param nameOf what a finding calls a case
   */
  readonly cases: <Case>(all: readonly Case[], nameOf: (one: Case) => string) => readonly Case[];
  /** If the run repeats an earlier one: the requests that its findings show. */
  readonly again: readonly RepeatedRequest[] | undefined;
  /** Requests that may go into making a counterexample small. */
  readonly shrinkBudget: () => number;
  /** Milliseconds after a creation in which the target need not show the animal everywhere. */
  readonly consistencyMs: number;
  /** Patience with a target that shows what was created with a delay. */
  readonly retryUntil: RetryUntil;
  /** `getPet` for an animal that was created: a 404 is retried until it is gone or the time is over. */
  readonly getCreated: (id: string) => Promise<ApiResponse>;
  /** Waits until a moment of the run's clock, in milliseconds; not at all if it is past. */
  readonly waitUntil: (moment: number) => Promise<void>;
  /** All exchanges so far. */
  readonly exchanges: readonly Exchange[];
  /** The whole responses to a requirement that this one declares to need: neither 429 nor broken. */
  readonly responsesTo: (needed: RequirementId) => readonly ApiResponse[];
  /** The target's interface description, compared with the specification; loaded once in a run. */
  readonly describedInterface: () => Promise<ComparedDescription>;
  /** The limits of the plans of this run: measured once, for the first requirement that needs them. */
  readonly limits: () => Promise<LimitsOfRun>;
  /** True from 5 December 2030 on, by the run's date (section 9.3). */
  readonly removalDatePassed: boolean;
}

interface Common {
  /** What it leaves to other requirements, which the reasons of its verdict say. */
  readonly leavesTo?: LeavesTo;
  /** Requirements whose requests it judges, too: they are judged in an earlier phase, if they are selected. */
  readonly needs?: readonly RequirementId[];
}

export interface Options extends Common {
  readonly phase?: Phase;
  /** What it sends among the probes, if it is judged in a later phase: each preparation is made once. */
  readonly sends?: (probe: Probe) => Promise<unknown>;
  /** No other request of ours is under way while it runs. */
  readonly exclusive?: boolean;
  /** Why it is left out of the quick profile. */
  readonly notInQuick?: string;
  /** It sends nothing to the target's operations, and is judged even if the target is not there. */
  readonly withoutTarget?: boolean;
  /** It judges the responses to its own requests, on whatever page an animal of a large store is shown. */
  readonly seesNoPage?: boolean;
  /** It tries to change an animal of its own, and judges itself what becomes of that animal. */
  readonly changesAnimals?: boolean;
}

/** A requirement that sends requests of its own. */
export interface ProbeDeclaration extends Options {
  readonly id: RequirementId;
  readonly phase: Phase;
  readonly judge: Judge;
}

/** A probe that is judged for several plans returns the result itself. */
type Judge = (probe: Probe) => Promise<RequirementResult | void>;

/** Kinds of responses that an invariant needs to see; a run that has none of a kind sends one request for it. */
export const kinds = ['listing', 'creation', 'animal', '400', '401', '404'] as const;
export type Kind = (typeof kinds)[number];

/** What an invariant has to know of the run beside its exchanges. All of it stands in the run record, the key apart. */
export interface RunFacts extends KeyFacts {
  readonly plan: { readonly name: string; readonly perMinute: number; readonly perDay: number };
  /** Whether the user said which plan the key has. */
  readonly planGiven: boolean;
  readonly clockDifference: number | null;
  /** By the run's date, from 5 December 2030 on (section 9.3). */
  readonly removalDatePassed: boolean;
}

export interface InvariantOptions extends Common {
  readonly kinds: readonly Kind[];
  /**
   * Whether it also judges exchanges that the network may have broken: what a gateway responded, or a connection that
   * was cut off, shows nothing of the target's headers and bodies.
   */
  readonly includingBroken?: boolean;
}

/** A requirement that is judged on every exchange, one by one: a day's exchanges need no more memory than an hour's. */
export interface Invariant extends InvariantOptions {
  readonly id: RequirementId;
  /** A judge for one run: `see` each response in order, then `conclude`. */
  readonly begin: (judgement: Judgement, run: RunFacts) => InvariantJudge;
}

export interface InvariantJudge {
  see(response: ApiResponse): void;
  conclude?(): void;
}

const probes = new Map<RequirementId, ProbeDeclaration>();
const invariants = new Map<RequirementId, Invariant>();

function claim(id: RequirementId): void {
  if (probes.has(id) || invariants.has(id)) throw new Error(`${id} is declared twice`);
}

/** Declares how a requirement of the catalogue is judged. Title, level and section come from the catalogue. */
export function requirement(id: RequirementId, judge: Judge): void;
export function requirement(id: RequirementId, options: Options, judge: Judge): void;
export function requirement(id: RequirementId, ...given: [Judge] | [Options, Judge]): void {
  claim(id);
  const [options, judge] = given.length === 1 ? [{}, given[0]] : given;
  probes.set(id, { phase: 'probes', ...options, id, judge });
}

/** Declares an invariant (∀ in the catalogue): judged on every exchange with one of the three operations. */
export function everyExchange(id: RequirementId, options: InvariantOptions, begin: Invariant['begin']): void {
  claim(id);
  invariants.set(id, { ...options, id, begin });
}

export function declaredProbes(): readonly ProbeDeclaration[] {
  return [...probes.values()];
}

export function declaredInvariants(): readonly Invariant[] {
  return [...invariants.values()];
}

/** Whether a requirement tries to change animals: what becomes of them is its own to judge. */
export function changesAnimals(purpose: string): boolean {
  return probes.get(purpose as RequirementId)?.changesAnimals === true;
}
