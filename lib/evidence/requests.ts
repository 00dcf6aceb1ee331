import type { Animal } from './animal.js';
import type { Exchange } from './exchange.js';
import type { Fault, Unspecified } from './request-facts.js';

/** A listing that succeeded. */
export type Page = Exchange & { readonly animals: readonly Animal[]; readonly length: number };

/**
 * The requests of one operation with the valid key, by what was sent and what came.
 * @param all whole or broken, none over the limit
 */
export function requestsIn(all: readonly Exchange[]) {
  /** Those on which the specification is silent for this one reason, and without a fault; for none, if it is empty. */
  const unspecifiedOnlyBy = (what: Unspecified | ''): readonly Exchange[] =>
    all.filter((one) => one.faults.length === 0 && one.unspecified.join() === what);
  const specified = unspecifiedOnlyBy('');
  const pages = specified.filter((one): one is Page => one.animals !== undefined);
  return {
    all,
    /** Those that the specification defines. */
    specified,
    unspecifiedOnlyBy,
    /** What specified listings show. */
    pages: pages as readonly Page[],

    /** Those that the specification refuses for this one reason. */
    faultyOnlyBy: (fault: Fault): readonly Exchange[] =>
      all.filter((one) => one.unspecified.length === 0 && one.faults.join() === fault),

    /** Whether a page that was requested later shows an animal, with a status if one is given: other clients have left it alone. */
    isShownAfter: (id: string, { endedAt }: Exchange, status?: string): boolean =>
      pages.some(
        ({ sentAt, animals }) =>
          sentAt >= endedAt &&
          animals.some((one) => one.id === id && (status === undefined || one.shown.status === status)),
      ),
  };
}
