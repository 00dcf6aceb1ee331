import '../../suites/all.js';
import { endedAt, sentAt, type Exchange } from '../http/exchange/exchange.js';
import type { RepeatedRequest } from '../record/repeated-request.js';
import { valueText } from '../session/animal.js';
import { ApiResponse } from '../session/api-response.js';
import { bodySent } from '../session/compare-pets.js';
import { isCreation } from '../session/creation.js';
import { ofOneAnimal } from '../session/known-pets.js';
import { atOnce, oneByOne } from '../session/load-check.js';
import type { RequirementId } from '../specification/catalogue.js';
import { idInPath } from './likeness.js';
import type { TriedFinding } from './representatives.js';

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

/** Who sends a request again: the round, as it was; a probe, with what belongs to it; or whichever of them does. */
type Sender = 'round' | 'probe' | 'any';

/** The requests that findings show, and the creations of the animals in their paths, in the order of sending. */
export function requestsAgain(
  tried: readonly TriedFinding[],
  exchanges: readonly Exchange[],
  baseUrl: string,
): RepeatedRequest[] {
  const creations = new Map(
    exchanges.flatMap((exchange) => {
      const animal = isCreation(exchange) ? new ApiResponse(exchange).animal : undefined;
      return animal ? [[animal.id, exchange] as const] : [];
    }),
  );
  const ofUnknownCategory = exchanges.find(({ purpose }) => purpose === ofOneAnimal);
  const unknownCategory = ofUnknownCategory && valueText(bodySent(ofUnknownCategory).categoryId);
  const wanted = new Map<Exchange, { of: Set<string>; by: Set<Sender> }>();
  const want = (exchange: Exchange, of: string, sender: Sender): void => {
    const known = wanted.get(exchange) ?? { of: new Set(), by: new Set() };
    known.of.add(of);
    known.by.add(sender);
    wanted.set(exchange, known);
  };
  for (const { id, exchanges: shown, isInvariant, isRefused } of tried) {
    // All requests show it, whichever they are.
    if (id === 'RATE-05') continue;
    for (const exchange of shown) {
      const { purpose, response } = exchange;
      // The control of a refusal, which a probe may send only after one.
      if (isRefused && purpose === id && (response?.status ?? 400) < 400) continue;
      const isFirst = exchange === exchanges[0];
      // What it creates is drawn from what the run has created.
      const isDrawn = id === 'GET-01' && exchange.operation === 'createPet';
      const isPrepared = prepared[id]?.includes(purpose) === true;
      const asItWas =
        !isFirst && !underLoad.has(purpose) && (isInvariant || isDrawn || !(purpose === id || isPrepared));
      const isLookedAtLater = prepared[id]?.includes('side effects') === true;
      want(exchange, id, asItWas ? (isLookedAtLater ? 'any' : 'round') : 'probe');
      const animal = idInPath(exchange.request.url);
      const creation = asItWas || id === 'GET-01' ? creations.get(animal) : undefined;
      if (creation && creation.purpose !== id) want(creation, id, 'round');
      // By that category an animal is found that a refused creation added.
      const isOfCategory = unknownCategory && exchange.request.body?.includes(unknownCategory);
      if (asItWas && isOfCategory) want(ofUnknownCategory, id, 'round');
    }
  }
  const inOrder = [...wanted].toSorted(([one], [other]) => sentAt(one) - sentAt(other));
  let until = 0;
  return inOrder.map(([exchange, { of, by }]) => {
    // What is listed right after it must be there.
    const asItWas = by.has('round') || !by.has('probe');
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
