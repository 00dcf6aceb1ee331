import * as fc from 'fast-check';
import { smallestCounterexample } from '../lib/draw/search.js';
import { type Exchange, isComplete } from '../lib/http/exchange/exchange.js';
import { sideEffects } from '../lib/session/side-effects.js';
import { animalsOf, type Animal } from '../lib/session/animal.js';
import type { Query } from '../lib/session/api.js';
import { atMost, describeListing, lengthOf } from '../lib/session/describe-listing.js';
import type { Probe } from '../lib/session/probe.js';
import { petStatuses, type PetStatus } from '../lib/specification/body-schema.js';
import { ApiResponse } from '../lib/verdict/api-response.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { requirement } from '../lib/requirement/requirement.js';

/** Section 4.1: what is returned where no limit is given. */
const defaultLimit = 20;

/** A listing's animals; where it was not answered with a listing, that is LIST-01's finding and here unjudged. */
function animalsIn({ judgement }: Probe, response: ApiResponse, what: string): readonly Animal[] | undefined {
  const animals = response.status === 200 ? animalsOf(response.json) : undefined;
  if (!animals) judgement.leaveOpen(`${what} was not answered with a listing (see LIST-01)`);
  return animals;
}

/** What LIST-01 asks for: no parameter, and each alone or with the other. */
const shapes: ReadonlyArray<{ what: string; query: Query; fits: (parameters: URLSearchParams) => boolean }> =
  [
    { what: 'without parameters', query: [], fits: (parameters) => parameters.size === 0 },
    {
      what: 'with `limit`',
      query: [['limit', defaultLimit]],
      // The least and the greatest are LIST-02's.
      fits: (parameters) => parameters.get('limit') === String(defaultLimit) && parameters.size === 1,
    },
    {
      what: 'with `status`',
      query: [['status', 'available']],
      fits: (parameters) => parameters.has('status') && parameters.size === 1,
    },
  ];

/** What was asked of a kind, the last of each value: a filter may go wrong with one status alone. */
function lastOfEach(
  listings: readonly Exchange[],
  fits: (parameters: URLSearchParams) => boolean,
): Exchange[] {
  const last = new Map<string, Exchange>();
  for (const exchange of listings) {
    const { searchParams } = new URL(exchange.request.url);
    if (fits(searchParams)) last.set(searchParams.toString(), exchange);
  }
  return [...last.values()];
}

/** The target shows no animal before it holds one; a run of this row alone has created none. */
async function showsSomething({ api, store, retryUntil }: Probe): Promise<void> {
  if (store.readOnly || store.knownPets.countListed() > 0) return;
  try {
    await store.accepted();
  } catch (error) {
    if (error instanceof Inconclusive) return;
    throw error;
  }
  await retryUntil(
    () => api.listPets(),
    (listing) => (lengthOf(listing) ?? 1) > 0,
  );
}

// Judged on all listings that the run has asked for anyhow. What is missing of the shapes is asked for.
requirement('LIST-01', { phase: 'whole run' }, async (probe) => {
  const { judgement, api, exchanges } = probe;
  await showsSomething(probe);
  const valid = exchanges.filter(
    (exchange) =>
      exchange.operation === 'listPets' &&
      exchange.credential === 'valid' &&
      exchange.input === 'specified' &&
      isComplete(exchange),
  );
  const responses = new Map(valid.map((exchange) => [exchange, new ApiResponse(exchange)]));
  for (const { what, query, fits } of shapes) {
    const known = lastOfEach(valid, fits).map((exchange) => new ApiResponse(exchange));
    for (const response of known.length > 0 ? known : [await api.listPets(query)]) {
      if (known.length === 0) responses.set(response.exchange, response);
      judgement.status(response, 200, `\`GET /pets\` ${what}`);
    }
  }
  let shown = 0;
  for (const response of responses.values()) {
    const what = `\`GET /pets\` ${shapeOf(response)}`;
    // The first listing of a run is that of an empty store, if any is. Limits that are refused are LIST-02's.
    const { searchParams } = new URL(response.exchange.request.url);
    if (response.exchange.purpose === 'survey' && searchParams.size === 0)
      judgement.status(response, 200, what);
    if (response.status !== 200 || !judgement.whole(response, what)) continue;
    shown += lengthOf(response) ?? 0;
    const { json } = response;
    const bare =
      Array.isArray(json) &&
      json.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
    judgement.check(
      bare,
      {
        message: `${what} gives no bare array of Pet`,
        expected: 'a JSON array of objects',
        received: String(response),
      },
      response,
    );
  }
  if (shown === 0) judgement.leaveOpen('no listing showed an animal');
});

function shapeOf({ exchange }: ApiResponse): string {
  const names = [...new URL(exchange.request.url).searchParams.keys()].map((name) => `\`${name}\``);
  return names.length === 0 ? 'without parameters' : `with ${names.join(' and ')}`;
}

requirement('LIST-06', { phase: 'side effects' }, async (probe) => {
  const { judgement, store, profile } = probe;
  const seen = store.readOnly ? [] : (await sideEffects(probe)).pages;
  // The filter alone, and beside a limit; quick has asked for it alone already.
  const alone = profile === 'quick' && !store.readOnly ? [] : petStatuses;
  const pages = await Promise.all(
    alone.map(async (status) => ({
      status,
      response: await askForStatus(probe, [['status', status]], status),
    })),
  );
  for (const { status, response } of [...seen, ...pages]) {
    if (status === undefined) continue;
    const what = `\`status=${status}\``;
    const animals = animalsIn(probe, response, what);
    if (!animals) continue;
    if (animals.length === 0) judgement.leaveOpen(`${what} showed no animal`);
    else judgeStatus(probe, response, animals, status);
  }
});

/** Where the store holds animals of a status, a listing without any may be that of a copy that has yet to learn of them. */
async function askForStatus(
  { api, store, retryUntil }: Probe,
  query: Query,
  status: PetStatus,
): Promise<ApiResponse> {
  const held = store.knownPets.countCreated(status) > 0 || store.surveyed(status) > 0;
  return retryUntil(
    () => api.listPets(query),
    (response) => !held || lengthOf(response) !== 0,
  );
}

function judgeStatus(
  { judgement }: Probe,
  response: ApiResponse,
  animals: readonly Animal[],
  status: string,
): boolean {
  const other = animals.find(({ shown }) => shown.status !== status);
  return judgement.check(
    other === undefined,
    {
      message: `\`status=${status}\` gives animals of another status`,
      expected: `animals with \`status\` ${status} alone`,
      received: other === undefined ? '' : describeListing(other),
    },
    response,
  );
}

requirement('LIST-07', { phase: 'side effects' }, async (probe) => {
  const { judgement, store, draw, depth } = probe;
  if (!store.readOnly) await sideEffects(probe);
  const pairs = fc.record({ limit: fc.integer({ min: 1, max: 8 }), status: fc.constantFrom(...petStatuses) });
  const count = (status: string): number => store.knownPets.countCreated(status);
  const examples = [...petStatuses]
    .sort((a, b) => count(a) - count(b))
    .map((status) => ({ limit: 1, status }));
  const search = {
    seed: draw.seed(),
    runs: depth({ quick: 0, standard: 4, thorough: 30 }),
    examples: examples.slice(-depth({ quick: 1, standard: 3, thorough: 3 })),
    shrinkBudget: probe.shrinkBudget,
  };
  const seen = new Map<string, { response: ApiResponse; animals: readonly Animal[] }>();
  let shown = 0;
  const found = await smallestCounterexample(pairs, search, async ({ limit, status }) => {
    const bounds: Query = [['limit', limit]];
    const filter: Query = [['status', status]];
    // In either order: a query that is read by its place works in one of them alone.
    const query = status === 'pending' ? [...filter, ...bounds] : [...bounds, ...filter];
    const response = await askForStatus(probe, query, status);
    const asked = query.map(([name, value]) => `${name}=${value}`).join('&');
    const animals = animalsIn(probe, response, `\`${asked}\``);
    if (!animals) return true;
    shown += animals.length;
    seen.set(`${limit} ${status}`, { response, animals });
    return animals.length <= limit && animals.every((animal) => animal.shown.status === status);
  });
  if (!found) {
    if (shown === 0) judgement.leaveOpen('no pair of `limit` and `status` showed an animal');
    for (const { response } of seen.values()) judgement.check(true, { message: 'holds' }, response);
    return;
  }
  const { limit, status } = found.value;
  const { response, animals } = seen.get(`${limit} ${status}`) ?? { response: undefined, animals: [] };
  const stray = animals.find((animal) => animal.shown.status !== status);
  judgement.check(
    false,
    {
      message: '`limit` and `status` do not hold together',
      expected: `${atMost(limit)}, all of them ${status}`,
      received: stray
        ? `among them: ${describeListing(stray)}`
        : `${(response && lengthOf(response)) ?? 0} animals`,
    },
    ...(response ? [response] : []),
  );
});
