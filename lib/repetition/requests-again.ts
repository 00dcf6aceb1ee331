import '../../suites/all.js';
import { endedAt, sentAt, type Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult } from '../record/record.js';
import type { RepeatedRequest } from '../record/repeated-request.js';
import { declaredInvariants } from '../requirement/requirement.js';
import { valueText } from '../session/animal.js';
import { ApiResponse } from '../session/api-response.js';
import { bodySent } from '../session/compare-pets.js';
import { isCreation } from '../session/creation.js';
import { ofOneAnimal } from '../session/known-pets.js';
import { atOnce, oneByOne } from '../session/load-check.js';
import { fullPage } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';

/** What is sent in its own way, as often as it takes. */
const underLoad: ReadonlySet<string> = new Set([atOnce, oneByOne]);

/** What probes have sent for them beside their own requests. */
const prepared: Partial<Record<string, readonly string[]>> = {
  'AUTH-06': ['side effects'],
  'CREATE-01': ['CREATE-03'],
  'CREATE-11': ['side effects'],
  'LIST-06': ['side effects'],
  'LIST-07': ['side effects'],
  'LIST-08': ['side effects'],
} satisfies Partial<Record<RequirementId, readonly string[]>>;

/** The requests that findings show, and the creations of the animals in their paths, in the order of sending. */
export function requestsAgain(
  results: readonly RequirementResult[],
  exchanges: readonly Exchange[],
  baseUrl: string,
): RepeatedRequest[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const creations = new Map(
    exchanges.flatMap((exchange) => {
      const animal = isCreation(exchange) ? new ApiResponse(exchange).animal : undefined;
      return animal ? [[animal.id, exchange] as const] : [];
    }),
  );
  const invariants = new Set<string>(declaredInvariants().map(({ id }) => id));
  const ofUnknownCategory = exchanges.find(({ purpose }) => purpose === ofOneAnimal);
  const unknownCategory = ofUnknownCategory && valueText(bodySent(ofUnknownCategory).categoryId);
  const wanted = new Map<Exchange, { of: Set<string>; asItWas: boolean }>();
  const want = (exchange: Exchange, of: string, asItWas: boolean): void => {
    const known = wanted.get(exchange);
    if (known) {
      known.of.add(of);
      // A probe sends its own requests itself, unless only others look at them.
      known.asItWas &&= asItWas || known.of.size > 1;
    } else wanted.set(exchange, { of: new Set([of]), asItWas });
  };
  for (const { id, findings } of results) {
    const seen = new Set<string>();
    for (const finding of findings) {
      const isInvariant = invariants.has(id);
      const shown = finding.exchanges.flatMap((one) => byId.get(one) ?? []);
      // Some findings compare exchanges; otherwise each of them shows it.
      const isEach = isInvariant && shown.length <= (finding.occurrences ?? 1);
      const isRefused = shown.some(({ response }) => (response?.status ?? 0) >= 400);
      for (const exchange of representatives(shown, isEach)) {
        const { purpose, response } = exchange;
        const look = JSON.stringify([exchange.operation, response?.status]);
        if (isEach && seen.has(look)) continue;
        seen.add(look);
        // The control of a refusal, which a probe may send only after one.
        if (isRefused && purpose === id && (response?.status ?? 400) < 400) continue;
        const isFirst = exchange === exchanges[0];
        // What it creates is drawn from what the run has created.
        const isDrawn = id === 'GET-01' && exchange.operation === 'createPet';
        const asItWas =
          !isFirst &&
          !underLoad.has(purpose) &&
          (isInvariant || isDrawn || !(purpose === id || prepared[id]?.includes(purpose)));
        want(exchange, id, asItWas);
        const [, animal = ''] = /\/pets\/(-?\d+)$/.exec(exchange.request.url) ?? [];
        const creation = asItWas || id === 'GET-01' ? creations.get(animal) : undefined;
        if (creation && creation.purpose !== id) want(creation, id, true);
        // By that category an animal is found that a refused creation added.
        const isOfCategory = unknownCategory && exchange.request.body?.includes(unknownCategory);
        if (asItWas && isOfCategory) want(ofUnknownCategory, id, true);
      }
    }
  }
  const inOrder = [...wanted].toSorted(([one], [other]) => sentAt(one) - sentAt(other));
  let until = 0;
  return inOrder.map(([exchange, { of, asItWas }]) => {
    const besidePrevious = sentAt(exchange) < until;
    until = Math.max(until, endedAt(exchange));
    return {
      ...requestOf(exchange, baseUrl),
      of: [...of],
      asItWas,
      ...(besidePrevious && { besidePrevious }),
    };
  });
}

/** Requests of one finding that are sent again, and those alike among them: some findings compare two. */
const mostOfOne = 12;
const mostAlike = 2;

/** Exchanges that stand for all that a finding shows. @param isEach each of them shows it alone */
function representatives(exchanges: readonly Exchange[], isEach: boolean): Exchange[] {
  const alike = new Map<string, number>();
  // The fewer animals there must be, or come at once, the fewer requests it takes.
  const cost = (exchange: Exchange): number =>
    exchange.purpose === 'stock' ? fullPage : (new ApiResponse(exchange).length ?? 0);
  const chosen = exchanges
    .toSorted((one, other) => cost(one) - cost(other))
    .filter((exchange) => {
      const { operation, credential, request, response } = exchange;
      const own = isEach ? [] : [credential, formOf(exchange)];
      const look = JSON.stringify([operation, request.method, response?.status, ...own]);
      alike.set(look, (alike.get(look) ?? 0) + 1);
      return (alike.get(look) ?? 0) <= (isEach ? 1 : mostAlike);
    });
  return chosen.slice(0, mostOfOne);
}

/** The members of a body and their types. */
function formOf(exchange: Exchange): string {
  const form = Object.entries(bodySent(exchange)).map(([name, value]) => {
    return [name, Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value];
  });
  return JSON.stringify(form);
}

const onEveryRequest: ReadonlySet<string> = new Set(['User-Agent', 'Accept', 'Authorization']);

function requestOf(exchange: Exchange, baseUrl: string): Omit<RepeatedRequest, 'of' | 'asItWas'> {
  const { purpose, operation, credential, input, request } = exchange;
  const authorization = request.headers.find(([name]) => name === 'Authorization')?.[1];
  const headers = request.headers.filter(([name]) => !onEveryRequest.has(name));
  const response = new ApiResponse(exchange);
  const { length } = response;
  const created = isCreation(exchange) ? response.animal?.id : undefined;
  return {
    purpose,
    operation,
    credential,
    input,
    method: request.method,
    path: request.url.slice(baseUrl.length),
    ...(authorization !== undefined && { authorization }),
    ...(headers.length > 0 && { headers }),
    ...(request.body !== undefined && { body: request.body }),
    ...(request.latin1 && { latin1: true }),
    ...(created !== undefined && { created }),
    ...(exchange.response && { status: exchange.response.status }),
    ...(length !== undefined && { length }),
  };
}
