import type { Animal } from './animal.js';
import type { Exchange } from './exchange.js';
import { Requests } from './requests.js';

/** A listing that succeeded, with what was asked for. */
export interface Page {
  readonly by: Exchange;
  /** Undefined if none was given, and then 20 (section 4.1). */
  readonly limit: number | undefined;
  readonly status: string | undefined;
  readonly animals: readonly Animal[];
  /** Items of the array, those without an identifier among them. */
  readonly length: number;
}

/** Listings by what was sent and what came. */
export class Listings extends Requests {
  #pages: readonly Page[] | undefined;
  #firstShown: Listings['firstShown'] | undefined;

  /** What the specified ones show, if they are arrays. */
  get pages(): readonly Page[] {
    return (this.#pages ??= this.specified.flatMap((by) => {
      const { animals, length, query } = by;
      if (!animals || length === undefined) return [];
      const [limit, status] = [query.get('limit'), query.get('status') ?? undefined];
      return { by, limit: limit === null ? undefined : Number(limit), status, animals, length };
    }));
  }

  /** Animals that pages under the same filter had shown since `ms` before a page was requested. */
  shownBefore({ by, status }: Page, ms = 0): string[] {
    const shown = [...(this.firstShown.get(status) ?? [])];
    return shown.flatMap(([id, since]) => (since + ms <= by.sentAt ? id : []));
  }

  /** When a page under each filter first showed an animal; without a filter, when any page did. */
  get firstShown(): ReadonlyMap<string | undefined, ReadonlyMap<string, number>> {
    if (this.#firstShown) return this.#firstShown;
    const first = new Map([[undefined, new Map<string, number>()]]) as Map<
      string | undefined,
      Map<string, number>
    >;
    for (const { by, status, animals } of this.pages)
      for (const filter of new Set([undefined, status])) {
        const shown = first.get(filter) ?? new Map<string, number>();
        first.set(filter, shown);
        // A filter may let other animals through, which do not count.
        for (const animal of animals)
          if (!shown.has(animal.id) && (filter === undefined || animal.shown.status === filter))
            shown.set(animal.id, by.endedAt);
      }
    return (this.#firstShown = first);
  }
}
