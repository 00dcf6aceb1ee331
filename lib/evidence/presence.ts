import { defaultPage, fullPage } from '../specification/page-size.js';
import type { Exchange } from './exchange.js';
import type { Page } from './listings.js';
import type { Pet, Pets } from './pets.js';

/** A page with room that omits animals, though the consistency time had passed since their creation. */
export interface Omission {
  readonly page: Page;
  readonly missing: readonly Pet[];
  /** How many animals the page had to show. */
  readonly expected: number;
}

/** Whether and when the pages of a run show the animals that it created. */
export class Presence {
  readonly omissions: Omission[] = [];
  /** Animals of the run that listings have shown, each with the moment at which the first was complete. */
  readonly shown = new Map<Pet, number>();
  /** Milliseconds after its creation at which the last page omitted an animal before a listing showed it. */
  readonly #delays = new Map<Pet, number>();
  /** The first page that omitted an animal after a listing had shown it. */
  readonly #gone = new Map<Pet, Exchange>();

  /** @param consistencyMs after the response to a creation, in which a page need not show the animal yet */
  constructor({ created, listed }: Pets, pages: readonly Page[], consistencyMs: number) {
    const own = [...created.values()].filter(({ isOwn }) => isOwn);
    for (const { animal, since } of listed) {
      const pet = created.get(animal.id);
      if (pet?.isOwn && !this.shown.has(pet)) this.shown.set(pet, since);
    }
    for (const page of pages) if (hasRoom(page, pages)) this.#seeRoom(page, own, consistencyMs);
  }

  #seeRoom(page: Page, own: readonly Pet[], consistencyMs: number): void {
    const { sentAt } = page;
    const listed = new Set(page.animals.map(({ id }) => id));
    const before = own.filter((pet) => pet.creation.endedAt <= sentAt && belongs(pet, page.filter));
    const omitted = before.filter(({ id }) => !listed.has(id));
    for (const pet of omitted) {
      const isShownLater = (this.shown.get(pet) ?? Infinity) > sentAt;
      if (isShownLater) this.#delays.set(pet, sentAt - pet.creation.endedAt);
      else if (!this.#gone.has(pet)) this.#gone.set(pet, page);
    }
    const isDue = ({ creation }: Pet): boolean => creation.endedAt + consistencyMs <= sentAt;
    const missing = omitted.filter(isDue);
    if (missing.length > 0) this.omissions.push({ page, missing, expected: before.filter(isDue).length });
  }

  /**
   * How soon and how steadily listings show what was created, by the number of animals: those listed before the response to
   * their creation was complete, those that a page with room omitted at first, up to so many milliseconds after it, and those
   * that one omitted after a listing had shown them.
   */
  get steadiness() {
    const shown = [...this.shown];
    const delays = shown.flatMap(([pet]) => this.#delays.get(pet) ?? []);
    return {
      shown: shown.length,
      early: shown.filter(([{ creation }, since]) => since < creation.endedAt).length,
      late: delays.length,
      longestDelay: Math.max(0, ...delays),
      gone: this.#gone.size,
      goneFrom: [...new Set(this.#gone.values())],
    };
  }
}

/** Whether a filter must show an animal: under the status that its creation returned, if that was the one that was sent, and no listing shows another. */
export function belongs({ animal, creation, showings }: Pet, filter: string | undefined): boolean {
  if (filter === undefined) return true;
  const { status } = animal.shown;
  const isRestated = showings.some(
    ({ by, animal: { shown } }) =>
      by.operation === 'listPets' && shown.status !== undefined && shown.status !== status,
  );
  return status === filter && (creation.members.status ?? status) === status && !isRestated;
}

/**
 * Whether a page that is shorter than its limit has room for more. The target may have a limit of its own, which is
 * another matter: room is certain if pages of no greater limit have held more. Otherwise the length must look like that
 * of a whole store: not round, and not that of another filter.
 */
function hasRoom({ limit, filter, length }: Page, pages: readonly Page[]): boolean {
  if (length >= (limit ?? defaultPage)) return false;
  const isAlike = (other: Page): boolean =>
    limit === undefined
      ? // Beside a filter a target may have another default.
        other.limit === undefined && other.filter === filter
      : other.limit !== undefined && other.limit <= limit;
  if (pages.some((other) => isAlike(other) && other.length > length)) return true;
  const isOfOther = (other: Page): boolean =>
    other.limit === limit && other.filter !== filter && other.length === length;
  const isShared = length > defaultPage && pages.some(isOfOther);
  const isWhole = length === 0 || (length % 5 !== 0 && !isShared);
  return isWhole && (limit === undefined || limit === fullPage);
}
