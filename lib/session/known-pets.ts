import { brokenReason, type Exchange } from '../http/exchange/exchange.js';
import type { RequirementId } from '../specification/catalogue.js';
import { parseJson } from '../specification/json-value.js';
import { valueText, type Animal } from './animal.js';
import { ApiResponse } from './api-response.js';
import { bodySent } from './compare-pets.js';
import { createdAnimal } from './creation.js';

/**
 * A creation that the target refused, by what tells an animal that it added from all others: its name, its category, or,
 * if its body had neither, that the animal has neither.
 */
export interface RefusedCreation {
  readonly exchange: Exchange;
  /** A number, too, as text. */
  readonly name: string | undefined;
  readonly category: string | undefined;
}

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
 * What the run knows of the animals in the store, from every exchange as it happens: those that it created, those that
 * a listing showed, and the creations that were refused.
 */
export class KnownPets {
  readonly #marker: () => string;
  readonly #created = new Map<string, Created>();
  readonly #seen = new Set<string>();
  readonly #listed = new Set<string>();
  readonly #listedUnder = new Map<string, Set<string>>();
  readonly #refusals: RefusedCreation[] = [];
  /** Creates without any key that were not refused with 401. */
  readonly #keyless: RefusedCreation[] = [];
  /** Names of animals that were created, and those in creates that broke off: they tell nothing of a refused one. */
  readonly #uncertain = new Set<string>();
  /** Identifiers that two creations returned: which animal they name is unknown. */
  readonly #ambiguous = new Set<string>();
  /** The category that one animal alone was created with. */
  #ownCategory: string | undefined;
  /** Names of ours that listings show, by identifier: a create whose response never came may be among them. */
  readonly #ownListed = new Map<string, string>();

  /** @param marker what begins every name of the run */
  constructor(marker: () => string) {
    this.#marker = marker;
  }

  see(exchange: Exchange): void {
    if (exchange.operation === 'createPet') this.#seeCreation(new ApiResponse(exchange));
    if (exchange.operation === 'listPets') this.#seeListing(new ApiResponse(exchange));
  }

  #isOwn(name: unknown): name is string {
    return typeof name === 'string' && name.startsWith(this.#marker());
  }

  #seeCreation(response: ApiResponse): void {
    const { exchange, status } = response;
    const name = nameSent(exchange.request.body);
    const category = categorySent(exchange);
    const animal = createdAnimal(response);
    if (exchange.credential === 'missing' && status !== 401 && this.#isOwn(name))
      this.#keyless.push({ exchange, name, category: undefined });
    if (animal) {
      if (exchange.purpose === ofOneAnimal && exchange.repeats === undefined) this.#ownCategory = category;
      if (name !== undefined) this.#uncertain.add(name);
      if (this.#created.has(animal.id)) this.#ambiguous.add(animal.id);
      this.#created.set(animal.id, { animal, exchange });
      this.#seen.add(animal.id);
      return;
    }
    if (name !== undefined && brokenReason(exchange) !== undefined) this.#uncertain.add(name);
    // A 429 says nothing of what was sent: the same is sent again, and may well be accepted.
    const refused = status !== undefined && status >= 400 && status < 500 && status !== 429;
    if (refused) this.#refusals.push({ exchange, name, category });
  }

  #seeListing({ query, animals = [] }: ApiResponse): void {
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

  /** Whether the run has created an animal of a name, or sent a creation that broke off. */
  mayHaveCreated(name: unknown): boolean {
    return typeof name === 'string' && this.#uncertain.has(name);
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

  /** Creations that the target refused for another reason than the key, if an animal that they added can be told. */
  refused(): readonly RefusedCreation[] {
    return this.#traceable(({ response }) => response?.status !== 401);
  }

  /** Creations that had to be refused for the key: those that were, and those without one. */
  unauthenticated(): readonly RefusedCreation[] {
    return [...this.#traceable(({ response }) => response?.status === 401), ...this.#keyless];
  }

  #traceable(wanted: (exchange: Exchange) => boolean): RefusedCreation[] {
    return this.#refusals.flatMap(({ exchange, name, category }) => {
      const own = this.#isOwn(name) || longNumber.test(name ?? '');
      const refusal = {
        exchange,
        name: own && !this.#uncertain.has(name ?? '') ? name : undefined,
        category: category === this.#ownCategory ? category : undefined,
      };
      const isEmpty = name === undefined && category === undefined;
      const told = isEmpty || refusal.name !== undefined || refusal.category !== undefined;
      return told && wanted(exchange) ? [refusal] : [];
    });
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

/** A number in place of a name, long enough to be recognised if it is stored as text. */
const longNumber = /^\d{8,}$/;

/** The name in a request body, even if the body was cut off, or is a string that holds JSON. */
export function nameSent(body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  const parsed = parseJson(body);
  if (!parsed.ok || typeof parsed.value === 'string') return /"name\\?"\s*:\s*\\?"([^"\\]*)/.exec(body)?.[1];
  const value: unknown = Array.isArray(parsed.value) ? parsed.value[0] : parsed.value;
  const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined;
}

/** The category in a request body, as text; `none` if the body has a name and no category. */
function categorySent(exchange: Exchange): string | undefined {
  const { name, categoryId } = bodySent(exchange);
  if (categoryId !== undefined) return valueText(categoryId);
  return name === undefined ? undefined : 'none';
}
