import type { Evidence, EvidenceFacts } from '../evidence/evidence.js';
import type { OperationName } from '../evidence/recorded-exchange.js';
import type { Probe } from '../session/probe.js';
import { isOwnRequirement, type RequirementId } from '../specification/catalogue.js';
import { open, type Checks } from './check.js';
import { NotApplicable } from './outcome.js';

export const profiles = ['quick', 'standard', 'thorough'] as const;
export type Profile = (typeof profiles)[number];

/** What a requirement has room for in each profile. */
export type Rooms<Room> = Readonly<Record<Profile, Room>>;

/**
 * When in a run a requirement is judged. Within a phase probes run at the same time; each phase waits for the one
 * before, because it needs what that left in the store. A probe that no other request may disturb has a phase of its own.
 */
export const phases = [
  'description', // Nothing is sent to the target's operations: it need not be there.
  'probes', // Independent probes, with what they create.
  'side effects', // What refused requests left behind, compared with what was created after them.
  'listings', // Listings of a store that holds more than one default page.
  'full store', // Listings of a store that holds more than one full page.
  'unspecified', // What the specification leaves open or does not list.
  'oldest and newest', // The oldest animal of the run, and the newest one: nothing is created meanwhile.
  'limits', // Windows that are exhausted.
  'whole run', // Probes that look at what the others have shown.
  'sequence', // Requests one after the other.
  'late effects', // What refused requests left behind, as it shows a while later: all else has been requested meanwhile.
  'last', // What may spoil the store for every request after it, such as a name that the target can't list.
  'every exchange', // What is judged on all exchanges of the run.
  'all responses', // What is judged on all responses, those that invariants needed among them; it sends nothing.
] as const;
export type Phase = (typeof phases)[number];

/** A requirement of a probe, which only sends, and a rule, which judges the evidence: all that its clause speaks about. */
export interface ProbeAndRule<Room> {
  /** Judges the evidence of a run, and reads nothing else. Thrown outcomes (`outcome.ts`) end it. */
  readonly rule: (evidence: Evidence) => Checks;
  readonly phase?: Phase;
  /** Kinds of responses that the rule needs to see; the probes that get them are sent with it. */
  readonly kinds?: readonly Kind[];
  /** An operation that must have served a request, or there is nothing to judge; another requirement judges whether it does. */
  readonly needs?: OperationName;
  /** Why it does not apply to a run; undefined if it does. */
  readonly exempt?: (facts: EvidenceFacts) => string | undefined;
  readonly room?: Rooms<Room>;
  /** Why quick leaves it out. */
  readonly notInQuick?: string;
  /** Provokes what the rule judges. What others send may be enough. */
  readonly probe?: (probe: Probe, room: Room) => Promise<unknown>;
}

/** A requirement as it is declared. */
export type Declaration = ReturnType<typeof declarationFrom>;

/** What judges whether an operation is served at all. */
export const servedBy = {
  listPets: 'LIST-01',
  createPet: 'CREATE-01',
  getPet: 'GET-04',
} as const satisfies Record<OperationName, RequirementId>;

/** For what ends with getPet (section 9.3). */
export function beforeRemoval({ removalDatePassed }: EvidenceFacts): string | undefined {
  return removalDatePassed ? 'the operation is past its removal date, 5 December 2030' : undefined;
}

/** Kinds of responses that an invariant needs to see, and whose probes get them. */
export const probesOf = {
  listing: ['LIST-08'],
  creation: ['CREATE-01'],
  animal: ['GET-01'],
  '400': ['CREATE-05'],
  '401': ['AUTH-01'],
  '404': ['GET-02'],
  'refused bodies': ['CREATE-05', 'CREATE-07', 'CREATE-08', 'CREATE-09', 'CREATE-10'],
} as const satisfies Record<string, readonly RequirementId[]>;
type Kind = keyof typeof probesOf;
export const kinds = ['listing', 'creation', 'animal', '400', '401', '404'] as const;

const declarations = new Map<RequirementId, Declaration>();
let listener: ((id: RequirementId) => void) | undefined;

/** Calls back while a suite declares a requirement, so that its line is on the stack. */
export function onDeclaration(called: (id: RequirementId) => void): void {
  listener = called;
}

/** Declares how a requirement is judged; title, level and section are those of its row. One of the user's own may be replaced. */
export function requirement<Room = undefined>(id: RequirementId, declared: ProbeAndRule<Room>): void {
  if (declarations.has(id) && !isOwnRequirement(id)) throw new Error(`${id} is declared twice`);
  declarations.set(id, declarationFrom(id, declared));
  listener?.(id);
}

function declarationFrom<Room>(
  id: RequirementId,
  { room: rooms, notInQuick, probe, needs, exempt, rule, kinds = [], phase }: ProbeAndRule<Room>,
) {
  return {
    id,
    phase: phase ?? (probe ? 'probes' : 'every exchange'),
    kinds,
    rule: (evidence: Evidence): Checks => {
      const reason = exempt?.(evidence.facts);
      if (reason !== undefined) throw new NotApplicable(reason);
      return needs && !evidence.serves(needs)
        ? [open(`no request of ${needs} was served as specified`, servedBy[needs])]
        : rule(evidence);
    },
    /** What it sends in a profile; text says why the profile has no room for it. */
    inProfile: (profile: Profile): string | ((given: Probe) => Promise<void>) => {
      if (profile === 'quick' && notInQuick !== undefined) return notInQuick;
      return async (given) => {
        if (exempt?.(given.facts) !== undefined) return;
        if (needs === 'getPet' && (await given.store.got()).status !== 200) return;
        await probe?.(given, rooms?.[profile] as Room);
      };
    },
  };
}

/** How a requirement is declared. */
export function declarationOf(id: RequirementId): Declaration {
  const declaration = declarations.get(id);
  if (!declaration) throw new Error(`no suite declares ${id}`);
  return declaration;
}
