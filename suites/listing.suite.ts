import * as fc from 'fast-check';
import type { Exchange } from '../lib/http/exchange.js';
import { brokenReason } from '../lib/http/repeat.js';
import { smallestCounterexample } from '../lib/draw/search.js';
import { aftermath, fullPage, showsAnimal, type Page } from '../lib/session/aftermath.js';
import { animalsOf, type Animal } from '../lib/session/animal.js';
import type { Query } from '../lib/session/api.js';
import type { Probe } from '../lib/session/probe.js';
import { petStatuses } from '../lib/specification/schemas.js';
import { describeListing } from '../lib/session/describe-listing.js';
import { Answer, jsonOf } from '../lib/verdict/answer.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { everyExchange, requirement } from '../lib/verdict/requirement.js';
import { judgeAsCreated } from '../lib/session/as-created.js';

/** Section 4.1: what is returned where no limit is given. */
const defaultLimit = 20;

/** A listing's animals; where it was not answered with a listing, that is LIST-01's finding and here unjudged. */
function animalsIn({ trial }: Probe, answer: Answer, what: string): readonly Animal[] | undefined {
  const animals = answer.status === 200 ? animalsOf(answer.json) : undefined;
  if (!animals) trial.unjudged(`${what} was not answered with a listing (see LIST-01)`);
  return animals;
}

/** Probes that try to change an animal of their own: what becomes of it is theirs to judge. */
const changesAnimals: ReadonlySet<string> = new Set(['CREATE-14', 'ROBUST-02']);

function lengthOf(answer: Answer): number | undefined {
  return Array.isArray(answer.json) ? answer.json.length : undefined;
}

/** What LIST-01 asks for: no parameter, and each alone or with the other. */
const shapes: ReadonlyArray<{ what: string; query: Query; fits: (parameters: URLSearchParams) => boolean }> = [
  { what: 'without parameters', query: [], fits: (parameters) => parameters.size === 0 },
  {
    what: 'with `limit`',
    query: [['limit', defaultLimit]],
    // The least and the greatest are LIST-02's.
    fits: (parameters) => parameters.get('limit') === String(defaultLimit) && parameters.size === 1,
  },
  { what: 'with `status`', query: [['status', 'available']], fits: (parameters) => parameters.has('status') },
];

// Judged on a listing of each shape that the run has asked for anyhow; what is missing is asked for.
requirement('LIST-01', { phase: 'whole run' }, async (probe) => {
  const { trial, api, exchanges } = probe;
  const valid = exchanges.filter(
    ({ operation, credential, input, purpose }) =>
      operation === 'listPets' && credential === 'valid' && input === 'specified' && purpose !== 'survey',
  );
  let shown = 0;
  for (const { what, query, fits } of shapes) {
    const known = valid.findLast(({ request }) => fits(new URL(request.url).searchParams));
    const answer = known ? new Answer(known) : await api.listPets(query);
    if (!trial.status(answer, 200, `\`GET /pets\` ${what}`)) continue;
    if (!trial.whole(answer, `\`GET /pets\` ${what}`)) continue;
    const { json } = answer;
    const bare = Array.isArray(json) && json.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
    shown += lengthOf(answer) ?? 0;
    trial.check(
      bare,
      { message: `\`GET /pets\` ${what} gives no bare array of Pet`, expected: 'a JSON array of objects', received: String(answer) },
      answer,
    );
  }
  if (shown === 0) trial.unjudged('no listing showed an animal');
});

/** A limit is taken, and kept: at most so many. */
async function isAtMost({ api, store, trial, profile, exchanges }: Probe, limit: number): Promise<void> {
  // Quick has asked for the full page already, to see what was created.
  const known = exchanges.find(
    (exchange) =>
      exchange.purpose === 'aftermath' &&
      exchange.request.url.endsWith(`/pets?limit=${limit}`) &&
      brokenReason(exchange) === undefined,
  );
  const answer = profile === 'quick' && known ? new Answer(known) : await api.listPets([['limit', limit]]);
  if ((await store.survey()).status !== 200) {
    trial.unjudged('no listing without a limit was accepted either (see LIST-01)');
    return;
  }
  if (!trial.status(answer, 200, `\`limit=${limit}\``)) return;
  const length = lengthOf(answer);
  if (length === undefined) trial.unjudged(`\`limit=${limit}\` was not answered with a listing (see LIST-01)`);
  else {
    trial.check(
      length <= limit,
      { message: `\`limit=${limit}\` gives more than ${limit}`, expected: `at most ${limit} animals`, received: `${length} animals` },
      answer,
    );
  }
}

requirement('LIST-02', { phase: 'full store' }, async (probe) => {
  const { store, trial, draw, depth } = probe;
  if (!store.readOnly) await store.holdsMoreThan(probe.profile === 'quick' ? defaultLimit : fullPage).catch(unlessInconclusive);
  const { known } = store.herd;
  if (known <= 1) {
    trial.unjudged('the store shows no two animals, so that no limit cuts anything off');
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

requirement('LIST-03', { phase: 'listings', quiet: true }, async (probe) => {
  const { api, store, trial, eventually } = probe;
  await store.holdsMoreThan(defaultLimit);
  const pair = await eventually(
    async () => {
      const without = await api.listPets();
      return { without, withDefault: await api.listPets([['limit', defaultLimit]]) };
    },
    ({ without, withDefault }) => lengthOf(without) === lengthOf(withDefault) && lengthOf(without) === defaultLimit,
  );
  const { without, withDefault } = pair;
  const [bare, limited] = [lengthOf(without), lengthOf(withDefault)];
  if (bare === undefined || limited === undefined) {
    trial.unjudged('a listing was not answered with an array (see LIST-01)');
    return;
  }
  trial.check(
    bare <= defaultLimit,
    { message: 'without `limit` more than 20 animals come', expected: 'at most 20 animals', received: `${bare} animals` },
    without,
  );
  trial.check(
    bare === limited,
    {
      message: 'without `limit` another number of animals comes than with `limit=20`',
      expected: `${limited} animals, as with \`limit=20\``,
      received: `${bare} animals`,
    },
    withDefault,
    without,
  );
});

// Only animals that a listing has shown count: one that none shows is LIST-08's.
requirement('LIST-04', { phase: 'margins', notInQuick: 'it asks for pages of its own' }, async (probe) => {
  const { api, store, trial, depth } = probe;
  const { herd } = store;
  const most = Math.min(herd.countListed(), fullPage);
  const limits = [...new Set([1, 2, 5, defaultLimit, 50, most])].filter((limit) => limit >= 1 && limit <= most);
  const queries: Array<{ query: Query; limit: number; known: number }> = limits
    .slice(-depth({ quick: 1, standard: 3, thorough: 6 }))
    .map((limit) => ({ query: [['limit', limit]], limit, known: herd.countListed() }));
  for (const status of petStatuses) {
    const known = herd.countListed(status);
    const limit = Math.min(known, 10);
    if (limit >= 2) queries.push({ query: [['limit', limit], ['status', status]], limit, known });
  }
  if (queries.length === 0) trial.unjudged('no listing has shown an animal');
  await Promise.all(
    queries.map(async ({ query, limit, known }) => {
      const answer = await api.listPets(query);
      const length = lengthOf(answer);
      if (answer.status !== 200 || length === undefined) {
        trial.unjudged(`${described(query)} was not answered with a listing (see LIST-01)`);
        return;
      }
      trial.check(
        length >= limit,
        {
          message: `${described(query)} gives fewer, though the store holds as many`,
          expected: `${limit} animals: listings have shown ${known} that match`,
          received: `${length} animals`,
        },
        answer,
      );
    }),
  );
});

function described(query: Query): string {
  return `\`${query.map(([name, value]) => `${name}=${value}`).join('&')}\``;
}

requirement('LIST-05', { phase: 'full store', notInQuick: 'it needs a store of more than 100 animals' }, async (probe) => {
  const { api, store, trial, eventually } = probe;
  await store.holdsMoreThan(fullPage);
  // Not before a page is full can a page be too long.
  await eventually(
    () => store.api('stock').listPets([['limit', fullPage]]),
    (listing) => (lengthOf(listing) ?? fullPage) >= fullPage,
  );
  await Promise.all(
    ['101', '1000', '2147483648', '9223372036854775808'].map(async (limit) => {
      const answer = await api.listPets([['limit', limit]], { silent: true });
      const length = answer.status === 200 ? lengthOf(answer) : undefined;
      const tooLong = answer.exchange.failure?.kind === 'too-large';
      if (answer.status === undefined && !tooLong) trial.unjudged(`\`limit=${limit}\` was not answered`);
      else {
        trial.check(
          !tooLong && (length ?? 0) <= fullPage,
          { message: `\`limit=${limit}\` gives more than 100`, expected: 'at most 100 animals, or a refusal', received: tooLong ? String(answer) : `${length ?? 0} animals` },
          answer,
        );
      }
    }),
  );
});

requirement('LIST-06', { phase: 'aftermath' }, async (probe) => {
  const { trial, store, api } = probe;
  const pages = store.readOnly
    ? await Promise.all(petStatuses.map(async (status) => ({ status, answer: await api.listPets([['status', status]]) })))
    : (await aftermath(probe)).pages;
  for (const { status, answer } of pages) {
    if (status === undefined) continue;
    const what = `\`status=${status}\``;
    const animals = animalsIn(probe, answer, what);
    if (!animals) continue;
    if (animals.length === 0) trial.unjudged(`${what} showed no animal`);
    else judgeStatus(probe, answer, animals, status);
  }
});

function judgeStatus({ trial }: Probe, answer: Answer, animals: readonly Animal[], status: string): boolean {
  const other = animals.find(({ shown }) => shown.status !== status);
  return trial.check(
    other === undefined,
    {
      message: `\`status=${status}\` gives animals of another status`,
      expected: `animals with \`status\` ${status} alone`,
      received: other === undefined ? '' : describeListing(other),
    },
    answer,
  );
}

requirement('LIST-07', { phase: 'aftermath' }, async (probe) => {
  const { api, trial, store, draw, depth } = probe;
  if (!store.readOnly) await aftermath(probe);
  const pairs = fc.record({ limit: fc.integer({ min: 1, max: 8 }), status: fc.constantFrom(...petStatuses) });
  const count = (status: string): number => store.herd.countCreated(status);
  const examples = [...petStatuses].sort((a, b) => count(a) - count(b)).map((status) => ({ limit: 1, status }));
  const search = {
    seed: draw.seed(),
    runs: depth({ quick: 0, standard: 4, thorough: 30 }),
    examples: examples.slice(-depth({ quick: 1, standard: 3, thorough: 3 })),
    shrinkBudget: probe.shrinkBudget,
  };
  const seen = new Map<string, { answer: Answer; animals: readonly Animal[] }>();
  let shown = 0;
  const found = await smallestCounterexample(pairs, search, async ({ limit, status }) => {
    const answer = await api.listPets([
      ['limit', limit],
      ['status', status],
    ]);
    const animals = animalsIn(probe, answer, `\`limit=${limit}&status=${status}\``);
    if (!animals) return true;
    shown += animals.length;
    seen.set(`${limit} ${status}`, { answer, animals });
    return animals.length <= limit && animals.every((animal) => animal.shown.status === status);
  });
  if (!found) {
    if (shown === 0) trial.unjudged('no pair of `limit` and `status` showed an animal');
    for (const { answer } of seen.values()) trial.check(true, { message: 'holds' }, answer);
    return;
  }
  const { limit, status } = found.value;
  const { answer, animals } = seen.get(`${limit} ${status}`) ?? { answer: undefined, animals: [] };
  const stray = animals.find((animal) => animal.shown.status !== status);
  trial.check(
    false,
    {
      message: '`limit` and `status` do not hold together',
      expected: `at most ${limit} animals, all of them ${status}`,
      received: stray ? `among them: ${describeListing(stray)}` : `${(answer && lengthOf(answer)) ?? 0} animals`,
    },
    ...(answer ? [answer] : []),
  );
});

// Judged when all listings of the run are in: whether a page is full is told by how long the others were.
requirement('LIST-08', { phase: 'whole run' }, async (probe) => {
  const { trial, store, exchanges } = probe;
  const { control, pages } = await aftermath(probe);
  const longest = Math.max(...exchanges.filter(({ operation }) => operation === 'listPets').map((exchange) => lengthOf(new Answer(exchange)) ?? 0));
  let unseen = 0;
  for (const page of pages) {
    const what = page.status === undefined ? 'the listing' : `the listing with \`status=${page.status}\``;
    if (!page.animals) {
      trial.unjudged(`${what} was not answered with a listing (see LIST-01)`);
      continue;
    }
    const own = [...store.herd.created.values()].filter(
      ({ animal, exchange }) =>
        !changesAnimals.has(exchange.purpose) &&
        answeredBefore(exchange, page.answer.exchange) &&
        (page.status === undefined || animal.shown.status === page.status),
    );
    const missing = own.filter(({ animal }) => !showsAnimal(page, animal));
    if (missing.length > 0 && mayBeFull(page, longest)) {
      if (!showsAnimal(page, control.animal)) unseen += 1;
      continue;
    }
    const [first] = missing;
    trial.check(
      missing.length === 0,
      {
        message: `a created animal is missing from ${what}`,
        expected: `all of the ${own.length} that were created are there: the page is not full`,
        received: first === undefined ? '' : `${missing.length} missing, among them ${describeListing(first.animal)}`,
      },
      ...(first ? [new Answer(first.exchange)] : []),
      page.answer,
    );
  }
  if (unseen === 0) return;
  const underStatus = pages.find(({ status }) => status === control.status);
  if (underStatus && showsAnimal(underStatus, control.animal)) {
    trial.note('A full page without filter does not show the created animal; it is listed under its status.');
    return;
  }
  trial.unjudged('the created animal is on no page: the pages are full, and it may be on a later one');
});

/**
 * Whether what is missing from a page of this length may stand on a later one: it holds as many as were asked
 * for, or as many as any page of
 * the run and a round number, as of a target that gives shorter pages (LIST-03's and LIST-04's to say).
 */
function mayBeFull({ animals = [], limit }: Page, longest: number): boolean {
  const { length } = animals;
  return length >= limit || (length > 0 && length >= longest && length % 5 === 0);
}

function answeredBefore(first: Exchange, second: Exchange): boolean {
  return Date.parse(first.sentAt) + first.timing.total <= Date.parse(second.sentAt);
}

everyExchange('LIST-09', ['listing'], (trial) => ({
  see(exchange) {
    const json = exchange.operation === 'listPets' && exchange.response?.status === 200 ? jsonOf(exchange) : undefined;
    const animals = json?.ok ? animalsOf(json.value) : undefined;
    if (!animals || animals.length === 0) return;
    const seen = new Set<string>();
    const twice = animals.find(({ id }) => seen.size === seen.add(id).size);
    trial.check(
      twice === undefined,
      { message: 'a listing shows an identifier twice', expected: 'distinct identifiers', received: `\`id\` ${twice?.id ?? ''} twice` },
      new Answer(exchange),
    );
  },
}));

everyExchange('LIST-10', ['creation', 'listing'], (trial) => {
  const created = new Map<string, { animal: Animal; answer: Answer }>();
  const ambiguous = new Set<string>();
  const listings: Array<{ answer: Answer; animals: readonly Animal[] }> = [];
  return {
    see(exchange) {
      const json = jsonOf(exchange);
      if (!json.ok) return;
      if (exchange.operation === 'createPet' && exchange.response?.status === 201 && !changesAnimals.has(exchange.purpose)) {
        const [animal] = animalsOf([json.value]) ?? [];
        if (animal && created.has(animal.id)) ambiguous.add(animal.id);
        if (animal) created.set(animal.id, { animal, answer: new Answer(exchange) });
      }
      if (exchange.operation === 'listPets' && exchange.response?.status === 200) {
        const animals = (animalsOf(json.value) ?? []).filter(({ id }) => created.has(id));
        if (animals.length > 0) listings.push({ answer: new Answer(exchange), animals });
      }
    },
    conclude() {
      for (const { answer, animals } of listings) {
        for (const animal of animals) {
          const creation = created.get(animal.id);
          // Two creations under one identifier are CREATE-04's.
          if (creation && !ambiguous.has(animal.id)) judgeAsCreated(trial, creation, { animal, answer }, 'the listing');
        }
      }
    },
  };
});

