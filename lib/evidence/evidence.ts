import type { Exchange, OperationName } from '../http/exchange/exchange.js';
import type { RunFacts } from '../requirement/requirement.js';
import { ApiResponse } from '../session/api-response.js';
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

/**
 * All that a rule judges: the exchanges of a run, in the order in which they were complete, and facts of the run.
 * Selections are made when a rule first needs them, and once.
 */
export class Evidence {
  /** Every exchange with one of the three operations, 429s and broken ones included: what invariants are judged on. */
  readonly all: readonly ApiResponse[];
  readonly #repeated: ReadonlySet<string | undefined>;
  #responses: readonly ApiResponse[] | undefined;
  #creations: Creations | undefined;
  #listings: Listings | undefined;
  #fetches: Fetches | undefined;
  #pets: Pets | undefined;
  #presence: Presence | undefined;

  constructor(
    readonly exchanges: readonly Exchange[],
    readonly facts: EvidenceFacts,
  ) {
    // What we gave up ourselves shows nothing of the target.
    this.all = exchanges.flatMap((exchange) =>
      exchange.operation === null || exchange.failure?.kind === 'aborted' ? [] : new ApiResponse(exchange),
    );
    this.#repeated = new Set(exchanges.map(({ repeats }) => repeats));
  }

  /** Those that the network may not have broken: what headers and bodies are judged on. */
  get responses(): readonly ApiResponse[] {
    return (this.#responses ??= this.all.filter(({ broken }) => broken === undefined));
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

  /** What all exchanges together show of the animals in the store. */
  get pets(): Pets {
    return (this.#pets ??= new Pets(this.all, this.exchanges));
  }

  /** Whether and when listings show the animals that were created. */
  get presence(): Presence {
    const { pets, listings, facts } = this;
    return (this.#presence ??= new Presence(pets, listings.pages, facts.consistencyMs));
  }

  /** Not over the limit, and not sent again after it broke off. */
  #answered(operation: OperationName): ApiResponse[] {
    return this.all.filter(
      ({ exchange, id, status }) =>
        exchange.operation === operation &&
        exchange.credential === 'valid' &&
        status !== 429 &&
        !this.#repeated.has(id),
    );
  }
}
