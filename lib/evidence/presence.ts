import { defaultPage, fullPage } from '../specification/page-size.js';
import type { Exchange } from './exchange.js';
import type { Listings, Page } from './listings.js';
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
  /** Pages that had to show animals of the run, had room for all of them, and showed them. */
  readonly complete: Page[] = [];
  readonly omissions: Omission[] = [];
  /** Animals of the run that pages have shown, each with the moment at which the first page was complete. */
  readonly shown: ReadonlyMap<Pet, number>;
  /** Those that a page shows under another status than their creation returned: no filter has to show them. */
  readonly #restated = new Set<Pet>();
  /** The longest page of each limit and status. */
  readonly #longest = new Map<number | undefined, Map<string | undefined, number>>();
  /** When the last page omitted an animal before one showed it, and the first that omitted it afterwards. */
  readonly #omittedBefore = new Map<Pet, number>();
  readonly #omittedAfter = new Map<Pet, Exchange>();

  /** @param consistencyMs after the response to a creation, in which a page need not show the animal yet */
  constructor({ created }: Pets, { pages, firstShown }: Listings, consistencyMs: number) {
    const own = [...created.values()].filter(({ isOwn }) => isOwn);
    const first = firstShown.get(undefined);
    this.shown = new Map(
      own.flatMap((pet) => {
        const since = first?.get(pet.id);
        return since === undefined ? [] : [[pet, since] as const];
      }),
    );
    for (const { limit, status, length, animals } of pages) {
      const longest = this.#longest.get(limit) ?? new Map<string | undefined, number>();
      this.#longest.set(limit, longest.set(status, Math.max(length, longest.get(status) ?? 0)));
      for (const { id, shown } of animals) {
        const pet = created.get(id);
        if (!pet?.isOwn) continue;
        if (shown.status !== undefined && shown.status !== pet.animal.shown.status) this.#restated.add(pet);
      }
    }
    for (const page of pages) if (this.#hasRoom(page)) this.#seeRoom(page, own, consistencyMs);
  }

  #seeRoom(page: Page, own: readonly Pet[], consistencyMs: number): void {
    const { sentAt } = page.by;
    const listed = new Set(page.animals.map(({ id }) => id));
    const before = own.filter((pet) => pet.creation.endedAt <= sentAt && this.#belongs(pet, page.status));
    for (const pet of before.filter(({ id }) => !listed.has(id))) {
      const since = this.shown.get(pet);
      if (since === undefined || since > sentAt) this.#omittedBefore.set(pet, sentAt);
      else if (!this.#omittedAfter.has(pet)) this.#omittedAfter.set(pet, page.by);
    }
    const due = before.filter(({ creation }) => creation.endedAt + consistencyMs <= sentAt);
    const missing = due.filter(({ id }) => !listed.has(id));
    if (missing.length > 0) this.omissions.push({ page, missing, expected: due.length });
    else if (before.length > 0 && before.every(({ id }) => listed.has(id))) this.complete.push(page);
  }

  /** Under the status that its creation returned, if that was the one that was sent, and no page shows another. */
  #belongs(pet: Pet, filter: string | undefined): boolean {
    if (filter === undefined) return true;
    const { status } = pet.animal.shown;
    const sent = pet.creation.members.status ?? status;
    return status === filter && sent === status && !this.#restated.has(pet);
  }

  /**
   * Whether a page that is shorter than its limit has room for more. The target may have a limit of its own, which is
   * another matter: room is certain if pages of no greater limit have held more. Otherwise the length must look like that
   * of a whole store: not round, and not that of another filter.
   */
  #hasRoom({ limit, status, length }: Page): boolean {
    if (length >= (limit ?? defaultPage)) return false;
    const alike = [...this.#longest].filter(([other]) =>
      limit === undefined ? other === undefined : other !== undefined && other <= limit,
    );
    // Beside a filter a target may have another default.
    const most = (lengths: ReadonlyMap<string | undefined, number>): number =>
      limit === undefined ? (lengths.get(status) ?? 0) : Math.max(...lengths.values());
    if (alike.some(([, lengths]) => most(lengths) > length)) return true;
    const others = [...(this.#longest.get(limit) ?? [])].filter(([other]) => other !== status);
    const shared = length > defaultPage && others.some(([, other]) => other === length);
    const whole = length === 0 || (length % 5 !== 0 && !shared);
    return whole && (limit === undefined || limit === fullPage);
  }

  /**
   * How soon and how steadily listings show what was created, by the number of animals: those listed before the response to
   * their creation was complete, those that a page with room omitted at first, up to so many milliseconds after it, and those
   * that one omitted after a listing had shown them.
   */
  get steadiness() {
    const shown = [...this.shown];
    const delays = shown.flatMap(([pet]) => {
      const omitted = this.#omittedBefore.get(pet);
      return omitted === undefined ? [] : [omitted - pet.creation.endedAt];
    });
    return {
      shown: shown.length,
      early: shown.filter(([{ creation }, since]) => since < creation.endedAt).length,
      late: delays.length,
      longestDelay: Math.max(0, ...delays),
      gone: this.#omittedAfter.size,
      goneFrom: [...new Set(this.#omittedAfter.values())],
    };
  }
}
