import type { JudgedDescription } from '../description/judged-description.js';
import type { LimitsOfRun } from '../limits/limits-of-run.js';
import { Creations } from './creations.js';
import type { Exchange } from './exchange.js';
import type { EvidenceFacts } from './facts.js';
import { Pets, type Pet } from './pets.js';
import { presenceIn, type Presence } from './presence.js';
import { refusedCreations } from './refused-creations.js';
import { Requests } from './requests.js';
import type { CredentialKind, OperationName } from './recorded-exchange.js';

/** What rules judge that is made of the exchanges, or of files, before they are asked. */
export interface EvidenceParts {
  /** The limits of the run, if they were probed. */
  readonly limits?: LimitsOfRun | undefined;
  /** The target's interface description, if one was given. */
  readonly description?: JudgedDescription | undefined;
}
const mustBeRefused: ReadonlySet<CredentialKind> = new Set(['missing', 'unknown', 'malformed']);

/**
 * All that a rule judges: the exchanges of a run, in the order in which they were complete, and facts of the run.
 */
export class Evidence {
  /** Every exchange with one of the three operations, 429s and broken ones included: what invariants are judged on. */
  readonly all: readonly Exchange[];
  /** Those that the network may not have broken: what headers and bodies are judged on. */
  readonly responses: readonly Exchange[];
  /** Those whose body was read, and is recorded, to its end: what fields are judged on. */
  readonly whole: readonly Exchange[];
  /** With a method and path that the specification does not list, and the valid key. */
  readonly unlisted: readonly Exchange[];
  /** Not over the limit, and not sent again after they broke off. */
  readonly answers: readonly Exchange[];
  /** 4.1, with the valid key. */
  readonly listings: Requests;
  /** 4.2, with the valid key. */
  readonly creations: Creations;
  /** 4.3, with the valid key. */
  readonly fetches: Requests;
  /** Creations that were refused, and what they added. */
  readonly refused: ReturnType<typeof refusedCreations>;
  /** Whether and when listings show the animals that were created. */
  readonly presence: Presence;
  /** Addresses of listings and animals that the target has served with the valid key. */
  readonly #served: ReadonlySet<string>;

  constructor(
    readonly exchanges: readonly Exchange[],
    readonly facts: EvidenceFacts,
    readonly parts: EvidenceParts = {},
    /** What all exchanges together show of the animals in the store. */
    readonly pets = new Pets(exchanges),
  ) {
    this.all = exchanges.filter((one) => one.operation !== null && one.isEvidence);
    this.responses = this.all.filter(({ broken }) => broken === undefined);
    this.whole = this.responses.filter(
      ({ failure, response }) => !failure && response && !response.body.truncated,
    );
    const repeated = new Set(exchanges.map(({ repeats }) => repeats));
    const isAnswer = ({ id, status }: Exchange): boolean => status !== 429 && !repeated.has(id);
    this.answers = this.all.filter(isAnswer);
    const unlisted = exchanges.filter(({ operation }) => operation === null);
    this.unlisted = unlisted.filter((one) => one.credential === 'valid' && isAnswer(one));
    const withKey = (operation: OperationName): Exchange[] =>
      this.answers.filter((one) => one.operation === operation && one.credential === 'valid');
    this.listings = new Requests(withKey('listPets'));
    this.creations = new Creations(withKey('createPet'), facts.categoryId);
    this.fetches = new Requests(withKey('getPet'));
    const served = [...this.listings.all, ...this.fetches.all].filter(({ status }) => status === 200);
    this.#served = new Set(served.map(({ request }) => request.url));
    this.refused = refusedCreations(
      this.all.filter(({ operation }) => operation === 'createPet'),
      this.pets,
    );
    this.presence = presenceIn(this.pets, this.listings.pages, facts.consistencyMs);
  }

  /** Those of animals that were created before, whose identifier nothing else bears, and that nothing tried to change. */
  get fetchesOfOwn(): ReadonlyArray<readonly [Exchange, Pet]> {
    return this.fetches.specified.flatMap((one) => {
      const pet = this.pets.created.get(one.petId);
      return pet?.isOwn && one.sentAt >= pet.creation.endedAt ? [[one, pet] as const] : [];
    });
  }

  /** With a credential that must be refused (section 5.3). */
  get unauthenticated(): readonly Exchange[] {
    return this.answers.filter(({ credential }) => mustBeRefused.has(credential));
  }

  /** Whether the target has accepted the same request with the valid key, so that the credential is the only difference. */
  isAcceptedWithKey(one: Exchange): boolean {
    if (one.operation === 'createPet') return one.faults.length === 0 && this.creations.isControlled(one);
    return this.#served.has(one.request.url);
  }

  /** Whether the target has served an operation with the valid key: getPet with an animal in whatever form. */
  serves(operation: OperationName): boolean {
    if (operation === 'createPet') return this.creations.accepted.length > 0;
    if (operation === 'listPets') return this.listings.all.some(({ status }) => status === 200);
    return this.fetches.all.some(
      ({ status, json }) => status === 200 && typeof json === 'object' && json !== null,
    );
  }
}
