import type { Exchange } from '../http/exchange/exchange.js';
import { jsonOf } from '../verdict/api-response.js';
import { animalsOf } from './animal.js';

/** A page that held fewer animals than earlier listings had shown to be there. */
export interface ShortPage {
  /** Undefined where none was given. */
  readonly limit: number | undefined;
  readonly status: string | undefined;
  /** How many animals that match had been listed before it was asked for. */
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

/** Listings as they happened; those that gave no array are LIST-01's. */
function listingsOf(exchanges: readonly Exchange[]): Listing[] {
  return exchanges.flatMap((exchange) => {
    const { operation, credential, input, request, response, timing } = exchange;
    const asked = operation === 'listPets' && credential === 'valid' && input === 'specified';
    const json = asked && response?.status === 200 ? jsonOf(exchange) : undefined;
    const animals = json?.ok ? animalsOf(json.value) : undefined;
    if (!json?.ok || !Array.isArray(json.value) || !animals) return [];
    const parameters = new URL(request.url).searchParams;
    const status = parameters.get('status');
    // What a filter lets through that does not match is LIST-06's.
    const matching = animals.filter(({ shown }) => status === null || shown.status === status);
    const from = Date.parse(exchange.sentAt);
    return [
      {
        from,
        until: from + timing.total,
        limit: parameters.get('limit'),
        status,
        length: json.value.length,
        ids: matching.map(({ id }) => id),
      },
    ];
  });
}

/**
 * The listings that were shorter than they could have been, one for each query. Animals count that a listing under the
 * same filter had shown before: one that none shows is LIST-08's.
 *
 * @param defaultLimit what a page holds where no limit is given
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
