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
  /** What the specified ones show, if they are arrays. */
  readonly pages: readonly Page[];
  /** When a page under each filter first showed an animal; without a filter, when any page did. */
  readonly #firstShown = new Map<string | undefined, Map<string, number>>();

  constructor(all: readonly Exchange[]) {
    super(all);
    this.pages = this.specified.flatMap((by) => {
      const { animals, length, query } = by;
      if (!animals || length === undefined) return [];
      const [limit, status] = [query.get('limit'), query.get('status') ?? undefined];
      return { by, limit: limit === null ? undefined : Number(limit), status, animals, length };
    });
    for (const { by, status, animals } of this.pages)
      for (const filter of new Set([undefined, status])) {
        const first = this.#firstShown.get(filter) ?? new Map<string, number>();
        this.#firstShown.set(filter, first);
        // A filter may let other animals through, which do not count.
        for (const { id, shown } of animals)
          if (!first.has(id) && (filter === undefined || shown.status === filter)) first.set(id, by.endedAt);
      }
  }

  /** Animals that pages under the same filter had shown since `ms` before a page was requested. */
  shownBefore({ by, status }: Page, ms = 0): string[] {
    const first = [...(this.#firstShown.get(status) ?? [])];
    return first.flatMap(([id, since]) => (since + ms <= by.sentAt ? id : []));
  }

  /** Whether a page that was requested later shows an animal, with a status if one is given: other clients have left it alone. */
  isShownAfter(id: string, { endedAt }: Exchange, status?: string): boolean {
    return this.pages.some(
      ({ by, animals }) =>
        by.sentAt >= endedAt &&
        animals.some((one) => one.id === id && (status === undefined || one.shown.status === status)),
    );
  }
}
