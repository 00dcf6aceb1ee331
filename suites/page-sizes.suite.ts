import * as fc from 'fast-check';
import { type Exchange, isComplete } from '../lib/http/exchange/exchange.js';
import { fullPage } from '../lib/session/side-effects.js';
import type { Query } from '../lib/session/api.js';
import { atMost, lengthOf } from '../lib/session/describe-listing.js';
import { missesPets } from '../lib/session/missing-pets.js';
import type { Probe } from '../lib/session/probe.js';
import { shortPages } from '../lib/session/short-pages.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { ApiResponse } from '../lib/verdict/api-response.js';
import { Inconclusive, NotTested } from '../lib/verdict/outcome.js';
import { requirement } from '../lib/requirement/requirement.js';

/** Section 4.1: what is returned where no limit is given. */
const defaultLimit = 20;

/** A limit is taken, and kept: at most so many. */
async function isAtMost({ api, store, judgement, profile, exchanges }: Probe, limit: number): Promise<void> {
  // Quick has asked for the full page already, to see what was created.
  const known = exchanges.find(
    (exchange) =>
      exchange.purpose === 'side effects' &&
      exchange.request.url.endsWith(`/pets?limit=${limit}`) &&
      isComplete(exchange),
  );
  const response =
    profile === 'quick' && known ? new ApiResponse(known) : await api.listPets([['limit', limit]]);
  if ((await store.listing()).status !== 200) {
    judgement.leaveOpen('no listing without a limit was accepted either (see LIST-01)');
    return;
  }
  if (!judgement.status(response, 200, `\`limit=${limit}\``)) return;
  const length = lengthOf(response);
  if (length === undefined)
    judgement.leaveOpen(`\`limit=${limit}\` was not answered with a listing (see LIST-01)`);
  else {
    judgement.check(
      length <= limit,
      {
        message: `\`limit=${limit}\` gives more than ${limit}`,
        expected: atMost(limit),
        received: `${length} animals`,
      },
      response,
    );
  }
}

requirement('LIST-02', { phase: 'full store' }, async (probe) => {
  const { store, judgement, draw, depth } = probe;
  if (!store.readOnly)
    await store.holdsMoreThan(probe.profile === 'quick' ? defaultLimit : fullPage).catch(unlessInconclusive);
  const { known } = store.knownPets;
  if (known <= 1) {
    judgement.leaveOpen('the store shows no two animals, so that no limit cuts anything off');
    return;
  }
  const drawn = draw.some(fc.integer({ min: 3, max: 99 }), depth({ quick: 0, standard: 5, thorough: 40 }));
  const limits = probe.profile === 'quick' ? [1, 100] : [1, 2, 100, ...drawn];
  await Promise.all([...new Set(limits)].map((limit) => isAtMost(probe, limit)));
});

/** A smaller store than hoped for still shows a limit that is not kept. */
function unlessInconclusive(error: unknown): void {
  if (!(error instanceof Inconclusive)) throw error;
}

function listingsWithoutLimit(exchanges: readonly Exchange[]): ApiResponse[] {
  return exchanges
    .filter(
      ({ operation, credential, input, request, response }) =>
        operation === 'listPets' &&
        credential === 'valid' &&
        input === 'specified' &&
        response?.status === 200 &&
        !new URL(request.url).searchParams.has('limit'),
    )
    .map((exchange) => new ApiResponse(exchange));
}

requirement('LIST-03', { phase: 'listings', exclusive: true }, async (probe) => {
  const { api, store, judgement, retryUntil, exchanges } = probe;
  await store.holdsMoreThan(defaultLimit);
  const before = store.knownPets.listed();
  const pair = await retryUntil(
    async () => {
      const without = await api.listPets();
      return { without, withDefault: await api.listPets([['limit', defaultLimit]]) };
    },
    ({ without, withDefault }) =>
      lengthOf(without) === lengthOf(withDefault) && lengthOf(without) === defaultLimit,
  );
  const { without, withDefault } = pair;
  const [bare, limited] = [lengthOf(without), lengthOf(withDefault)];
  if (bare === undefined || limited === undefined) {
    judgement.leaveOpen('a listing was not answered with an array (see LIST-01)');
    return;
  }
  const fewer = Math.max(bare, limited) < defaultLimit && !(await missesPets(probe, withDefault, before));
  // With a filter or without: what other probes asked for without a limit counts, too.
  for (const response of [...listingsWithoutLimit(exchanges), without]) {
    const length = lengthOf(response) ?? 0;
    judgement.check(
      length <= defaultLimit,
      {
        message: 'without `limit` more than 20 animals come',
        expected: 'at most 20 animals',
        received: `${length} animals`,
      },
      response,
    );
  }
  if (fewer) {
    judgement.leaveOpen(`the store no longer holds more than ${defaultLimit} animals: others remove some`);
    return;
  }
  judgement.check(
    bare === limited,
    {
      message: 'without `limit` another number of animals comes than with `limit=20`',
      expected: `${limited} animals, as with \`limit=20\``,
      received: `${bare} animals`,
    },
    withDefault,
    without,
  );
  await judgeFiltered(probe);
});

/** A filter may have a default of its own: what was short under one is asked for again, with 20 as the limit and without. */
async function judgeFiltered({ api, judgement, retryUntil, exchanges }: Probe): Promise<void> {
  const short = shortPages(exchanges, defaultLimit).filter(({ limit }) => limit === undefined);
  for (const { status } of short) {
    if (status === undefined) continue;
    const [without, withDefault] = await retryUntil(
      async () => [
        await api.listPets([['status', status]]),
        await api.listPets([
          ['status', status],
          ['limit', defaultLimit],
        ]),
      ],
      ([bare, limited]) =>
        bare !== undefined && limited !== undefined && lengthOf(bare) === lengthOf(limited),
    );
    const [bare, limited] = [without && lengthOf(without), withDefault && lengthOf(withDefault)];
    if (!without || !withDefault || bare === undefined || limited === undefined) continue;
    judgement.check(
      bare === limited,
      {
        message: 'beside a filter, without `limit` another number of animals comes than with `limit=20`',
        expected: `${limited} animals, as with \`status=${status}&limit=20\``,
        received: `${bare} animals`,
      },
      withDefault,
      without,
    );
  }
}

/**
 * A run of LIST-04 alone has seen no page yet. Where no page was as long as the store allows, the pages of each status
 * may show what is missing.
 */
async function seePages({ api, store, retryUntil }: Probe): Promise<void> {
  const { knownPets } = store;
  if (knownPets.countListed() >= Math.min(knownPets.known, fullPage) && knownPets.countListed() > 1) return;
  if (knownPets.countListed() <= 1) {
    if (!store.readOnly) await store.holdsMoreThan(defaultLimit).catch(unlessInconclusive);
    await retryUntil(
      () => api.listPets([['limit', fullPage]]),
      (listing) => (lengthOf(listing) ?? fullPage) >= Math.min(knownPets.known, fullPage),
    );
  }
  await Promise.all(
    petStatuses.map((status) =>
      api.listPets([
        ['status', status],
        ['limit', fullPage],
      ]),
    ),
  );
}

/** Short pages of other probes that LIST-04 asks for again. */
const mostRepeated = 4;

// Only animals that a listing has shown count: one that none shows is LIST-08's.
requirement(
  'LIST-04',
  { phase: 'unspecified', notInQuick: 'it asks for pages of its own' },
  async (probe) => {
    const { api, store, judgement, depth, retryUntil, exchanges } = probe;
    const { knownPets } = store;
    await seePages(probe);
    const most = Math.min(knownPets.countListed(), fullPage);
    const limits = [...new Set([1, 2, 5, defaultLimit, 50, most])].filter(
      (limit) => limit >= 1 && limit <= most,
    );
    const queries: Array<{ query: Query; limit: number; known: number; status?: string }> = limits
      .slice(-depth({ quick: 1, standard: 3, thorough: 6 }))
      .map((limit) => ({ query: [['limit', limit]], limit, known: knownPets.countListed() }));
    for (const status of petStatuses) {
      const known = knownPets.countListed(status);
      const limit = Math.min(known, 10);
      if (limit >= 2)
        queries.push({
          query: [
            ['limit', limit],
            ['status', status],
          ],
          limit,
          known,
          status,
        });
    }
    // What other probes asked for shows shortness, too: it is asked for again, now that nothing is added.
    const short = shortPages(exchanges, defaultLimit).filter((page) => page.limit !== undefined);
    for (const { limit = defaultLimit, status, known } of short.slice(0, mostRepeated)) {
      const query: Query = [['limit', limit], ...(status === undefined ? [] : [['status', status] as const])];
      if (!queries.some((other) => described(other.query) === described(query)))
        queries.push({
          query,
          limit: Math.min(limit, known),
          known,
          ...(status === undefined ? {} : { status }),
        });
    }
    if (queries.length === 0) judgement.leaveOpen('no listing has shown an animal');
    await Promise.all(
      queries.map(async ({ query, limit, known, status }) => {
        const before = knownPets.listed(status);
        // Another copy of the store may not have all of them yet.
        const response = await retryUntil(
          () => api.listPets(query),
          (listing) => (lengthOf(listing) ?? limit) >= limit,
        );
        const length = lengthOf(response);
        if (response.status !== 200 || length === undefined) {
          judgement.leaveOpen(`${described(query)} was not answered with a listing (see LIST-01)`);
          return;
        }
        if (length < limit && !(await missesPets(probe, response, before, status))) {
          judgement.note(
            `${described(query)} gives ${length} animals: what other listings have shown is gone.`,
          );
          return;
        }
        judgement.check(
          length >= limit,
          {
            message: `${described(query)} gives fewer, though the store holds as many`,
            expected: `${limit} animals: listings have shown ${known} that match`,
            received: `${length} animals`,
          },
          response,
        );
      }),
    );
  },
);

function described(query: Query): string {
  return `\`${query.map(([name, value]) => `${name}=${value}`).join('&')}\``;
}

/** Values of `limit` beyond a full page, and such as a careless service takes for no limit; quick asks the first two. */
const tooMuch = ['101', '9223372036854775808', '1000', '2147483648', '0', '-1', 'all'];

requirement('LIST-05', { phase: 'full store' }, async (probe) => {
  const { api, judgement, depth } = probe;
  await holdsMoreThanAFullPage(probe);
  const limits = tooMuch.slice(0, depth({ quick: 2, standard: tooMuch.length, thorough: tooMuch.length }));
  await Promise.all(
    limits.map(async (limit) => {
      const response = await api.listPets([['limit', limit]], { silent: true });
      const length = response.status === 200 ? lengthOf(response) : undefined;
      const tooLong = response.exchange.failure?.kind === 'too-large';
      if (response.status === undefined && !tooLong)
        judgement.leaveOpen(`\`limit=${limit}\` was not answered`);
      else {
        judgement.check(
          !tooLong && (length ?? 0) <= fullPage,
          {
            message: `\`limit=${limit}\` gives more than 100`,
            expected: 'at most 100 animals, or a refusal',
            received: tooLong ? String(response) : `${length ?? 0} animals`,
          },
          response,
        );
      }
    }),
  );
});

/** Quick adds nothing to a smaller store; what it has created and seen until now shows how large it is. */
async function holdsMoreThanAFullPage({ store, profile, retryUntil }: Probe): Promise<void> {
  if (profile === 'quick') {
    if (store.knownPets.known > fullPage) return;
    throw new NotTested(
      'the quick profile has no room for it: the store is not known to hold more than 100 animals',
    );
  }
  await store.holdsMoreThan(fullPage);
  // Not before a page is full can a page be too long.
  await retryUntil(
    () => store.api('stock').listPets([['limit', fullPage]]),
    (listing) => (lengthOf(listing) ?? fullPage) >= fullPage,
  );
}
