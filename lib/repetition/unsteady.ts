import { endedAt, sentAt, type Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult } from '../record/record.js';
import { ApiResponse } from '../session/api-response.js';
import { isCreation } from '../session/creation.js';
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
  const isOfPages = results.some(({ id }) => id === 'LIST-08');
  return isOfPages && isShownAndOmitted(exchanges)
    ? 'LIST-08: one listing showed an animal, and the same omitted it at another time'
    : undefined;
}

/** Whether the same listing shows an animal of the run once, and once has room for it and omits it. */
function isShownAndOmitted(exchanges: readonly Exchange[]): boolean {
  const created: Array<{ readonly id: string; readonly status: unknown; readonly until: number }> = [];
  const shown = new Set<string>();
  const omitted = new Set<string>();
  for (const exchange of exchanges.toSorted((one, other) => endedAt(one) - endedAt(other))) {
    const { url } = exchange.request;
    const response = new ApiResponse(exchange);
    const animal = isCreation(exchange) ? response.animal : undefined;
    if (animal) created.push({ id: animal.id, status: animal.shown.status, until: endedAt(exchange) });
    const { animals, length = 0, query } = response;
    if (!animals || exchange.credential !== 'valid') continue;
    const status = query.get('status');
    const ids = new Set(animals.map(({ id }) => id));
    for (const id of ids) shown.add(`${url} ${id}`);
    if (length >= Number(query.get('limit') ?? defaultPage)) continue;
    const due = created.filter(
      (one) => one.until <= sentAt(exchange) && (status === null || one.status === status),
    );
    for (const { id } of due) if (!ids.has(id)) omitted.add(`${url} ${id}`);
  }
  return [...omitted].some((one) => shown.has(one));
}

function sameRequest(exchange: Exchange): string {
  const { url, body = '' } = exchange.request;
  return `${url} ${body.length} ${likenessOf(exchange)}`;
}
