import type { JudgedDescription } from '../description/judged-description.js';
import type { LimitsOfRun } from '../limits/limits-of-run.js';
import { Creations } from './creations.js';
import type { Exchange } from './exchange.js';
import type { EvidenceFacts } from './facts.js';
import { Listings } from './listings.js';
import { Pets, type Pet } from './pets.js';
import { Presence } from './presence.js';
import { refusedCreations } from './refused-creations.js';
import { Requests } from './requests.js';
import { isOfOurs, uncounted, type CredentialKind, type OperationName } from './recorded-exchange.js';

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
 * Selections are made when a rule first needs them, and once.
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
  #creations: Creations | undefined;
  #listings: Listings | undefined;
  #fetches: Requests | undefined;
  #pets: Pets | undefined;
  #accepted: ReadonlySet<string> | undefined;
  #presence: Presence | undefined;
  #refused: ReturnType<typeof refusedCreations> | undefined;

  constructor(
    readonly exchanges: readonly Exchange[],
    readonly facts: EvidenceFacts,
    readonly parts: EvidenceParts = {},
  ) {
    // What we gave up ourselves shows nothing of the target.
    this.all = exchanges.filter((one) => one.operation !== null && !isOfOurs(one) && one.phase !== uncounted);
    this.responses = this.all.filter(({ broken }) => broken === undefined);
    this.whole = this.responses.filter(
      ({ failure, response }) => !failure && response && !response.body.truncated,
    );
    const repeated = new Set(exchanges.map(({ repeats }) => repeats));
    const isAnswer = ({ id, status }: Exchange): boolean => status !== 429 && !repeated.has(id);
    this.answers = this.all.filter(isAnswer);
    const unlisted = exchanges.filter(
      ({ operation, credential }) => operation === null && credential === 'valid',
    );
    this.unlisted = unlisted.filter(isAnswer);
  }

  /** 4.1, with the valid key. */
  get listings(): Listings {
    return (this.#listings ??= new Listings(this.#withKey('listPets')));
  }

  /** 4.2, with the valid key. */
  get creations(): Creations {
    return (this.#creations ??= new Creations(this.#withKey('createPet'), this.facts.categoryId));
  }

  /** 4.3, with the valid key. */
  get fetches(): Requests {
    return (this.#fetches ??= new Requests(this.#withKey('getPet')));
  }

  /** Those of animals that were created before, whose identifier nothing else bears, and that nothing tried to change. */
  get fetchesOfOwn(): ReadonlyArray<readonly [Exchange, Pet]> {
    return this.fetches.specified.flatMap((one) => {
      const pet = this.pets.created.get(one.petId);
      return pet?.isOwn && one.sentAt >= pet.creation.endedAt ? [[one, pet] as const] : [];
    });
  }

  #withKey(operation: OperationName): Exchange[] {
    return this.answers.filter((one) => one.operation === operation && one.credential === 'valid');
  }

  /** With a credential that must be refused (section 5.3). */
  get unauthenticated(): readonly Exchange[] {
    return this.answers.filter(({ credential }) => mustBeRefused.has(credential));
  }

  /** Whether the target has accepted the same request with the valid key, so that the credential is the only difference. */
  isAcceptedWithKey(one: Exchange): boolean {
    if (one.operation === 'createPet') return one.faults.length === 0 && this.creations.isControlled(one);
    this.#accepted ??= new Set(
      [...this.listings.all, ...this.fetches.all].flatMap(({ request, status }) =>
        status === 200 ? request.url : [],
      ),
    );
    return this.#accepted.has(one.request.url);
  }

  /** Whether the target has accepted any request of an operation with the valid key. */
  accepts(operation: OperationName): boolean {
    if (operation === 'createPet') return this.creations.accepted.length > 0;
    const { all } = operation === 'getPet' ? this.fetches : this.listings;
    return all.some(({ status }) => status === 200);
  }

  /** The same, and of getPet with an animal in whatever form: a body that is not recorded may be any. */
  serves(operation: OperationName): boolean {
    if (operation !== 'getPet') return this.accepts(operation);
    return this.fetches.all.some(
      ({ status, json }) => status === 200 && typeof json === 'object' && json !== null,
    );
  }

  /** What all exchanges together show of the animals in the store. */
  get pets(): Pets {
    if (this.#pets) return this.#pets;
    const pets = new Pets();
    const unlisted = this.exchanges.filter(({ operation }) => operation === null);
    for (const one of [...this.all, ...unlisted]) pets.see(one);
    return (this.#pets = pets);
  }

  /** Creations that were refused, and what they added. */
  get refused(): ReturnType<typeof refusedCreations> {
    const isCreation = ({ operation }: Exchange): boolean => operation === 'createPet';
    return (this.#refused ??= refusedCreations(this.all.filter(isCreation), this.pets));
  }

  /** Whether and when listings show the animals that were created. */
  get presence(): Presence {
    return (this.#presence ??= new Presence(this.pets, this.listings.pages, this.facts.consistencyMs));
  }
}
