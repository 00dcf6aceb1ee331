import type { Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult } from '../record/record.js';
import { ApiResponse } from '../session/api-response.js';
import { defaultPage } from '../session/store.js';
import { likenessOf } from './likeness.js';

/**
 * Why what failed can't be tried alone, if it failed only now and then: the same request got another status at another
 * time, or listings showed an animal and omitted it later. If it passes once, that says nothing then.
 */
export function unsteady(
  results: readonly RequirementResult[],
  exchanges: readonly Exchange[],
): string | undefined {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const statuses = new Map<string, Set<number | undefined>>();
  for (const exchange of exchanges) {
    const likeness = sameRequest(exchange);
    statuses.set(likeness, (statuses.get(likeness) ?? new Set()).add(exchange.response?.status));
  }
  for (const { id, findings } of results) {
    const shown = findings.flatMap((finding) => finding.exchanges.flatMap((one) => byId.get(one) ?? []));
    for (const exchange of shown) {
      const seen = [...(statuses.get(sameRequest(exchange)) ?? [])];
      if (seen.length > 1)
        return `${id}: one request got ${seen.map((status) => status ?? 'no response').join(' and ')}`;
    }
  }
  const listed = new Map<string, Set<string>>();
  for (const exchange of results.some(({ id }) => id === 'LIST-08') ? exchanges : []) {
    const { query, animals = [], length = 0 } = new ApiResponse(exchange);
    if (exchange.operation !== 'listPets' || exchange.credential !== 'valid') continue;
    const known = listed.get(exchange.request.url) ?? new Set();
    const ids = new Set(animals.map(({ id }) => id));
    if (length < Number(query.get('limit') ?? defaultPage) && [...known].some((id) => !ids.has(id)))
      return 'LIST-08: a listing showed animals, and omitted them later';
    listed.set(exchange.request.url, new Set([...known, ...ids]));
  }
  return undefined;
}

function sameRequest(exchange: Exchange): string {
  const { url, body = '' } = exchange.request;
  return `${url} ${body.length} ${likenessOf(exchange)}`;
}
