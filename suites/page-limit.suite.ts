import * as fc from 'fast-check';
import { Evidence } from '../lib/evidence/evidence.js';
import type { Page } from '../lib/evidence/listings.js';
import { requirement, type Probe } from '../lib/verdict/requirement.js';
import { queryText, type Query } from '../lib/session/api.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { sendCommands, sequences } from '../lib/session/commands/send-commands.js';
import { getCreated } from '../lib/session/creation.js';
import { defaultPage, fullPage } from '../lib/specification/page-size.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { count } from '../lib/explain/count.js';
import { answers, check, failed, left, note, open, passed, type Checks } from '../lib/verdict/check.js';
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
    standard: { limits: [1, 2, 9, 10, 50, 99, fullPage], drawn: 1, animals: fullStore, sequences: 0 },
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
function* isAtMost(one: Exchange, limit: number, what: string): Checks {
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
): Promise<readonly [without: Exchange, withDefault: Exchange]> {
  return retryUntil(
    async () =>
      [await api.listPets(filter), await api.listPets([...filter, ['limit', defaultPage]])] as const,
    ([without, withDefault]) => settled(without.length, withDefault.length),
  );
}

/** Whether other clients have removed animals shows in those that a page omits: some are requested, one by one. */
async function requestMissing(probe: Probe, response: Exchange, before: readonly string[]): Promise<void> {
  const shown = new Set((response.animals ?? []).map(({ id }) => id));
  const missing = before.filter((id) => !shown.has(id));
  if (missing.some((id) => probe.store.knownPets.created.has(id))) return;
  await Promise.all(missing.slice(0, mostRequested).map(async (id) => getCreated(probe, id)));
}

/** Missing animals that are requested, one by one, to find one that still exists. */
const mostRequested = 5;

/** Pages that held fewer animals than they could have, one for each query, by what listings had shown before. */
function shortPages({ exchanges, facts }: Probe): Page[] {
  const { listings } = new Evidence(exchanges, facts);
  const short = listings.pages.filter(
    (page) => page.length < (page.limit ?? defaultPage) && page.length < listings.shownBefore(page).length,
  );
  return [...new Map(short.map((page) => [`${page.limit} ${page.status}`, page])).values()];
}

/** Whether the store still holds any of these animals: other clients may remove theirs, or change their status. */
function stillHolds({ pets, fetches }: Evidence, ids: readonly string[], { by, status }: Page): boolean {
  const wanted = new Set(ids);
  const isFound = ({ status: code, animal, endedAt }: Exchange): boolean =>
    code === 200 &&
    endedAt >= by.sentAt &&
    wanted.has(animal?.id ?? '') &&
    (status === undefined || animal?.shown.status === status);
  return ids.some((id) => pets.created.has(id)) || fetches.all.some(isFound);
}

/** What a page omits of the animals that listings had shown for the consistency time. */
function omittedBy({ listings, facts }: Evidence, page: Page): string[] {
  const shown = new Set(page.animals.map(({ id }) => id));
  return listings.shownBefore(page, facts.consistencyMs).filter((id) => !shown.has(id));
}

/** For each filter the last two listings without a limit and with the default one between which nothing was created. */
function sameListings({
  all,
  listings: { pages },
}: Evidence): Map<string | undefined, readonly [Page, Page]> {
  const creations = all.filter(({ operation, status = 0 }) => {
    return operation === 'createPet' && (status < 400 || status >= 500);
  });
  const pairs = new Map<string | undefined, readonly [Page, Page]>();
  for (const limited of pages.filter(({ limit }) => limit === defaultPage).toReversed()) {
    const { status, by } = limited;
    if (pairs.has(status)) continue;
    const bare = pages.findLast(
      (one) => one.limit === undefined && one.status === status && one.by.endedAt <= by.sentAt,
    );
    const isQuiet = creations.every((one) => one.endedAt < (bare?.by.sentAt ?? 0) || one.sentAt > by.endedAt);
    if (bare && isQuiet) pairs.set(status, [bare, limited]);
  }
  return pairs;
}

requirement('LIST-03', {
  phase: 'listings',
  leavesTo,
  async probe(probe) {
    const { store } = probe;
    await store.holdsMoreThan(defaultPage);
    const before = store.knownPets.listed();
    const isFull = (bare?: number, limited?: number): boolean => bare === limited && bare === defaultPage;
    const [without, withDefault] = await listTwice(probe, [], isFull);
    if (Math.max(without.length ?? defaultPage, withDefault.length ?? defaultPage) < defaultPage)
      await requestMissing(probe, withDefault, before);
    // A filter may have a default of its own: what was short under one is requested again.
    const short = shortPages(probe).filter(({ limit }) => limit === undefined);
    for (const { status } of short)
      if (status !== undefined)
        await listTwice(probe, [['status', status]], (bare, limited) => bare === limited);
  },
  *rule(evidence) {
    const { listings, pets } = evidence;
    const unlimited = listings.pages.filter(({ limit }) => limit === undefined);
    for (const { by, length } of unlimited)
      yield check(length <= defaultPage, by, () => ({
        message: 'without `limit`, more than 20 animals are returned',
        expected: 'at most 20 animals',
        received: animals(length),
      }));
    const pairs = sameListings(evidence);
    for (const [without, limited] of pairs.values()) {
      const shorter = without.length < limited.length ? without : limited;
      const omitted = without.length === limited.length ? [] : omittedBy(evidence, shorter);
      const { status, by } = without;
      const isSmall = Math.max(without.length, limited.length) < defaultPage && status === undefined;
      if (isSmall && !stillHolds(evidence, omittedBy(evidence, limited), limited))
        yield open(`the store no longer holds more than ${animals(defaultPage)}: other clients remove some`);
      // What other clients add in between is no difference.
      else
        yield check(omitted.length === 0, [limited.by, by], () => ({
          message: `${status === undefined ? 'without' : 'with a filter and without'} \`limit\`, not as many animals are returned as with \`limit=20\``,
          expected: `${animals(limited.length)}, as with \`${queryText([...limited.by.query])}\``,
          received: animals(without.length),
        }));
    }
    if (!pairs.has(undefined)) yield left('LIST-01');
    if (pets.known <= defaultPage) yield open(`the store shows no more than ${animals(defaultPage)}`);
  },
});

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
  await Promise.all(petStatuses.map((status) => api.listPets(queryOf({ limit: fullPage, status }))));
}

/** Short pages of other probes that are requested again. */
const mostRepeated = 4;

type Asked = Pick<Page, 'limit' | 'status'>;

function queryOf({ limit = defaultPage, status }: Asked): Query {
  return [['limit', limit], ...(status === undefined ? [] : [['status', status] as const])];
}

/** Pages to be filled, each once: among them short ones of other probes, now that nothing is added. */
function pagesToFill(probe: Probe, mostUnfiltered: number): Iterable<Asked> {
  const { knownPets } = probe.store;
  const filtered = petStatuses.map((status) => ({
    limit: Math.min(knownPets.countListed(status), 10),
    status,
  }));
  const pages: Asked[] = [
    ...[fullPage, 50, defaultPage, 5, 2, 1]
      .slice(0, mostUnfiltered)
      .map((limit) => ({ limit, status: undefined })),
    ...filtered.filter(({ limit }) => limit >= 2),
    ...shortPages(probe)
      .filter(({ limit }) => limit !== undefined)
      .slice(0, mostRepeated),
  ];
  return new Map(pages.map((page) => [queryText(queryOf(page)), page])).values();
}

// Only animals that a listing has shown count.
requirement('LIST-04', {
  phase: 'unspecified',
  leavesTo,
  room: { quick: 'it requests pages of its own', standard: 0, thorough: 6 },
  async probe(probe, unfiltered) {
    const { api, store, retryUntil } = probe;
    await seePages(probe);
    await Promise.all(
      [...pagesToFill(probe, unfiltered)].map(async (page) => {
        const before = store.knownPets.listed(page.status);
        const expected = Math.min(page.limit ?? defaultPage, before.length);
        // Another copy of the store may not have all of them yet.
        const response = await retryUntil(
          () => api.listPets(queryOf(page)),
          ({ length = expected }) => length >= expected,
        );
        if ((response.length ?? expected) < expected) await requestMissing(probe, response, before);
      }),
    );
  },
  *rule(evidence) {
    const { listings, facts } = evidence;
    const pages = listings.pages.filter((page) => {
      return page.limit !== undefined && listings.shownBefore(page).length >= 2;
    });
    const longest = new Map<string, number>();
    const textOf = ({ by }: Page): string => queryText([...by.query]);
    for (const page of pages)
      longest.set(textOf(page), Math.max(page.length, longest.get(textOf(page)) ?? 0));
    for (const page of pages) {
      const { by, limit = defaultPage, length } = page;
      const settled = listings.shownBefore(page, facts.consistencyMs).length;
      const expected = Math.min(limit, settled);
      // What a page omits now and then is no matter of its limit.
      const isShort = (longest.get(textOf(page)) ?? 0) < expected;
      const what = `\`${textOf(page)}\``;
      if (isShort && !stillHolds(evidence, omittedBy(evidence, page), page))
        yield note(`${what} returned ${animals(length)}: what other listings have shown is gone.`);
      else
        yield check(!isShort, by, () => ({
          message: `${what} returned fewer animals than the store holds`,
          expected: `${animals(expected)}: listings have shown ${settled} that match`,
          received: animals(length),
        }));
    }
    if (pages.length > 0) return;
    if (listings.specified.some(({ status }) => status !== 200)) yield left('LIST-01');
    else yield open('listings have shown fewer than two animals');
  },
});

/** Values of `limit` beyond a full page, and such as a careless service takes for no limit, the likeliest first. */
const tooGreat = ['101', '9223372036854775808', '1000', '2147483648', '0', '-1', 'abc'];
/** Those that are sent beside a filter as well. */
const besideFilter = ['101', '2147483648', '9223372036854775808', '0', '-1'];

requirement('LIST-05', {
  phase: 'full store',
  /** How many listings are requested, and whether what is missing is added to a smaller store. */
  room: {
    quick: { queries: 1, fills: false },
    standard: { queries: Infinity, fills: true },
    thorough: { queries: Infinity, fills: true },
  },
  async probe(probe, room) {
    await holdsMoreThanAFullPage(probe, room.fills);
    const { api, store } = probe;
    const known = (status: string): number => store.knownPets.countKnown(status);
    const [fullest = 'sold'] = [...petStatuses].sort((a, b) => known(b) - known(a));
    const queries: Query[] = [
      ...tooGreat.map((limit): Query => [['limit', limit]]),
      ...besideFilter.map((limit): Query => [
        ['limit', limit],
        ['status', fullest],
      ]),
    ];
    await Promise.all(
      queries.slice(0, room.queries).map(async (query) => api.listPets(query, { unspecified: true })),
    );
  },
  *rule({ listings, pets }) {
    const alone = new Map(listings.beyondLimits.map((one) => [one.query.toString(), one]));
    for (const one of listings.beyondLimits) {
      const what = `\`${queryText([...one.query])}\``;
      const isTooLong = one.failure?.kind === 'too-large';
      if (one.status === 401) yield left('AUTH-04');
      else if (one.broken !== undefined || (one.status === undefined && !isTooLong))
        yield left('ROBUST-01', what);
      else if (isTooLong || shownBy(one) > fullPage)
        yield failed(one, {
          message: `${what} returned ${isTooLong ? 'more than the suite reads' : animals(shownBy(one))}${contrast(one, alone)}`,
          expected: 'at most 100 animals, or a refusal with 400',
          received: isTooLong ? String(one) : animals(shownBy(one)),
        });
      else if (pets.known > fullStore) yield passed;
    }
    if (pets.known <= fullStore) yield open(`the store is not known to hold more than ${animals(fullStore)}`);
  },
});

function shownBy({ status, length = 0 }: Exchange): number {
  return status === 200 ? length : 0;
}

/** Whether the filter makes the difference tells where the fault is. */
function contrast({ query }: Exchange, others: ReadonlyMap<string, Exchange>): string {
  const limit = query.get('limit') ?? '';
  const alone = query.size > 1 ? others.get(new URLSearchParams({ limit }).toString()) : undefined;
  if (alone?.length === undefined || shownBy(alone) > fullPage) return '';
  return `, \`limit=${limit}\` alone ${animals(shownBy(alone))}`;
}

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
