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

  constructor(all: readonly Exchange[]) {
    super(all);
    this.pages = this.specified.flatMap((by) => {
      const { animals, length, query } = by;
      if (!animals || length === undefined) return [];
      const [limit, status] = [query.get('limit'), query.get('status') ?? undefined];
      return { by, limit: limit === null ? undefined : Number(limit), status, animals, length };
    });
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
