import { endedAt, sentAt, type Exchange } from '../http/exchange/exchange.js';
import { ApiResponse } from './api-response.js';

/** A page that held fewer animals than earlier listings had shown to be there. */
export interface ShortPage {
  /** Undefined if none was given. */
  readonly limit: number | undefined;
  readonly status: string | undefined;
  /** How many matching animals had been listed before it was requested. */
  readonly known: number;
}

interface Listing {
  readonly from: number;
  readonly until: number;
  readonly limit: string | null;
  readonly status: string | null;
  /** How many items the page held, and which animals that match. */
  readonly length: number;
  readonly ids: readonly string[];
}

/** Listings as they happened; responses that are not arrays are passed over. */
function listingsOf(exchanges: readonly Exchange[]): Listing[] {
  return exchanges.flatMap((exchange) => {
    const { operation, credential, input } = exchange;
    if (operation !== 'listPets' || credential !== 'valid' || input !== 'specified') return [];
    const { animals, length, query } = new ApiResponse(exchange);
    if (!animals || length === undefined) return [];
    const status = query.get('status');
    // A filter may let other animals through, which do not count.
    const matching = animals.filter(({ shown }) => status === null || shown.status === status);
    const ids = matching.map(({ id }) => id);
    return [
      { from: sentAt(exchange), until: endedAt(exchange), limit: query.get('limit'), status, length, ids },
    ];
  });
}

/**
 * The listings that were shorter than they could have been, one for each query. Only animals count that a listing under
 * the same filter had shown before.
 *
 * @param defaultLimit how many animals a page holds if no limit is given
 */
export function shortPages(exchanges: readonly Exchange[], defaultLimit: number): ShortPage[] {
  const listings = listingsOf(exchanges);
  const short = new Map<string, ShortPage>();
  for (const { from, limit, status, length } of listings) {
    if (length >= Number(limit ?? defaultLimit)) continue;
    const before = listings.filter(
      (other) => other.until <= from && (status ?? other.status) === other.status,
    );
    const known = new Set(before.flatMap((other) => other.ids)).size;
    if (known > length)
      short.set(`${limit ?? ''} ${status ?? ''}`, {
        limit: limit === null ? undefined : Number(limit),
        status: status ?? undefined,
        known,
      });
  }
  return [...short.values()];
}
