import * as fc from 'fast-check';
import { smallestCounterexample } from '../lib/draw/search.js';
import { isComplete } from '../lib/http/exchange/exchange.js';
import { notInQuick } from '../lib/requirement/profile.js';
import { requirement, type Probe } from '../lib/requirement/requirement.js';
import { describeAnimal, valueText, type Animal } from '../lib/session/animal.js';
import { queryText, type Query } from '../lib/session/api.js';
import { ApiResponse } from '../lib/session/api-response.js';
import { judgeCommands, sequences } from '../lib/session/commands/broken-rules.js';
import { sideEffects } from '../lib/session/side-effects.js';
import { defaultPage, fullPage } from '../lib/session/store.js';
import { petStatuses, type PetStatus } from '../lib/specification/body-schema.js';
import { count } from '../lib/usage/count.js';
import { Inconclusive } from '../lib/verdict/outcome.js';

/** What requirements on the content of a listing leave to others. */
const leftByContent = { 'LIST-01': 'the response is not a listing' } as const;

/** What has to be requested at least: no parameter, and each alone. */
const shapes: ReadonlyArray<{ what: string; query: Query; fits: (query: URLSearchParams) => boolean }> = [
  { what: 'without parameters', query: [], fits: (query) => query.size === 0 },
  {
    what: 'with `limit`',
    query: [['limit', defaultPage]],
    fits: (query) => query.get('limit') === String(defaultPage) && query.size === 1,
  },
  {
    what: 'with `status`',
    query: [['status', 'available']],
    fits: (query) => query.has('status') && query.size === 1,
  },
];

/** The last response for each query that fits: a filter may go wrong for one status only. */
function lastOfEach(
  listings: readonly ApiResponse[],
  fits: (query: URLSearchParams) => boolean,
): readonly ApiResponse[] {
  const fitting = listings.filter(({ query }) => fits(query));
  return [...new Map(fitting.map((response) => [response.query.toString(), response])).values()];
}

/** The target shows no animal before it holds one; a run of this requirement alone has created none. */
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
    ({ length = 1 }) => length > 0,
  );
}

const leftByList01 = { 'LIST-02': 'the least and the greatest limits are refused' } as const;

// Judged on all listings of the run; only shapes that no other probe requested are requested here.
requirement('LIST-01', { phase: 'whole run', leavesTo: leftByList01 }, async (probe) => {
  const { judgement, api, exchanges } = probe;
  await showsSomething(probe);
  const listings = exchanges
    .filter(
      (exchange) =>
        exchange.operation === 'listPets' &&
        exchange.credential === 'valid' &&
        exchange.input === 'specified' &&
        isComplete(exchange),
    )
    .map((exchange) => new ApiResponse(exchange));
  for (const { what, query, fits } of shapes) {
    const known = lastOfEach(listings, fits);
    if (known.length === 0) listings.push(await api.listPets(query));
    for (const response of known.length > 0 ? known : listings.slice(-1))
      judgement.status(response, 200, `\`GET /pets\` ${what}`);
  }
  let shown = 0;
  for (const response of listings) {
    const names = [...response.query.keys()].map((name) => `\`${name}\``).join(' and ');
    const what = `\`GET /pets\` ${names === '' ? 'without parameters' : `with ${names}`}`;
    // The first listing of a run may be the only one of an empty store.
    if (response.exchange.purpose === 'survey' && names === '') judgement.status(response, 200, what);
    if (response.status !== 200 || !judgement.isComplete(response, what)) continue;
    const { json, length = 0 } = response;
    shown += length;
    const bare =
      Array.isArray(json) &&
      json.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
    judgement.check(bare, response, () => ({
      message: `${what} does not return a bare array of Pet`,
      expected: 'a JSON array of objects',
      received: String(response),
      fact: { kind: 'body', form: 'Pets', field: '' },
    }));
  }
  if (shown === 0) judgement.leaveOpen('no listing showed an animal');
});

/** While the store holds animals of a status, an empty listing may be that of a copy that has yet to learn of them. */
async function listStatus(
  { api, store, retryUntil }: Probe,
  query: Query,
  status: PetStatus,
): Promise<ApiResponse> {
  const held = store.knownPets.countCreated(status) > 0 || store.surveyed(status) > 0;
  return retryUntil(
    () => api.listPets(query),
    ({ length }) => !held || length !== 0,
  );
}

/** A Pet may omit its status; the run knows that of the animals that it created. */
function statusOf({ store }: Probe, { id, shown }: Animal): unknown {
  return shown.status ?? store.knownPets.created.get(id)?.animal.shown.status;
}

/** An animal that a filter must not let through. */
function strayIn(probe: Probe, animals: readonly Animal[], status: string): Animal | undefined {
  return animals.find((animal) => ![undefined, status].includes(statusOf(probe, animal) as string));
}

/** How many statuses are requested alone, beside pages that have a limit, too. */
const list06 = {
  phase: 'side effects' as const,
  leavesTo: leftByContent,
  room: {
    quick: { alone: 1, sequences: 0 },
    standard: { alone: petStatuses.length, sequences: 0 },
    thorough: { alone: petStatuses.length, sequences },
  },
};

requirement('LIST-06', list06, async (probe, room) => {
  const { judgement, store } = probe;
  const seen = store.readOnly ? [] : (await sideEffects(probe)).pages;
  const pages = await Promise.all(
    petStatuses.slice(0, room.alone).map(async (status) => ({
      status,
      response: await listStatus(probe, [['status', status]], status),
    })),
  );
  for (const { status, response } of [...seen, ...pages]) {
    if (status === undefined) continue;
    const what = `\`status=${status}\``;
    const { animals } = response;
    if (!animals) judgement.leaveTo('LIST-01', what);
    else if (animals.length === 0) judgement.leaveOpen(`${what} showed no animal`);
    else if (animals.every((animal) => statusOf(probe, animal) === undefined))
      judgement.leaveOpen(`${what} showed no animal whose status is known`);
    else {
      const other = strayIn(probe, animals, status);
      judgement.check(other === undefined, response, () => ({
        message: `${what} returns animals of another status`,
        expected: `only animals with \`status\` ${status}`,
        received: other && describeAnimal(other),
        fact: { kind: 'response', value: valueText(other?.shown.status) },
      }));
    }
  }
  await judgeCommands(probe, room.sequences);
});

/** Checks the length and the animals of a page with a limit and a filter. */
function fitsPage(probe: Probe, { query, length = 0, animals = [] }: ApiResponse): boolean {
  const stray = strayIn(probe, animals, query.get('status') ?? '');
  return length <= Number(query.get('limit')) && stray === undefined;
}

const list07 = {
  phase: 'whole run' as const,
  leavesTo: leftByContent,
  room: {
    quick: { examples: 1, drawn: 0, shrinks: 0 },
    standard: { examples: 4, drawn: 0, shrinks: 40 },
    thorough: { examples: 4, drawn: 30, shrinks: 40 },
  },
};

// Judged when the store is full: what other probes requested with both counts, too.
requirement('LIST-07', list07, async (probe, room) => {
  const { judgement, store, draw, exchanges } = probe;
  if (!store.readOnly) await sideEffects(probe);
  const pairs = fc.record({ limit: fc.integer({ min: 1, max: 8 }), status: fc.constantFrom(...petStatuses) });
  const created = (status: string): number => store.knownPets.countCreated(status);
  const byCreated = [...petStatuses].sort((a, b) => created(a) - created(b));
  const examples = [
    { limit: fullPage, status: byCreated.at(-1) ?? 'sold' },
    ...byCreated.map((status) => ({ limit: 1, status })),
  ];
  const search = {
    seed: draw.seed(),
    runs: room.drawn,
    examples: examples.slice(-room.examples),
    shrinkBudget: () => probe.shrinkBudget(room.shrinks),
  };
  const judged = new Map<string, ApiResponse>();
  const found = await smallestCounterexample(pairs, search, async ({ limit, status }) => {
    const bounds: Query = [['limit', limit]];
    const filter: Query = [['status', status]];
    // In either order: a query that is read by position works in one of them only.
    const query = status === 'pending' ? [...filter, ...bounds] : [...bounds, ...filter];
    const response = await listStatus(probe, query, status);
    if (!response.animals) {
      judgement.leaveTo('LIST-01', `\`${queryText(query)}\``);
      return true;
    }
    judged.set(`${limit} ${status}`, response);
    return fitsPage(probe, response);
  });
  const others = exchanges
    .filter(({ operation, credential, input }) => {
      return operation === 'listPets' && credential === 'valid' && input === 'specified';
    })
    .map((exchange) => new ApiResponse(exchange))
    .filter(({ query, animals }) => animals && query.has('limit') && query.has('status'));
  const pages = [...judged.values(), ...others];
  const wrong =
    (found && judged.get(`${found.value.limit} ${found.value.status}`)) ??
    pages.find((page) => !fitsPage(probe, page));
  if (!wrong) {
    if (pages.every(({ length }) => length === 0))
      judgement.leaveOpen('no pair of `limit` and `status` showed an animal');
    else if (pages.every(({ animals = [] }) => animals.every((one) => statusOf(probe, one) === undefined)))
      judgement.leaveOpen('no pair of `limit` and `status` showed an animal whose status is known');
    return judgement.held(pages.length);
  }
  const [limit, status] = [Number(wrong.query.get('limit')), wrong.query.get('status') ?? ''];
  const stray = strayIn(probe, wrong.animals ?? [], status);
  judgement.fail(wrong, {
    message: '`limit` and `status` do not apply together',
    expected: `at most ${count(limit, 'animal')}, all of them ${status}`,
    received: stray ? `among them: ${describeAnimal(stray)}` : count(wrong.length ?? 0, 'animal'),
  });
});

const observing = { phase: 'unspecified', room: notInQuick('it observes') } as const;

/** A limit on which the specification is silent, and how the lengths of pages are told that it can lead to. */
interface UnspecifiedLimit {
  readonly query: Query;
  readonly lengths: ReadonlyArray<readonly [length: number, treatment: string]>;
}

const oneLimit = (value: string, ...lengths: UnspecifiedLimit['lengths']): UnspecifiedLimit => ({
  query: [['limit', value]],
  lengths,
});

const unspecifiedLimits: readonly UnspecifiedLimit[] = [
  oneLimit('0', [0, 'an empty list'], [1, 'clamped to 1']),
  oneLimit('-1', [0, 'an empty list'], [1, 'clamped to 1, or its sign is ignored']),
  oneLimit('101', [fullPage, 'clamped to 100']),
  oneLimit('abc', [0, 'an empty list'], [1, 'read as 1']),
  oneLimit('1.5', [1, 'truncated to 1'], [2, 'rounded to 2']),
  oneLimit('', [0, 'an empty list'], [1, 'read as 1']),
  {
    query: [
      ['limit', 1],
      ['limit', 2],
    ],
    lengths: [
      [1, 'the first one counts'],
      [2, 'the last one counts'],
      [3, 'their sum counts'],
    ],
  },
];

/** How a limit was treated, by the length of the page; a store of few animals may not tell. */
function treatmentOf(response: ApiResponse, { lengths }: UnspecifiedLimit, known: number): string {
  if (response.refusal !== undefined) return response.refusal;
  const { length } = response;
  if (length === undefined) return `${response.status ?? ''} with a body that is not an array`;
  const shown = count(length, 'animal');
  const [, treatment] = lengths.find(([of]) => of === length) ?? [];
  if (length >= known) return `${shown}, as many as are known: it can't be told how`;
  if (treatment !== undefined) return `${shown}: ${treatment}`;
  return length === defaultPage ? `${shown}: ignored, as without a limit` : shown;
}

// Listings with some of these limits have been requested already.
requirement('LIST-11', observing, async ({ api, judgement, store, exchanges }) => {
  const listings = exchanges
    .filter(
      (exchange) =>
        exchange.operation === 'listPets' && exchange.credential === 'valid' && isComplete(exchange),
    )
    .map((exchange) => new ApiResponse(exchange));
  await Promise.all(
    unspecifiedLimits.map(async (one) => {
      const text = queryText(one.query);
      const known = listings.find(({ query }) => decodeURIComponent(query.toString()) === text);
      const response = known ?? (await api.listPets(one.query, { unspecified: true }));
      judgement.observe(`\`${text}\``, treatmentOf(response, one, store.knownPets.known), response);
    }),
  );
});

requirement('LIST-12', observing, async (probe) => {
  await Promise.all(
    ['sleeping', 'Available', ''].map(async (status) => {
      const response = await probe.api.listPets([['status', status]], { unspecified: true });
      const shown = response.refusal ?? animalsShown(probe, response);
      probe.judgement.observe(`\`status=${status}\``, shown, response);
    }),
  );
});

/** What a listing shows, by the statuses of its animals: all three, if the filter was ignored. */
function animalsShown(probe: Probe, { animals, length, status }: ApiResponse): string {
  if (!animals) return `${status ?? ''} with a body that is not an array`;
  if (length === 0) return 'an empty list';
  const states = new Set(animals.map((animal) => valueText(statusOf(probe, animal))));
  const ignored = states.size > 1 ? ': the filter is ignored' : '';
  return `${count(animals.length, 'animal')} with ${[...states].sort().join(', ')}${ignored}`;
}

const pagingHeaders =
  /^(link|content-range|x-(?:total|page|per-page|next|prev|pagination|offset|cursor).*|total-count|next-.*)$/i;

requirement('LIST-13', { phase: 'whole run' }, async ({ judgement, exchanges, api }) => {
  const known = exchanges
    .filter(({ operation, response, purpose }) => {
      return operation === 'listPets' && response?.status === 200 && purpose !== 'survey';
    })
    .map((exchange) => new ApiResponse(exchange));
  const listings = known.length > 0 ? known : [await api.listPets()];
  const longest = listings.reduce((a, b) => ((b.length ?? 0) > (a.length ?? 0) ? b : a));
  judgement.observe('the order of a listing', orderOf(longest), longest);
  const names = listings.flatMap(({ exchange }) => exchange.response?.headers.map(([name]) => name) ?? []);
  const paging = [...new Set(names)].filter((name) => pagingHeaders.test(name)).sort();
  judgement.observe('paging information in headers', paging.join(', ') || 'none', longest);
});

/** How identifiers follow each other in a listing. */
function orderOf({ animals = [] }: ApiResponse): string {
  const ids = animals.map(({ id }) => BigInt(id));
  if (ids.length < 3) return 'too few animals to tell';
  const pairs = ids.slice(1).map((id, index) => (ids[index] ?? 0n) < id);
  if (pairs.every(Boolean)) return '`id` ascending';
  if (pairs.every((ascending) => !ascending)) return '`id` descending';
  return 'not by `id`';
}
