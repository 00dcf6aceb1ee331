import * as fc from 'fast-check';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Page } from '../lib/evidence/requests.js';
import type { Pets } from '../lib/evidence/pets.js';
import { belongs } from '../lib/evidence/presence.js';
import type { Query } from '../lib/http/exchange/planned-request.js';
import { queryText } from '../lib/session/api.js';
import { sideEffects } from '../lib/session/side-effects.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { defaultPage, fullPage } from '../lib/specification/page-size.js';
import { count } from '../lib/explain/count.js';
import { ifPossible, NotTested } from '../lib/verdict/outcome.js';
import { requirement } from '../lib/verdict/requirement.js';
import { fullStore } from '../lib/session/store.js';
import { check, failed, left, note, open, passed, type Checks } from '../lib/verdict/check.js';
import { answers, unanswered } from '../lib/verdict/verbs.js';

const animals = (number: number): string => count(number, 'animal');

requirement('LIST-02', {
  phase: 'full store',
  needs: 'listPets',
  room: {
    quick: { limits: [1, fullPage], drawn: 0, animals: defaultPage },
    standard: { limits: [1, 2, 9, 10, 50, 99, fullPage], drawn: 1, animals: fullStore },
    thorough: { limits: [1, 2, 9, 10, 50, 99, fullPage], drawn: 40, animals: fullStore },
  },
  async probe({ api, store, draw }, room) {
    await ifPossible(store.fill(room.animals));
    const drawn = draw.some(fc.integer({ min: 3, max: 98 }), room.drawn);
    await Promise.all([...new Set([...room.limits, ...drawn])].map((limit) => api.listPets({ limit })));
  },
  *rule({ listings, pets }) {
    for (const one of listings.specified) {
      if (one.query.size !== 1 || !one.query.has('limit')) continue;
      const { limit = defaultPage, length, status } = one;
      const what = `\`limit=${limit}\``;
      if (status !== 200 || one.broken !== undefined) yield answers(one, 200, what);
      else if (length === undefined) yield left('LIST-01', what);
      else
        yield check(length <= limit, one, () => ({
          message: `${what} returned ${animals(length)}`,
          expected: `at most ${animals(limit)}`,
          received: animals(length),
        }));
    }
    if (pets.count() < 2) yield open('the store shows fewer than two animals: no limit can cut any off');
  },
});

requirement('LIST-03', {
  phase: 'listings',
  /** Whether the default is tried beside a filter, too: it may have one of its own. */
  room: { quick: false, standard: true, thorough: true },
  async probe({ api, store, retryUntil }, triesFilter) {
    await store.fill(defaultPage);
    const fullest = petStatuses.toSorted((a, b) => store.pets.count(b) - store.pets.count(a));
    for (const status of triesFilter ? [undefined, fullest[0]] : [undefined])
      await retryUntil(
        async () => [await api.listPets({ status }), await api.listPets({ limit: defaultPage, status })],
        ([bare, limited]) =>
          bare?.length === limited?.length && (status !== undefined || bare?.length === defaultPage),
      );
  },
  *rule(evidence) {
    const { listings, pets } = evidence;
    for (const page of listings.pages)
      if (page.limit === undefined)
        yield check(page.length <= defaultPage, page, () => ({
          message: 'without `limit`, more than 20 animals are returned',
          expected: 'at most 20 animals',
          received: animals(page.length),
        }));
    const pairs = sameListings(evidence);
    for (const [bare, limited] of pairs) yield* areEquallyLong(bare, limited, evidence);
    if (!pairs.some(([{ filter }]) => filter === undefined))
      yield open(
        'no listing without a limit has one with `limit=20` behind it and no creation between the two',
      );
    if (pets.count() <= defaultPage) yield open(`the store shows no more than ${animals(defaultPage)}`);
  },
});

/** For each filter the last two listings without a limit and with the default one between which nothing was created. */
function sameListings({
  all,
  listings: { pages },
}: Evidence): ReadonlyArray<readonly [bare: Page, limited: Page]> {
  const creations = all.filter(
    ({ operation, status = 0 }) => operation === 'createPet' && (status < 400 || status >= 500),
  );
  const pairs = pages.flatMap((limited) => {
    const { limit, filter, sentAt, endedAt } = limited;
    const bare = pages.findLast(
      (one) => one.limit === undefined && one.filter === filter && one.endedAt <= sentAt,
    );
    const isQuiet = creations.every((one) => one.endedAt < (bare?.sentAt ?? 0) || one.sentAt > endedAt);
    return limit === defaultPage && bare && isQuiet ? [[filter, [bare, limited]] as const] : [];
  });
  return [...new Map(pairs).values()];
}

/** Checks that two pages are equally long, but for what other clients add or remove in between. */
function* areEquallyLong(bare: Page, limited: Page, evidence: Evidence): Checks {
  const [shorter = bare, longer = bare] = [bare, limited].toSorted((one, other) => one.length - other.length);
  if (bare.filter === undefined && longer.length < defaultPage)
    return void (yield open(`no page holds ${animals(defaultPage)}: other clients may remove some`));
  const isWhole = shorter.length === longer.length || omittedBy(evidence, shorter).length === 0;
  const beside = bare.filter === undefined ? '' : `, with a filter,`;
  yield check(isWhole, [limited, bare], () => ({
    message: `\`limit=20\` and no limit${beside} do not return equally many animals`,
    expected: `${animals(longer.length)} with both`,
    received: `${animals(limited.length)} with \`${queryText(limited.query)}\`, ${bare.length} without`,
  }));
}

/** Animals that listings had shown under a page's filter since `ms` before the page was requested. */
function shownBefore({ filter, sentAt }: Page, pets: Pets, ms = 0): ReadonlySet<string> {
  return pets.listedUnder(filter, sentAt - ms);
}

/** What a page omits of the animals that listings had shown for the consistency time. */
function omittedBy({ pets, facts }: Evidence, page: Page): string[] {
  const shown = new Set(page.animals.map(({ id }) => id));
  return [...shownBefore(page, pets, facts.consistencyMs)].filter((id) => !shown.has(id));
}

// Only animals that a listing has shown count.
requirement('LIST-04', {
  phase: 'unspecified',
  needs: 'listPets',
  notInQuick: 'it requests pages of its own',
  async probe(probe) {
    const { api, store, retryUntil } = probe;
    // A run of this requirement alone has seen no page yet.
    if (!store.readOnly) await ifPossible(sideEffects(probe));
    const { pets } = store;
    const short = probe.evidence().listings.pages.flatMap((page) => {
      const { limit = 0, filter, length } = page;
      return length < Math.min(limit, shownBefore(page, pets).size) ? [{ limit, status: filter }] : [];
    });
    const pages = [
      ...petStatuses.map((status) => ({ limit: Math.min(pets.listedUnder(status).size, 10), status })),
      // Four that were short before: now nothing is added.
      ...short.slice(0, 4),
    ];
    for (const { limit, status } of pages.filter((page) => page.limit >= (page.status ? 2 : 1)))
      // Another copy of the store may not have all of them yet.
      await retryUntil(
        () => api.listPets({ limit, status }),
        ({ length = limit }) => length >= Math.min(limit, pets.listedUnder(status).size),
      );
    // What short pages omit is still there if the run created it, or if a later page shows it.
    if (store.readOnly && short.length > 0)
      await Promise.all(petStatuses.map((status) => api.listPets({ limit: fullPage, status })));
  },
  *rule(evidence) {
    const { listings, facts, pets } = evidence;
    const pages = listings.pages.filter((page) => {
      const { limit, length } = page;
      return limit !== undefined && ((length > 1 && length >= limit) || shownBefore(page, pets).size > 1);
    });
    // What a page omits now and then is no matter of its limit: of several, the last is judged.
    const last = new Map(pages.map((page) => [queryText(page.query), page]));
    for (const [text, page] of last) {
      const { limit = defaultPage, length } = page;
      const settled = length >= limit ? limit : shownBefore(page, pets, facts.consistencyMs).size;
      const expected = Math.min(limit, settled);
      const isShort = length < expected;
      // Other clients may remove animals of theirs, or change their status.
      const isThere = (id: string): boolean => {
        const pet = pets.created.get(id);
        return pet?.isOwn ? belongs(pet, page.filter) : listings.isShownAfter(id, page, page.filter);
      };
      if (isShort && !omittedBy(evidence, page).some(isThere))
        yield note(`\`${text}\` returned ${animals(length)}: what other listings have shown is gone.`);
      else
        yield check(!isShort, page, () => ({
          message: `\`${text}\` returned fewer animals than the store holds`,
          expected: `${animals(expected)}: listings have shown ${settled} that match`,
          received: animals(length),
        }));
    }
  },
});

/** Values of `limit` beyond a full page, and such as a careless service takes for no limit, the likeliest first. */
const tooGreat = ['101', '9223372036854775808', '1000', '2147483648', '0', '-1', 'abc'];
/** Those that are sent beside a filter as well. */
const besideFilter = ['101', '2147483648', '9223372036854775808', '0', '-1'];

requirement('LIST-05', {
  phase: 'full store',
  /** How many listings are requested. Quick adds nothing to a smaller store. */
  room: { quick: 1, standard: Infinity, thorough: Infinity },
  async probe({ api, store, retryUntil }, most) {
    if (most > 1) {
      await store.fill(fullStore);
      // No page can be too long before one is full.
      await retryUntil(
        () => store.api('stock').listPets({ limit: fullPage }),
        ({ length = fullPage }) => length >= fullPage,
      );
    } else if (store.pets.count() <= fullStore)
      throw new NotTested(
        `the profile has no room to fill the store: it is not known to hold more than ${fullStore} animals`,
      );
    const [fullest] = petStatuses.toSorted((a, b) => store.pets.count(b) - store.pets.count(a));
    const queries: Query[] = [
      ...tooGreat.map((limit) => ({ limit })),
      ...besideFilter.map((limit) => ({ limit, status: fullest ?? 'sold' })),
    ];
    await Promise.all(queries.slice(0, most).map((query) => api.listPets(query)));
  },
  *rule({ listings, pets }) {
    for (const one of listings.unspecifiedOnlyBy('limit')) {
      const { status, length = 0, failure } = one;
      const what = `\`${queryText(one.query)}\``;
      const isTooLong = failure?.kind === 'too-large';
      const returned = isTooLong ? 'more than the suite reads' : animals(length);
      if (isTooLong || (status === 200 && length > fullPage))
        yield failed(one, {
          message: `${what} returned ${returned}`,
          expected: 'at most 100 animals, or a refusal with 400',
          received: returned,
        });
      else yield unanswered(one, what) ?? passed;
    }
    if (pets.count() <= fullStore)
      yield open(`the store is not known to hold more than ${animals(fullStore)}`);
  },
});
