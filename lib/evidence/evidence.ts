import type { JudgedDescription } from '../description/judged-description.js';
import type { LimitsOfRun } from '../limits/limits-of-run.js';
import { Creations } from './creations.js';
import type { Exchange } from './exchange.js';
import type { EvidenceFacts } from './facts.js';
import { Fetches } from './fetches.js';
import { Listings } from './listings.js';
import { Pets } from './pets.js';
import { Presence } from './presence.js';
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
  readonly #answers: readonly Exchange[];
  #creations: Creations | undefined;
  #listings: Listings | undefined;
  #fetches: Fetches | undefined;
  #pets: Pets | undefined;
  #accepted: ReadonlySet<string> | undefined;
  #presence: Presence | undefined;

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
    this.#answers = this.all.filter(isAnswer);
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
  get fetches(): Fetches {
    return (this.#fetches ??= new Fetches(this.#withKey('getPet')));
  }

  #withKey(operation: OperationName): Exchange[] {
    return this.#answers.filter((one) => one.operation === operation && one.credential === 'valid');
  }

  /** With a credential that must be refused (section 5.3). */
  get unauthenticated(): readonly Exchange[] {
    return this.#answers.filter(({ credential }) => mustBeRefused.has(credential));
  }

  /** With the valid key under `bearer` (RFC 9110 11.1). */
  get underLowerCaseScheme(): readonly Exchange[] {
    return this.#answers.filter(({ credential }) => credential === 'equivalent');
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

  /** The same, and a Pet in some form. */
  serves(operation: OperationName): boolean {
    return operation === 'getPet' ? this.fetches.isServed : this.accepts(operation);
  }

  /** What all exchanges together show of the animals in the store. */
  get pets(): Pets {
    if (this.#pets) return this.#pets;
    this.#pets = new Pets();
    for (const one of this.all) this.#pets.see(one);
    for (const one of this.exchanges) if (one.operation === null) this.#pets.see(one);
    return this.#pets;
  }

  /** Whether and when listings show the animals that were created. */
  get presence(): Presence {
    return (this.#presence ??= new Presence(this.pets, this.listings, this.facts.consistencyMs));
  }
}
