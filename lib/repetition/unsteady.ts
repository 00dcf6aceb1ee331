import { endedAt, sentAt, type Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult } from '../record/record.js';
import { changesAnimals } from '../requirement/requirement.js';
import { valueText } from '../session/animal.js';
import { ApiResponse } from '../session/api-response.js';
import { bodySent } from '../session/compare-pets.js';
import { isCreation } from '../session/creation.js';
import { atOnce } from '../session/load-check.js';
import { defaultPage } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';
import { likenessOf } from './likeness.js';

/**
 * Why what failed can't be tried alone, if it failed only now and then: the same request got another status at another
 * time, or listings showed an animal and omitted it at another time. If it passes once, that says nothing then.
 */
export function unsteady(
  results: readonly RequirementResult[],
  exchanges: readonly Exchange[],
): string | undefined {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const shownIn = ({ exchanges: ids }: RequirementResult['findings'][number]): Exchange[] =>
    ids.flatMap((id) => byId.get(id) ?? []);
  const statuses = new Map<string, Set<number | undefined>>();
  const requests = new Map<Exchange, string>();
  const seen = new Set<string>();
  for (const exchange of exchanges) {
    const request = sameRequest(exchange, seen);
    requests.set(exchange, request);
    statuses.set(request, (statuses.get(request) ?? new Set()).add(exchange.response?.status));
  }
  for (const { id, findings } of results) {
    const shown = findings
      .flatMap(shownIn)
      // A probe that changes an animal looks at it before and after; and many at once are sent at once again.
      .filter(({ purpose }) => !changesAnimals(purpose) && purpose !== atOnce);
    for (const exchange of shown) {
      const got = [...(statuses.get(requests.get(exchange) ?? '') ?? [])];
      if (got.length > 1)
        return `${id}: one request got ${got.map((status) => status ?? 'no response').join(' and ')}`;
    }
  }
  const refused = results.flatMap(({ id, findings }) => (id === 'AUTH-04' ? findings.flatMap(shownIn) : []));
  if (refused.length > 0 && refused.every((one) => isBehindRefusal(one, exchanges)))
    return 'AUTH-04: the connection had refused another key just before';
  if (results.some(({ id }) => id === 'LIST-08') && isShownAndOmitted(exchanges))
    return 'LIST-08: one listing showed an animal, and the same omitted it at another time';
  const isLostAlike = results.some(
    ({ id, findings }) =>
      id === 'LIST-08' && findings.some((finding) => isListedAlike(shownIn(finding), exchanges)),
  );
  if (isLostAlike) return 'LIST-08: one animal was listed, and another one that was created like it was not';
  const late = results.find(
    ({ id, findings }) =>
      leftBehind.has(id) && findings.some((finding) => isListedLate(shownIn(finding), exchanges)),
  );
  return late && `${late.id}: the animal was not listed at first`;
}

/** Whether the request before, over the same connection, was refused: a server may take both for one. */
function isBehindRefusal(one: Exchange, exchanges: readonly Exchange[]): boolean {
  const before = exchanges
    .filter(({ connection }) => connection !== undefined && connection === one.connection)
    .findLast((other) => endedAt(other) <= sentAt(one));
  return before?.response?.status === 401;
}

/** Whether a listing that omits animals shows others that were created by bodies like theirs. */
function isListedAlike(shown: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  const lookOf = (exchange: Exchange): string => {
    const sent = bodySent(exchange);
    return JSON.stringify([Object.keys(sent), valueText(sent.status)]);
  };
  const looks = new Set(shown.filter(isCreation).map(lookOf));
  const listed = new Set(
    shown.flatMap((one) =>
      one.operation === 'listPets' ? (new ApiResponse(one).animals ?? []).map(({ id }) => id) : [],
    ),
  );
  return exchanges.some(
    (one) => isCreation(one) && looks.has(lookOf(one)) && listed.has(new ApiResponse(one).animal?.id ?? ''),
  );
}

/** Requirements whose findings show a refused creation and a listing of what it added. */
export const leftBehind: ReadonlySet<string> = new Set<RequirementId>(['CREATE-11', 'AUTH-06']);

/** Whether a listing that had room for it omitted what a refused creation added, before another one showed it. */
function isListedLate(shown: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  const refusedAt = Math.max(...shown.filter(({ operation }) => operation === 'createPet').map(endedAt));
  const created = new Set(
    exchanges.flatMap((one) => (isCreation(one) ? (new ApiResponse(one).animal?.id ?? []) : [])),
  );
  const listings = exchanges
    .filter(({ operation, credential }) => operation === 'listPets' && credential === 'valid')
    .map((exchange) => new ApiResponse(exchange));
  const before = listings.filter(({ exchange }) => endedAt(exchange) < refusedAt);
  const known = new Set([...created, ...before.flatMap(({ animals = [] }) => animals.map(({ id }) => id))]);
  const roomy = listings.filter((one) => sentAt(one.exchange) >= refusedAt && hasRoom(one));
  return shown
    .filter(({ operation }) => operation === 'listPets')
    .some((listing) => {
      const added = (new ApiResponse(listing).animals ?? []).filter(({ id }) => !known.has(id));
      return added.some((animal) =>
        roomy.some(
          ({ exchange, query, animals = [] }) =>
            endedAt(exchange) <= sentAt(listing) &&
            (query.get('status') ?? animal.shown.status) === animal.shown.status &&
            !animals.some(({ id }) => id === animal.id),
        ),
      );
    });
}

function hasRoom({ animals, length = 0, query }: ApiResponse): boolean {
  return animals !== undefined && length < Number(query.get('limit') ?? defaultPage);
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
    const { animals, query } = response;
    if (!animals || exchange.credential !== 'valid') continue;
    const status = query.get('status');
    const ids = new Set(animals.map(({ id }) => id));
    for (const id of ids) shown.add(`${url} ${id}`);
    if (!hasRoom(response)) continue;
    const due = created.filter(
      (one) => one.until <= sentAt(exchange) && (status === null || one.status === status),
    );
    for (const { id } of due) if (!ids.has(id)) omitted.add(`${url} ${id}`);
  }
  return [...omitted].some((one) => shown.has(one));
}

/** The same for requests that may be expected to get the same status. @param seen the creations before */
function sameRequest(exchange: Exchange, seen: Set<string>): string {
  const { url, body = '' } = exchange.request;
  const status = exchange.operation === 'createPet' ? valueText(bodySent(exchange).status) : '';
  // A body that equals an earlier one may be refused for that.
  const isEqual = exchange.operation === 'createPet' && seen.has(body);
  seen.add(body);
  return `${url} ${body.length} ${status} ${String(isEqual)} ${likenessOf(exchange)}`;
}
