import * as fc from 'fast-check';
import { requirement, type Probe } from '../lib/requirement/requirement.js';
import { queryText, type Query } from '../lib/session/api.js';
import { ApiResponse } from '../lib/session/api-response.js';
import { sendCommands, sequences } from '../lib/session/commands/broken-rules.js';
import { omitsKnownPets } from '../lib/session/missing-pets.js';
import { shortPages } from '../lib/session/listing-page.js';
import { defaultPage, fullPage } from '../lib/session/store.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { count } from '../lib/usage/count.js';
import { answers, check, left, open, type Checks } from '../lib/verdict/check.js';
import { NotTested } from '../lib/verdict/outcome.js';

/** A full store holds more animals than this, of one status: several more than a page shows, in case some are cut off. */
const fullStore = fullPage + 2;

/** What requirements on the length of a page leave to others. */
const leavesTo = { 'LIST-01': 'the response is not a listing' } as const;

const animals = (number: number): string => count(number, 'animal');

requirement('LIST-02', {
  phase: 'full store',
  leavesTo,
  room: {
    quick: { limits: [1, fullPage], drawn: 0, animals: defaultPage, sequences: 0 },
    standard: { limits: [1, 2, 10, 99, fullPage], drawn: 1, animals: fullStore, sequences: 0 },
    thorough: { limits: [1, 2, 9, 10, 50, 99, fullPage], drawn: 40, animals: fullStore, sequences },
  },
  async probe(probe, room) {
    const { api, store, draw } = probe;
    const drawn = draw.some(fc.integer({ min: 3, max: 98 }), room.drawn);
    // A full page is of one status.
    await store.fill(room.animals, room.animals >= fullPage);
    await Promise.all(
      [...new Set([...room.limits, ...drawn])].map((limit) => api.listPets([['limit', limit]])),
    );
    await sendCommands(probe, room.sequences);
  },
  *rule({ listings, pets }) {
    const isServed = listings.plain.some(({ status }) => status === 200);
    for (const one of listings.withLimit(1, fullPage)) {
      const limit = Number(one.query.get('limit'));
      const what = `\`limit=${limit}\``;
      if (!isServed) yield left('LIST-01', 'a listing without a limit');
      else yield* isAtMost(one, limit, what);
    }
    if (pets.known < 2) yield open('the store shows fewer than two animals: no limit can cut any off');
  },
});

/** Checks that a limit is accepted, and that at most so many animals are returned. */
function* isAtMost(one: ApiResponse, limit: number, what: string): Checks {
  const status = answers(one, 200, what);
  const { length } = one;
  if (status.kind !== 'passed') yield status;
  else if (length === undefined) yield left('LIST-01', what);
  else
    yield check(length <= limit, one, () => ({
      message: `${what} returned ${animals(length)}`,
      expected: `at most ${animals(limit)}`,
      received: animals(length),
    }));
}

/** The same listing without a limit and with the default one, repeated until `settled`. */
async function listTwice(
  { api, retryUntil }: Probe,
  filter: Query,
  settled: (without: number | undefined, withDefault: number | undefined) => boolean,
): Promise<readonly [without: ApiResponse, withDefault: ApiResponse]> {
  return retryUntil(
    async () =>
      [await api.listPets(filter), await api.listPets([...filter, ['limit', defaultPage]])] as const,
    ([without, withDefault]) => settled(without.length, withDefault.length),
  );
}

requirement('LIST-03', { phase: 'listings', leavesTo }, async (probe) => {
  const { store, judgement, exchanges } = probe;
  await store.holdsMoreThan(defaultPage);
  const before = store.knownPets.listed();
  const [without, withDefault] = await listTwice(
    probe,
    [],
    (bare, limited) => bare === limited && bare === defaultPage,
  );
  const [bare, limited] = [without.length, withDefault.length];
  if (bare === undefined || limited === undefined) return judgement.leaveTo('LIST-01');
  const fewer = Math.max(bare, limited) < defaultPage && !(await omitsKnownPets(probe, withDefault, before));
  // With a filter or without: what other probes requested without a limit counts, too.
  const unlimited = exchanges
    .filter(
      ({ operation, credential, input, response }) =>
        operation === 'listPets' &&
        credential === 'valid' &&
        input === 'specified' &&
        response?.status === 200,
    )
    .map((exchange) => new ApiResponse(exchange))
    .filter(({ query }) => !query.has('limit'));
  for (const response of [...unlimited, without]) {
    const { length = 0 } = response;
    judgement.check(length <= defaultPage, response, () => ({
      message: 'without `limit`, more than 20 animals are returned',
      expected: 'at most 20 animals',
      received: animals(length),
    }));
  }
  if (fewer)
    return judgement.leaveOpen(
      `the store no longer holds more than ${animals(defaultPage)}: other clients remove some`,
    );
  judgement.check(bare === limited, [withDefault, without], () => ({
    message: 'without `limit`, not as many animals are returned as with `limit=20`',
    expected: `${animals(limited)}, as with \`limit=20\``,
    received: animals(bare),
  }));
  await judgeFiltered(probe);
});

/** A filter may have a default of its own: what was short under one is requested again, with 20 as the limit and without. */
async function judgeFiltered(probe: Probe): Promise<void> {
  const short = shortPages(probe.exchanges, defaultPage).filter(({ limit }) => limit === undefined);
  for (const status of new Set(short.map((one) => one.status))) {
    if (status === undefined) continue;
    const filter: Query = [['status', status]];
    const [without, withDefault] = await listTwice(probe, filter, (bare, limited) => bare === limited);
    const [bare, limited] = [without.length, withDefault.length];
    if (bare === undefined || limited === undefined) continue;
    probe.judgement.check(bare === limited, [withDefault, without], () => ({
      message: 'with a filter and without `limit`, not as many animals are returned as with `limit=20`',
      expected: `${animals(limited)}, as with \`status=${status}&limit=20\``,
      received: animals(bare),
    }));
  }
}

function longestPage(status: string): Query {
  return [
    ['status', status],
    ['limit', fullPage],
  ];
}

/**
 * A run of this requirement alone has seen no page yet. If no page was as long as the store allows, the pages of each
 * status may show what is missing.
 */
async function seePages(probe: Probe): Promise<void> {
  const { api, store, retryUntil } = probe;
  const { knownPets } = store;
  if (knownPets.countListed() >= Math.min(knownPets.known, fullPage) && knownPets.countListed() > 1) return;
  if (knownPets.countListed() <= 1) {
    if (!store.readOnly) await store.fill(defaultPage);
    await retryUntil(
      () => api.listPets([['limit', fullPage]]),
      ({ length = fullPage }) => length >= Math.min(knownPets.known, fullPage),
    );
  }
  await Promise.all(petStatuses.map((status) => api.listPets(longestPage(status))));
}

/** A page that must hold `expected` animals, because listings have shown `known` that match. */
interface ExpectedPage {
  readonly query: Query;
  readonly status: string | undefined;
  readonly known: number;
  readonly expected: number;
}

function expectedPage(limit: number, known: number, status?: string): ExpectedPage {
  const filter: Query = status === undefined ? [] : [['status', status]];
  return { query: [['limit', limit], ...filter], status, known, expected: Math.min(limit, known) };
}

/** Short pages of other probes that are requested again. */
const mostRepeated = 4;

/** @param mostUnfiltered pages without a filter, the longest ones */
function expectedPages({ store, exchanges }: Probe, mostUnfiltered: number): ExpectedPage[] {
  const { knownPets } = store;
  const known = knownPets.countListed();
  const most = Math.min(known, fullPage);
  const limits = [...new Set([1, 2, 5, defaultPage, 50, most])].filter(
    (limit) => limit >= 1 && limit <= most,
  );
  const unfiltered = limits.slice(-mostUnfiltered);
  const filtered = petStatuses
    .map((status) => ({ status, matching: knownPets.countListed(status) }))
    .filter(({ matching }) => matching >= 2);
  // A page of another probe that was short is requested again, now that nothing is added.
  const short = shortPages(exchanges, defaultPage).filter(({ limit }) => limit !== undefined);
  if (known < 2) return [];
  const pages = [
    ...unfiltered.map((limit) => expectedPage(limit, known)),
    ...filtered.map(({ status, matching }) => expectedPage(Math.min(matching, 10), matching, status)),
    ...short
      .slice(0, mostRepeated)
      .map(({ limit = defaultPage, known, status }) => expectedPage(limit, known, status)),
  ];
  const queries = pages.map(({ query }) => queryText(query));
  return pages.filter((_page, index) => queries.indexOf(queries[index] ?? '') === index);
}

const leftByList04 = { ...leavesTo, 'LIST-08': 'no listing has shown the animal' } as const;

// Only animals that a listing has shown count.
requirement(
  'LIST-04',
  {
    phase: 'unspecified',
    leavesTo: leftByList04,
    room: { quick: 'it requests pages of its own', standard: 2, thorough: 6 },
  },
  async (probe, unfiltered) => {
    const { api, store, judgement, retryUntil } = probe;
    await seePages(probe);
    const pages = expectedPages(probe, unfiltered);
    if (pages.length === 0) judgement.leaveOpen('listings have shown fewer than two animals');
    await Promise.all(
      pages.map(async ({ query, status, known, expected }) => {
        const what = `\`${queryText(query)}\``;
        const before = store.knownPets.listed(status);
        // Another copy of the store may not have all of them yet.
        const response = await retryUntil(
          () => api.listPets(query),
          ({ length = expected }) => length >= expected,
        );
        const { length } = response;
        if (response.status !== 200 || length === undefined) return judgement.leaveTo('LIST-01', what);
        if (length < expected && !(await omitsKnownPets(probe, response, before, status))) {
          judgement.note(`${what} returned ${animals(length)}: what other listings have shown is gone.`);
          return;
        }
        judgement.check(length >= expected, response, () => ({
          message: `${what} returned fewer animals than the store holds`,
          expected: `${animals(expected)}: listings have shown ${known} that match`,
          received: animals(length),
        }));
      }),
    );
  },
);

/** Values of `limit` beyond a full page, and such as a careless service takes for no limit, the likeliest first. */
const tooGreat = ['101', '9223372036854775808', '1000', '2147483648', '0', '-1', 'abc'];
/** Those that are sent beside a filter as well. */
const besideFilter = ['101', '2147483648', '9223372036854775808', '0', '-1'];

/** How many listings are requested, and whether what is missing is added to a smaller store. */
const list05 = {
  phase: 'full store' as const,
  room: {
    quick: { queries: 1, fills: false },
    standard: { queries: Infinity, fills: true },
    thorough: { queries: Infinity, fills: true },
  },
};

requirement('LIST-05', list05, async (probe, room) => {
  const { api, judgement, store } = probe;
  await holdsMoreThanAFullPage(probe, room.fills);
  const known = (status: string): number => store.knownPets.countKnown(status);
  const [fullest = 'sold'] = [...petStatuses].sort((a, b) => known(b) - known(a));
  const queries: Query[] = [
    ...tooGreat.map((limit): Query => [['limit', limit]]),
    ...besideFilter.map((limit): Query => [
      ['limit', limit],
      ['status', fullest],
    ]),
  ];
  const pages = await Promise.all(
    queries.slice(0, room.queries).map(async (query) => {
      const response = await api.listPets(query, { unspecified: true });
      const shown = response.status === 200 ? (response.length ?? 0) : 0;
      return { what: `\`${queryText(query)}\``, response, shown };
    }),
  );
  for (const { what, response, shown } of pages) {
    const tooLong = response.exchange.failure?.kind === 'too-large';
    if (response.status === undefined && !tooLong) {
      judgement.leaveTo('ROBUST-01', what);
      continue;
    }
    // Whether the filter makes the difference tells where the fault is.
    const alone = pages.find((one) => one.what === what.replace(/&status=.*(?=`)/u, '') && one.what !== what);
    const whole = alone?.response.length !== undefined && alone.shown <= fullPage;
    judgement.check(!tooLong && shown <= fullPage, response, () => ({
      message: `${what} returned ${tooLong ? 'more than the suite reads' : animals(shown)}${whole ? `, ${alone.what} alone ${animals(alone.shown)}` : ''}`,
      expected: 'at most 100 animals, or a refusal with 400',
      received: tooLong ? String(response) : animals(shown),
    }));
  }
});

/** @param fills whether what is missing is added; otherwise what was created and seen until now shows how large it is */
async function holdsMoreThanAFullPage({ store, retryUntil }: Probe, fills: boolean): Promise<void> {
  if (!fills) {
    if (store.knownPets.known > fullStore) return;
    throw new NotTested(
      `the profile has no room to fill the store: it is not known to hold more than ${fullStore} animals`,
    );
  }
  await store.holdsMoreThan(fullStore);
  await store.fill(fullStore, true);
  // No page can be too long before one is full.
  await retryUntil(
    () => store.api('stock').listPets([['limit', fullPage]]),
    ({ length = fullPage }) => length >= fullPage,
  );
}
