import { petFields, type Exchange } from './exchange.js';
import { isSameValue, valueText, type Animal } from './animal.js';

/** An animal as listings, or getPet, show it. Responses that show the same are counted. */
export interface Showing {
  readonly animal: Animal;
  /** The first that shows it so. */
  readonly by: Exchange;
  times: number;
}

/** An animal that was created, and what showed it. */
export interface Pet {
  readonly id: string;
  readonly creation: Exchange;
  /** As its creation returned it. */
  readonly animal: Animal;
  readonly showings: readonly Showing[];
  /** Nothing else bears its identifier, and no request tried to change it: then it must be shown as it was created. */
  isOwn: boolean;
}

/** Two exchanges that show one identifier, the second one a creation. */
type SameId = readonly [first: Exchange, second: Exchange];

/** A creation that was refused, and the listed animal that it added all the same. */
export interface RefusedCreation {
  readonly creation: Exchange;
  readonly left: Showing | undefined;
}

/** A category from here on that one animal alone has tells that animal: services number categories from 1. */
const leastTelling = 2 ** 30;
/** A name that a run of this suite gave: its marker, what it was for, and a number. */
const nameOfSuite = /^pc[\da-z]{1,7}[ -][\w -]+ \d+/;
/** A number in place of a name, long enough to be recognised if it is stored as text. */
const longNumber = /^\d{8,}$/;
/** Characters of a name that no other animal has by chance. */
const uniqueName = 8;

/** What the exchanges of a run show together of the animals in the store, folded once in the order of completion. */
export class Pets {
  readonly created = new Map<string, Pet>();
  readonly sameIds: SameId[] = [];
  /** Identifiers that a listing had shown before the creation that returned them was sent. */
  readonly reused: SameId[] = [];
  /** The animals in all listings, each once for each way in which they show it. */
  readonly listed: Showing[] = [];
  /** Identifiers that creations returned or listings showed. */
  readonly ids = new Set<string>();
  readonly #showings = new Map<string, Showing[]>();
  /** How many creations were sent under each name. */
  readonly #namesSent = new Map<string, number>();
  /** When an animal may have got a name for the first time: from then on the name tells nothing of a refused creation. */
  readonly #takenSince = new Map<string, number>();

  constructor(exchanges: Iterable<Exchange> = []) {
    for (const one of exchanges) this.see(one);
  }

  /** @param one the next exchange, of whatever operation */
  see(one: Exchange): void {
    if (!one.isEvidence) return;
    const { operation, members, petId } = one;
    if (operation === 'createPet') this.#seeCreation(one);
    else if (operation !== null) this.#seeAnimals(one);
    // A body that brings an identifier, and a method that is not listed, may change the animal.
    const target = this.created.get(operation === null ? petId : valueText(members.id));
    if (target) target.isOwn = false;
  }

  #seeCreation(creation: Exchange): void {
    const { members, nameSent: name, created: animal, sentAt } = creation;
    if (name !== undefined) this.#namesSent.set(name, (this.#namesSent.get(name) ?? 0) + 1);
    if (name !== undefined && (animal || creation.broken !== undefined))
      this.#takenSince.set(name, Math.min(sentAt, this.#takenSince.get(name) ?? Infinity));
    if (!animal) return;
    const { id } = animal;
    const bringsId = members.id !== undefined;
    const known = this.created.get(id);
    if (known) {
      known.isOwn = false;
      if (!bringsId && known.creation.members.id === undefined) this.sameIds.push([known.creation, creation]);
      return;
    }
    const showings = this.#showingsOf(id);
    // What is seen while it is created is the animal itself.
    const earlier = showings.find(({ by }) => by.endedAt <= sentAt);
    this.created.set(id, { id, creation, animal, showings, isOwn: !earlier && !bringsId });
    this.ids.add(id);
    // An animal of the run that is listed under a wrong identifier is another matter.
    if (earlier && !bringsId && !this.#namesSent.has(String(earlier.animal.shown.name)))
      this.reused.push([earlier.by, creation]);
  }

  #seeAnimals(by: Exchange): void {
    const isFetched = by.unspecified.length === 0 && by.status === 200;
    const fetched = isFetched && by.animal ? [by.animal] : [];
    for (const animal of (by.operation === 'listPets' ? by.animals : fetched) ?? []) {
      const showings = this.#showingsOf(animal.id);
      const known = showings.find(
        (one) =>
          one.by.operation === by.operation &&
          petFields.every((field) => isSameValue(one.animal.shown[field], animal.shown[field])),
      );
      const showing = known ?? { animal, by, times: 0 };
      showing.times += 1;
      if (known) continue;
      showings.push(showing);
      if (by.operation !== 'listPets') continue;
      this.listed.push(showing);
      this.ids.add(animal.id);
    }
  }

  #showingsOf(id: string): Showing[] {
    const showings = this.#showings.get(id) ?? [];
    this.#showings.set(id, showings);
    return showings;
  }

  /** Created animals that listings show under another identifier than their creation returned, told by their names. */
  get renumbered(): ReadonlyArray<readonly [Pet, Showing]> {
    const own = [...this.created.values()].filter(({ isOwn }) => isOwn);
    return this.listed.flatMap((listed) => {
      const { name } = listed.animal.shown;
      const isTelling = typeof name === 'string' && name.length >= uniqueName;
      // Of two that were sent under one name, either may be the one that is listed.
      if (!isTelling || this.created.has(listed.animal.id) || (this.#namesSent.get(name) ?? 0) > 1) return [];
      const isOfName = ({ animal, creation }: Pet): boolean =>
        animal.shown.name === name && listed.by.endedAt >= creation.sentAt;
      const pet = own.find(isOfName);
      return pet ? [[pet, listed] as const] : [];
    });
  }

  /** The status that an animal shows. One may omit it: the run knows that of the animals that it created. */
  statusOf({ id, shown }: Animal): unknown {
    return shown.status ?? this.created.get(id)?.animal.shown.status;
  }

  /** Identifiers of the animals that listings have shown until a moment; with a status, of those that they show under it. */
  listedUnder(status?: string, until = Infinity): Set<string> {
    return new Set(
      this.listed.flatMap(({ animal: { id, shown }, by }) =>
        by.endedAt <= until && (status === undefined || shown.status === status) ? id : [],
      ),
    );
  }

  /** How many animals are known to be in the store, under a status if one is given: those created, and those listed under it. */
  count(status?: string): number {
    const ids = this.listedUnder(status);
    for (const { id, animal } of this.created.values())
      if (status === undefined || animal.shown.status === status) ids.add(id);
    return ids.size;
  }

  /**
   * What a run left in the store: there is no operation that would remove it. A creation whose response never came may be
   * among what listings show. @param marker begins every name of the run
   */
  leftovers(marker: string | undefined): Array<{ id: string; name: string }> {
    const nameOf = ({ shown: { name } }: Animal): string => (typeof name === 'string' ? name : '');
    const own = this.listed.filter(({ animal }) => nameOf(animal).startsWith(marker ?? '\0'));
    const left = [...own, ...this.created.values()].map(({ animal }) => animal);
    return [...new Map(left.map((one) => [one.id, { id: one.id, name: nameOf(one) }])).values()];
  }

  /** Whether a listing shows an animal that was created after a creation: then it would show what that one left, too. */
  isListedAfter({ endedAt }: Exchange): boolean {
    return [...this.created.values()].some(
      ({ creation: { sentAt }, showings }) =>
        sentAt >= endedAt && showings.some(({ by }) => by.operation === 'listPets' && by.endedAt >= sentAt),
    );
  }

  /**
   * A creation that was refused, and what it left, as far as an animal that it added can be told from all others. Without a
   * key it counts whatever came of it.
   */
  traced(creation: Exchange): RefusedCreation[] {
    const { members, nameSent: name = '', sentAt, status, credential } = creation;
    const category = valueText(members.categoryId);
    const isOpen = credential === 'missing' && status !== 401;
    const isOfSuite = nameOfSuite.test(name);
    const isTold = isOfSuite || longNumber.test(name);
    const isNamed = (isOfSuite && isOpen) || (isTold && !this.#takenSince.has(name));
    const hasCategory = (one: Pet): boolean => valueText(one.creation.members.categoryId) === category;
    const isTelling = Number(members.categoryId) >= leastTelling;
    const isRare = isTelling && [...this.created.values()].filter(hasCategory).length === 1;
    const isEmpty = creation.nameSent === undefined && members.categoryId === undefined;
    if (!isNamed && !isRare && !isEmpty) return [];
    const isLeft = ({ animal: { id, shown }, by }: Showing): boolean => {
      if (by.endedAt < sentAt) return false;
      if (isNamed && String(shown.name) === name) return true;
      const takenSince = this.#takenSince.get(String(shown.name)) ?? Infinity;
      if (this.created.has(id) || by.endedAt >= takenSince) return false;
      return isRare
        ? valueText(shown.categoryId) === category
        : isEmpty && [shown.name, shown.categoryId].every((value) => !value);
    };
    return [{ creation, left: this.listed.find(isLeft) }];
  }
}
