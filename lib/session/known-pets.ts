import { type Exchange, brokenReason } from '../http/exchange/exchange.js';
import { ApiResponse, jsonOf } from '../verdict/api-response.js';
import { parseJson } from '../specification/json-value.js';
import { animalsOf, type Animal } from './animal.js';
import { createdAnimal } from './creation.js';

/** Probes that try to change an animal of their own: what becomes of it is theirs to judge. */
export const changesAnimals: ReadonlySet<string> = new Set(['CREATE-14', 'ROBUST-02']);

/** A creation that the target refused, by the name that its body carried. */
export interface Refusal {
  readonly exchange: Exchange;
  readonly name: string;
}

/** An animal that the run created, and the exchange that did. */
export interface Created {
  readonly animal: Animal;
  readonly exchange: Exchange;
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
  readonly #refusals: Refusal[] = [];
  /** Creates without any key that were not refused with 401. */
  readonly #keyless: Refusal[] = [];
  /** Names in creates that broke off: whether there is an animal of that name can't be told. */
  readonly #unsure = new Set<string>();
  /** Identifiers that two creations gave: which animal they name can't be told. */
  readonly #ambiguous = new Set<string>();
  /** Of our own names, those that a listing shows: a create whose answer never came may be among them. */
  readonly #shownAsOurs = new Map<string, string>();

  constructor(marker: () => string) {
    this.#marker = marker;
  }

  see(exchange: Exchange): void {
    const status = exchange.response?.status;
    if (exchange.operation === 'createPet') this.#seeCreation(exchange, status);
    if (exchange.operation === 'listPets' && status === 200) this.#seeListing(exchange);
  }

  #seeCreation(exchange: Exchange, status: number | undefined): void {
    const animal = createdAnimal(new ApiResponse(exchange));
    const keyless =
      exchange.credential === 'missing' && status !== 401 ? nameSent(exchange.request.body) : undefined;
    if (keyless?.startsWith(this.#marker()) === true) this.#keyless.push({ exchange, name: keyless });
    if (animal) {
      if (this.#created.has(animal.id)) this.#ambiguous.add(animal.id);
      this.#created.set(animal.id, { animal, exchange });
      this.#seen.add(animal.id);
      return;
    }
    const name = nameSent(exchange.request.body);
    if (name !== undefined && brokenReason(exchange) !== undefined) this.#unsure.add(name);
    if (name === undefined || !(name.startsWith(this.#marker()) || longNumber.test(name))) return;
    // A 429 is no answer to what was sent: the same goes again, and may well be taken.
    const refused = status !== undefined && status >= 400 && status < 500 && status !== 429;
    if (refused) this.#refusals.push({ exchange, name });
  }

  #seeListing(exchange: Exchange): void {
    const json = jsonOf(exchange);
    const filter = new URL(exchange.request.url).searchParams.get('status');
    for (const animal of (json.ok ? animalsOf(json.value) : undefined) ?? []) {
      this.#seen.add(animal.id);
      this.#listed.add(animal.id);
      // What a filter lets through that does not match is LIST-06's.
      if (filter !== null && animal.shown.status === filter)
        this.#listedUnder.set(filter, (this.#listedUnder.get(filter) ?? new Set()).add(animal.id));
      const { name } = animal.shown;
      if (typeof name === 'string' && name.startsWith(this.#marker())) this.#shownAsOurs.set(animal.id, name);
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

  /** How many animals listings have shown; with a status, those that were asked for it. */
  countListed(status?: string): number {
    return status === undefined ? this.#listed.size : (this.#listedUnder.get(status)?.size ?? 0);
  }

  /** Identifiers of the animals that listings have shown; with a status, of those that were asked for it. */
  listed(status?: string): string[] {
    return [...(status === undefined ? this.#listed : (this.#listedUnder.get(status) ?? []))];
  }

  /** Animals of the run that its listings are to show: all of them, or those that were created under a status. */
  listable(status?: string): Created[] {
    return [...this.#created.values()].filter(
      ({ animal, exchange }) =>
        !changesAnimals.has(exchange.purpose) && (status === undefined || animal.shown.status === status),
    );
  }

  /** How many animals are known that the run created under a status. */
  countCreated(status: string): number {
    return [...this.#created.values()].filter(({ animal }) => animal.shown.status === status).length;
  }

  /** Creations with a name of this run that the target refused for another reason than the key. */
  refused(): readonly Refusal[] {
    return this.#refusals.filter(
      ({ exchange, name }) => exchange.response?.status !== 401 && !this.#unsure.has(name),
    );
  }

  /** Creations with a name of this run that had to be refused for the key: those that were, and those without one. */
  unauthenticated(): readonly Refusal[] {
    return [...this.#refusals.filter(({ exchange }) => exchange.response?.status === 401), ...this.#keyless];
  }

  /** What the run left in the store: there is no operation that would remove it. */
  leftovers(): Array<{ id: string; name: string }> {
    const names = new Map(this.#shownAsOurs);
    for (const [id, { animal, exchange }] of this.#created) {
      const { name } = animal.shown;
      names.set(id, typeof name === 'string' ? name : (nameSent(exchange.request.body) ?? ''));
    }
    return [...names].map(([id, name]) => ({ id, name }));
  }
}

/** A number in a name's place, long enough to be told again should it be kept as text. */
const longNumber = /^\d{8,}$/;

/** The name in a request body, even where the body was cut off. */
export function nameSent(body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  const parsed = parseJson(body);
  if (parsed.ok) {
    const value = Array.isArray(parsed.value) ? (parsed.value[0] as unknown) : parsed.value;
    const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
    return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined;
  }
  return /"name"\s*:\s*"([^"\\]*)"/.exec(body)?.[1];
}
