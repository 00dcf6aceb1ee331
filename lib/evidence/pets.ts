import { petFields, type Exchange } from './exchange.js';
import { isSameValue, valueText, type Animal } from './animal.js';
import { RefusedCreations, type RefusedCreation } from './refused-creations.js';

/** An animal as a response shows it. Responses that show the same are counted. */
export interface Showing {
  readonly animal: Animal;
  /** The first that shows it so; a listing with the valid key before others. */
  readonly by: Exchange;
  times: number;
}

/** An animal that was created, and what showed it afterwards. */
export interface Pet {
  readonly id: string;
  readonly creation: Exchange;
  /** As its creation returned it. */
  readonly animal: Animal;
  /** How listings and getPet show it once it was created, each look once. */
  readonly showings: Showing[];
  /**
   * Nothing else bears its identifier, and no request tried to change it: then it must be shown as it was created.
   */
  isOwn: boolean;
}

/** An animal in a listing, with the moment at which the first listing that shows it was complete. */
export interface Listed {
  animal: Animal;
  /** The first with the valid key, which is the easier one to ask for again; else the first. */
  by: Exchange;
  readonly since: number;
}

/** Two exchanges that show one identifier, the second one a creation. */
type SameId = readonly [first: Exchange, second: Exchange];

/** Characters of a name that no other animal has by chance. */
const uniqueName = 8;

/** What the exchanges of a run show together of the animals in the store, folded once in the order of completion. */
export class Pets {
  readonly created = new Map<string, Pet>();
  readonly sameIds: SameId[] = [];
  /** Identifiers that a listing had shown before the creation that returned them was sent. */
  readonly reused: SameId[] = [];
  /** The animals in all listings, each once under each name. */
  readonly listed: Listed[] = [];
  /** Identifiers that creations returned or listings showed. */
  readonly ids = new Set<string>();
  readonly #listedById = new Map<string, Listed[]>();
  readonly #listedByName = new Map<string, Listed[]>();
  /** Looks before any creation returned the identifier. */
  readonly #earlier = new Map<string, Listed>();
  /** Creations that were refused, and what an animal that they added would be told by. */
  readonly refusals = new RefusedCreations();
  readonly #namesCreated = new Set<unknown>();
  /** How many creations were sent under each name. */
  readonly #namesSent = new Map<string, number>();
  /** When the last creation was sent whose animal a listing shows. */
  #lastListedCreation = Number.NEGATIVE_INFINITY;
  /** Identifiers that a body brings, or that a method which is not listed is sent to. */
  readonly #targets = new Set<string>();

  /** @param one an exchange with one of the three operations, or with a method that is not listed */
  see(one: Exchange): void {
    if (one.operation === 'createPet') this.#seeCreation(one);
    else if (one.operation === null) this.#target(one.petId);
    else this.#seeAnimals(one);
    if (one.members.id !== undefined) this.#target(valueText(one.members.id));
  }

  #target(id: string): void {
    this.#targets.add(id);
    const pet = this.created.get(id);
    if (pet) pet.isOwn = false;
  }

  #seeCreation(one: Exchange): void {
    const { members, nameSent: name, created: animal } = one;
    if (name !== undefined) this.#namesSent.set(name, (this.#namesSent.get(name) ?? 0) + 1);
    this.refusals.see(one);
    if (!animal) return;
    const { id } = animal;
    const bringsId = 'id' in members;
    const known = this.created.get(id);
    if (known) {
      known.isOwn = false;
      if (!bringsId && !('id' in known.creation.members)) this.sameIds.push([known.creation, one]);
      return;
    }
    const seen = this.#earlier.get(id);
    // What is seen while it is created is the animal itself.
    const earlier = seen && seen.since <= one.sentAt ? seen : undefined;
    const isOwn = !earlier && !bringsId && !this.#targets.has(id);
    this.created.set(id, { id, creation: one, animal, showings: [], isOwn });
    this.ids.add(id);
    // An animal of the run that is listed under a wrong identifier is another matter.
    if (earlier && !bringsId && !this.#namesCreated.has(earlier.animal.shown.name))
      this.reused.push([earlier.by, one]);
    this.#namesCreated.add(animal.shown.name);
  }

  #seeAnimals(one: Exchange): void {
    const isListing = one.operation === 'listPets';
    if (!isListing && one.unspecified.length > 0) return;
    const fetched = one.status === 200 && one.animal ? [one.animal] : [];
    for (const animal of isListing ? (one.animals ?? []) : fetched) {
      if (isListing) this.#seeListed(animal, one);
      const pet = this.created.get(animal.id);
      if (pet) addShowing(pet, animal, one);
      else if (!this.#earlier.has(animal.id))
        this.#earlier.set(animal.id, { animal, by: one, since: one.endedAt });
      if (pet && isListing)
        this.#lastListedCreation = Math.max(this.#lastListedCreation, pet.creation.sentAt);
    }
  }

  #seeListed(animal: Animal, by: Exchange): void {
    const { id, shown } = animal;
    const known = this.#listedById.get(id)?.find((one) => isSameValue(one.animal.shown.name, shown.name));
    if (!known) {
      const listed = { animal, by, since: by.endedAt };
      this.listed.push(listed);
      this.ids.add(id);
      addTo(this.#listedById, id, listed);
      addTo(this.#listedByName, String(shown.name), listed);
    } else if (known.by.credential !== 'valid' && by.credential === 'valid')
      Object.assign(known, { animal, by });
  }

  /** Created animals that listings show under another identifier than their creation returned, told by their names. */
  get renumbered(): ReadonlyArray<readonly [Pet, Listed]> {
    const names = new Map<unknown, Pet | undefined>();
    for (const pet of this.created.values()) {
      const { name } = pet.animal.shown;
      names.set(name, names.has(name) ? undefined : pet);
    }
    return this.listed.flatMap((listed) => {
      const { name } = listed.animal.shown;
      const pet = names.get(name);
      const isTelling = typeof name === 'string' && name.length >= uniqueName;
      // Of two that were sent under one name, either may be the one that is listed.
      if (!pet?.isOwn || !isTelling || (this.#namesSent.get(name) ?? 0) > 1) return [];
      const isAnother = !this.created.has(listed.animal.id) && listed.since >= pet.creation.sentAt;
      return isAnother ? [[pet, listed] as const] : [];
    });
  }

  /** How many animals are known to be in the store: a lower bound of its size. */
  get known(): number {
    return this.ids.size;
  }

  /** Identifiers of the animals that listings have shown; with a status, of those that they show under it. */
  listedUnder(status?: string): Set<string> {
    return new Set(
      this.listed.flatMap(({ animal: { id, shown } }) =>
        status === undefined || shown.status === status ? id : [],
      ),
    );
  }

  /** How many animals are known to be in the store under a status: those created, and those listed under it. */
  countUnder(status: string): number {
    const ids = this.listedUnder(status);
    for (const { id, animal } of this.created.values()) if (animal.shown.status === status) ids.add(id);
    return ids.size;
  }

  /** Whether a creation or a listing has shown an identifier. */
  isKnown(id: string): boolean {
    return this.created.has(id) || this.#earlier.has(id);
  }

  /** A listed animal that a refused creation added. */
  leftBy({ creation, name, category }: RefusedCreation): Listed | undefined {
    const isSince = ({ since }: Listed): boolean => since >= creation.sentAt;
    const named = name === undefined ? undefined : this.#listedByName.get(name)?.find(isSince);
    if (named || (name !== undefined && category === undefined)) return named;
    return this.listed.find(
      (one) =>
        isSince(one) &&
        !this.created.has(one.animal.id) &&
        one.since < this.refusals.uncertainSince(String(one.animal.shown.name)) &&
        (category === undefined
          ? isBlank(one.animal.shown.name) && isBlank(one.animal.shown.categoryId)
          : valueText(one.animal.shown.categoryId) === category),
    );
  }

  /** Whether a listing shows an animal that was created after a creation: then it would show what that one left, too. */
  isListedAfter({ endedAt }: Exchange): boolean {
    return this.#lastListedCreation >= endedAt;
  }
}

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function addShowing({ showings }: Pet, animal: Animal, by: Exchange): void {
  const known = showings.find(
    (one) =>
      one.by.operation === by.operation &&
      petFields.every((field) => isSameValue(one.animal.shown[field], animal.shown[field])),
  );
  if (known) known.times += 1;
  else showings.push({ animal, by, times: 1 });
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === 0;
}
