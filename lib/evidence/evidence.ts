import type { JudgedDescription } from '../description/judged-description.js';
import type { LimitsOfRun } from '../limits/limits-of-run.js';
import type { Exchange } from './exchange.js';
import { uncounted, type CredentialKind, type OperationName } from './recorded-exchange.js';
import type { RunFacts } from '../verdict/requirement.js';
import type { Plan } from '../specification/plan.js';
import { Creations } from './creations.js';
import { Fetches } from './fetches.js';
import { Listings } from './listings.js';
import { Pets } from './pets.js';
import { Presence } from './presence.js';

/** What a rule has to know of the run beside its exchanges. All of it stands in the run record, the key apart. */
export interface EvidenceFacts extends RunFacts {
  readonly plan: Plan;
  /** Milliseconds after a creation in which the target need not show the animal everywhere. */
  readonly consistencyMs: number;
  /** A category that the user says the target knows. */
  readonly categoryId: bigint | undefined;
  readonly readOnly: boolean;
}

/** What rules judge that is made of the exchanges, or of files, before they are asked. */
export interface EvidenceParts {
  /** The limits of the plans of the run, if they were probed. */
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
  readonly #repeated: ReadonlySet<string | undefined>;
  #responses: readonly Exchange[] | undefined;
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
    this.all = exchanges.filter(
      ({ operation, failure, phase }) =>
        operation !== null && failure?.kind !== 'aborted' && phase !== uncounted,
    );
    this.#repeated = new Set(exchanges.map(({ repeats }) => repeats));
  }

  /** Those that the network may not have broken: what headers and bodies are judged on. */
  get responses(): readonly Exchange[] {
    return (this.#responses ??= this.all.filter(({ broken }) => broken === undefined));
  }

  /** Those whose body was read, and is recorded, to its end: what fields are judged on. */
  get whole(): readonly Exchange[] {
    return this.responses.filter(({ failure, response }) => !failure && response && !response.body.truncated);
  }

  /** With a method and path that the specification does not list, and the valid key. */
  get unlisted(): readonly Exchange[] {
    const sent = this.exchanges.filter(
      ({ operation, credential }) => operation === null && credential === 'valid',
    );
    return sent.filter((one) => this.#isAnswer(one));
  }

  /** 4.1, with the valid key. */
  get listings(): Listings {
    return (this.#listings ??= new Listings(this.#answered('listPets')));
  }

  /** 4.2, with the valid key. */
  get creations(): Creations {
    return (this.#creations ??= new Creations(this.#answered('createPet'), this.facts.categoryId));
  }

  /** 4.3, with the valid key. */
  get fetches(): Fetches {
    return (this.#fetches ??= new Fetches(this.#answered('getPet')));
  }

  /** With a credential that must be refused (section 5.3). */
  get unauthenticated(): readonly Exchange[] {
    return this.all.filter((one) => mustBeRefused.has(one.credential) && this.#isAnswer(one));
  }

  /** With the valid key under `bearer` (RFC 9110 11.1). */
  get underLowerCaseScheme(): readonly Exchange[] {
    return this.all.filter((one) => one.credential === 'equivalent' && this.#isAnswer(one));
  }

  /** Whether the target has accepted the same request with the valid key, so that the credential is the only difference. */
  isAcceptedWithKey(one: Exchange): boolean {
    const { operation, request } = one;
    if (operation === 'createPet') return one.faults.length === 0 && this.creations.isControlled(one);
    return this.#acceptedAddresses.has(request.url);
  }

  get #acceptedAddresses(): ReadonlySet<string> {
    return (this.#accepted ??= new Set(
      [...this.listings.all, ...this.fetches.all].flatMap(({ request, status }) =>
        status === 200 ? request.url : [],
      ),
    ));
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
    this.#pets ??= petsIn([...this.all, ...this.exchanges.filter(({ operation }) => operation === null)]);
    return this.#pets;
  }

  /** Whether and when listings show the animals that were created. */
  get presence(): Presence {
    const { pets, listings, facts } = this;
    return (this.#presence ??= new Presence(pets, listings.pages, facts.consistencyMs));
  }

  #answered(operation: OperationName): Exchange[] {
    return this.all.filter(
      (one) => one.operation === operation && one.credential === 'valid' && this.#isAnswer(one),
    );
  }

  /** Not over the limit, and not sent again after it broke off. */
  #isAnswer({ id, status }: Exchange): boolean {
    return status !== 429 && !this.#repeated.has(id);
  }
}

function petsIn(exchanges: readonly Exchange[]): Pets {
  const pets = new Pets();
  for (const one of exchanges) pets.see(one);
  return pets;
}
