import { isSameValue, showsSame, valueText, type Animal } from './animal.js';
import type { Exchange } from './exchange.js';

/** An animal as listings, or getPet, show it. Responses that show the same are counted. */
export interface Showing {
  readonly animal: Animal;
  readonly by: Exchange;
  times: number;
}

/** The ways in which listings, and getPet, show one identifier. */
type Shown = Readonly<Record<'listed' | 'fetched', Showing[]>>;

/** An animal that was created, and what showed it. */
export interface Pet extends Shown {
  readonly id: string;
  readonly creation: Exchange;
  /** As its creation returned it. */
  readonly animal: Animal;
  /** Nothing else bears its identifier, and no request tried to change it: then it must be shown as it was created. */
  isOwn: boolean;
}

/** A creation that was refused, and the listed animal that it added all the same. */
export interface RefusedCreation {
  readonly creation: Exchange;
  readonly left: Showing | undefined;
}

/** A category from here on that one animal alone has tells that animal: services number categories from 1. */
const leastTelling = 2 ** 30;
/** A name that a run of this suite gave, or a number in place of one that would be recognised if it is stored as text. */
const tellingName = /^pc[\da-z]{1,7}[ -][\w -]+ \d+|^\d{8,}$/;
/** Characters of a name that no other animal has by chance. */
const uniqueName = 8;

/** What the exchanges of a run show together of the animals in the store, folded once in the order of completion. */
export class Pets {
  readonly created = new Map<string, Pet>();
  /** Two creations that returned one identifier. */
  readonly sameIds: Array<readonly [Exchange, Exchange]> = [];
  /** What had shown an identifier before the creation that returned it was sent. */
  readonly reused: Array<readonly [Exchange, creation: Exchange]> = [];
  /** The animals in all listings, each once for each way in which they show it. */
  readonly listed: Showing[] = [];
  readonly #shown = new Map<string, Shown>();
  readonly #named = new Map<string, Exchange[]>();

  constructor(exchanges: Iterable<Exchange> = []) {
    for (const one of exchanges) this.see(one);
  }

  see(one: Exchange): void {
    if (!one.isEvidence) return;
    const { operation, members, petId, unspecified, status } = one;
    if (operation === 'createPet') this.#seeCreation(one);
    for (const animal of (operation === 'listPets' && one.animals) || []) {
      const added = addTo(this.#shownOf(animal.id).listed, animal, one);
      if (added) this.listed.push(added);
    }
    if (operation === 'getPet' && unspecified.length === 0 && status === 200 && one.animal)
      addTo(this.#shownOf(one.animal.id).fetched, one.animal, one);
    // A body that brings an identifier, and a method that is not listed, may change the animal.
    const target = this.created.get(operation === null ? petId : valueText(members.id));
    if (target) target.isOwn = false;
  }

  #seeCreation(creation: Exchange): void {
    const { members, nameSent: name, created: animal, sentAt } = creation;
    if (name !== undefined) this.#named.set(name, [...(this.#named.get(name) ?? []), creation]);
    if (!animal) return;
    const { id } = animal;
    const bringsId = members.id !== undefined;
    const known = this.created.get(id);
    if (known) {
      known.isOwn = false;
      if (!bringsId && known.creation.members.id === undefined) this.sameIds.push([known.creation, creation]);
      return;
    }
    const shown = this.#shownOf(id);
    // What is seen while it is created is the animal itself.
    const earlier = [...shown.listed, ...shown.fetched].find(({ by }) => by.endedAt <= sentAt);
    this.created.set(id, { ...shown, id, creation, animal, isOwn: !earlier && !bringsId });
    // An animal of the run that is listed under a wrong identifier is another matter.
    if (earlier && !bringsId && !this.#named.has(String(earlier.animal.shown.name)))
      this.reused.push([earlier.by, creation]);
  }

  #shownOf(id: string): Shown {
    let shown = this.#shown.get(id);
    if (!shown) this.#shown.set(id, (shown = { listed: [], fetched: [] }));
    return shown;
  }

  get own(): Pet[] {
    return [...this.created.values()].filter(({ isOwn }) => isOwn);
  }

  /** Created animals that listings show under another identifier than their creation returned, told by their names. */
  get renumbered(): ReadonlyArray<readonly [Pet, Showing]> {
    const { own } = this;
    return this.listed.flatMap((listed) => {
      const { name } = listed.animal.shown;
      const isTelling = typeof name === 'string' && name.length >= uniqueName;
      // Of two that were sent under one name, either may be the one that is listed.
      if (!isTelling || this.created.has(listed.animal.id) || (this.#named.get(name) ?? []).length > 1)
        return [];
      const pet = own.find(
        ({ animal, creation }) => animal.shown.name === name && listed.by.endedAt >= creation.sentAt,
      );
      return pet ? [[pet, listed] as const] : [];
    });
  }

  /** Whether a creation returned an identifier, or a listing showed it. */
  knows(id: string): boolean {
    return this.created.has(id) || (this.#shown.get(id)?.listed ?? []).length > 0;
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

  /** What a run left in the store: also what listings alone show of it. @param marker begins every name of the run */
  leftovers(marker: string | undefined): Array<{ id: string; name: string }> {
    const nameOf = ({ shown: { name } }: Animal): string => (typeof name === 'string' ? name : '');
    const own = this.listed.filter(({ animal }) => nameOf(animal).startsWith(marker ?? '\0'));
    const left = [...own, ...this.created.values()].map(({ animal }) => animal);
    return [...new Map(left.map((one) => [one.id, { id: one.id, name: nameOf(one) }])).values()];
  }

  /** Whether a listing shows an animal that was created after a creation: then it would show what that one left, too. */
  isListedAfter({ endedAt }: Exchange): boolean {
    return [...this.created.values()].some(
      ({ creation: { sentAt }, listed }) =>
        sentAt >= endedAt && listed.some(({ by }) => by.endedAt >= sentAt),
    );
  }

  /** A creation that was refused, and what it left, as far as an animal that it added can be told from all others. */
  traced(creation: Exchange): RefusedCreation[] {
    const { members, nameSent: name, sentAt } = creation;
    /** Creations that may have given an animal a name. */
    const named = (given: string): Exchange[] =>
      (this.#named.get(given) ?? []).filter((one) => one.created ?? one.broken !== undefined);
    const hasCategory = (one: Readonly<Record<string, unknown>>): boolean =>
      isSameValue(one.categoryId, members.categoryId);
    const isNamed =
      name !== undefined && tellingName.test(name) && named(name).every((one) => one === creation);
    const isTelling = Number(members.categoryId) >= leastTelling;
    const isRare =
      isTelling && [...this.created.values()].filter((one) => hasCategory(one.creation.members)).length === 1;
    const isEmpty = name === undefined && members.categoryId === undefined;
    if (!isNamed && !isRare && !isEmpty) return [];
    const isLeft = ({ animal: { id, shown }, by }: Showing): boolean => {
      if (by.endedAt < sentAt) return false;
      if (isNamed && String(shown.name) === name) return true;
      const isSame = isRare ? hasCategory(shown) : isEmpty && !shown.name && !shown.categoryId;
      if (!isSame || this.created.has(id)) return false;
      const shownName = String(shown.name);
      // Another run on the same store may have taken the category up: the names that it gives are no names of this run.
      const isOfOther = tellingName.test(shownName) && !this.#named.has(shownName);
      return !isOfOther && !named(shownName).some((one) => one.sentAt <= by.endedAt);
    };
    return [{ creation, left: this.listed.find(isLeft) }];
  }
}

/** Counts a response that shows an animal, and returns what it adds to the ways in which others show it, if anything. */
function addTo(showings: Showing[], animal: Animal, by: Exchange): Showing | undefined {
  const known = showings.find((one) => showsSame(one.animal, animal));
  if (known) known.times += 1;
  else showings.push({ animal, by, times: 1 });
  return known ? undefined : showings.at(-1);
}
