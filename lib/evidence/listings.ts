import type { Animal } from './animal.js';
import type { Exchange } from './exchange.js';
import { Requests } from './requests.js';

/** A listing that succeeded. */
export type Page = Exchange & { readonly animals: readonly Animal[]; readonly length: number };

/** Listings by what was sent and what came. */
export class Listings extends Requests {
  /** What the specified ones show, if they are arrays. */
  readonly pages: readonly Page[];

  constructor(all: readonly Exchange[]) {
    super(all);
    this.pages = this.specified.filter((one): one is Page => one.animals !== undefined);
  }

  /** Whether a page that was requested later shows an animal, with a status if one is given: other clients have left it alone. */
  isShownAfter(id: string, { endedAt }: Exchange, status?: string): boolean {
    return this.pages.some(
      ({ sentAt, animals }) =>
        sentAt >= endedAt &&
        animals.some((one) => one.id === id && (status === undefined || one.shown.status === status)),
    );
  }
}
