import { createdAnimal, type Exchange } from '../evidence/exchange.js';
import type { RequirementId } from '../specification/catalogue.js';
import { nameSent } from '../evidence/request-facts.js';
import type { Animal } from '../evidence/animal.js';

/** An animal that the run created, and the exchange that did. */
export interface Created {
  readonly animal: Animal;
  readonly exchange: Exchange;
}

/** Requirements whose probes try to change an animal of their own: what becomes of it is theirs to judge. */
const changing: ReadonlySet<string> = new Set(['CREATE-14', 'ROBUST-02'] satisfies RequirementId[]);

/** Whether a request tries to change an animal, so that a listing need not show the animal as it was created. */
function changesAnimals({ purpose }: Pick<Exchange, 'purpose'>): boolean {
  return changing.has(purpose);
}

/**
 * What the run knows of the animals in the store, from every exchange as it happens: those that it created, and those that
 * a listing showed.
 */
export class KnownPets {
  readonly #marker: () => string;
  readonly #created = new Map<string, Created>();
  readonly #seen = new Set<string>();
  readonly #listed = new Set<string>();
  readonly #listedUnder = new Map<string, Set<string>>();
  /** Identifiers that two creations returned: which animal they name is unknown. */
  readonly #ambiguous = new Set<string>();
  /** Names of ours that listings show, by identifier: a create whose response never came may be among them. */
  readonly #ownListed = new Map<string, string>();

  /** @param marker what begins every name of the run */
  constructor(marker: () => string) {
    this.#marker = marker;
  }

  see(exchange: Exchange): void {
    if (exchange.operation === 'createPet') this.#seeCreation(exchange);
    if (exchange.operation === 'listPets') this.#seeListing(exchange);
  }

  #isOwn(name: unknown): name is string {
    return typeof name === 'string' && name.startsWith(this.#marker());
  }

  #seeCreation(response: Exchange): void {
    const animal = createdAnimal(response);
    if (!animal) return;
    if (this.#created.has(animal.id)) this.#ambiguous.add(animal.id);
    this.#created.set(animal.id, { animal, exchange: response });
    this.#seen.add(animal.id);
  }

  #seeListing({ query, animals = [] }: Exchange): void {
    const filter = query.get('status');
    for (const { id, shown } of animals) {
      this.#seen.add(id);
      this.#listed.add(id);
      // A filter may let other animals through, which do not count.
      if (filter !== null && shown.status === filter)
        this.#listedUnder.set(filter, (this.#listedUnder.get(filter) ?? new Set()).add(id));
      if (this.#isOwn(shown.name)) this.#ownListed.set(id, shown.name);
    }
  }

  /** Animals that are known to be in the store: a lower bound of its size. */
  get known(): number {
    return this.#seen.size;
  }

  isKnown(id: string): boolean {
    return this.#seen.has(id);
  }

  get created(): ReadonlyMap<string, Created> {
    return this.#created;
  }

  isAmbiguous(id: string): boolean {
    return this.#ambiguous.has(id);
  }

  /** How many animals listings have shown; with a status, those that were requested with it. */
  countListed(status?: string): number {
    return this.listed(status).length;
  }

  /** Identifiers of the animals that listings have shown; with a status, of those that were requested with it. */
  listed(status?: string): string[] {
    return [...(status === undefined ? this.#listed : (this.#listedUnder.get(status) ?? []))];
  }

  /** Animals of the run that its listings must show: all of them, or those that were created under a status. */
  listable(status?: string): Created[] {
    return [...this.#created.values()].filter(
      ({ animal, exchange }) =>
        !changesAnimals(exchange) && (status === undefined || animal.shown.status === status),
    );
  }

  /** How many animals are known to be in the store under a status: those created, and those listed under it. */
  countKnown(status: string): number {
    return new Set([...this.listable(status).map(({ animal }) => animal.id), ...this.listed(status)]).size;
  }

  /** How many animals the run is known to have created under a status. */
  countCreated(status: string): number {
    return [...this.#created.values()].filter(({ animal }) => animal.shown.status === status).length;
  }

  /** What the run left in the store: there is no operation that would remove it. */
  leftovers(): Array<{ id: string; name: string }> {
    const names = new Map(this.#ownListed);
    for (const [id, { animal, exchange }] of this.#created) {
      const { name } = animal.shown;
      names.set(id, typeof name === 'string' ? name : (nameSent(exchange.request.body) ?? ''));
    }
    return [...names].map(([id, name]) => ({ id, name }));
  }
}

/** The purpose of the one creation whose category no other animal has. */
export const ofOneAnimal = 'unknown category';
