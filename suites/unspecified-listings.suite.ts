import { valueText } from '../lib/evidence/animal.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { Pets } from '../lib/evidence/pets.js';
import { queryText, type Query } from '../lib/session/api.js';
import { defaultPage, fullPage } from '../lib/specification/page-size.js';
import { count } from '../lib/explain/count.js';
import { observed } from '../lib/verdict/check.js';
import { notInQuick } from '../lib/verdict/profile.js';
import { requirement } from '../lib/verdict/requirement.js';

/** What the specification leaves open about listings. */

const observing = { phase: 'unspecified', room: notInQuick('it observes') } as const;

/** Limits on which the specification is silent. */
const unspecifiedLimits: readonly Query[] = [
  ...['0', '-1', '101', 'abc', '1.5', ''].map((limit) => ({ limit })),
  [
    ['limit', 1],
    ['limit', 2],
  ],
];

/** How a limit was treated, by the length of the page. */
const treatments: ReadonlyMap<number, string> = new Map([
  [0, 'an empty list'],
  [1, 'as with `limit=1`'],
  [2, 'as with `limit=2`'],
  [3, 'as with `limit=3`'],
  [defaultPage, 'ignored, as without a limit'],
  [fullPage, 'clamped to 100'],
]);

/** A store of few animals may not tell. */
function treatmentOf({ refusal, length, status }: Exchange, known: number): string {
  if (refusal !== undefined) return refusal;
  if (length === undefined) return `${status ?? ''} with a body that is not an array`;
  const treatment =
    length >= known ? "as many as are known, so that it can't be told how" : treatments.get(length);
  return `${count(length, 'animal')}${treatment === undefined ? '' : `: ${treatment}`}`;
}

/** The listings that were requested with these parameters. */
function listingsWith({ listings }: Evidence, query: Query): readonly Exchange[] {
  const text = queryText(query);
  return listings.all.filter((one) => one.broken === undefined && queryText(one.query) === text);
}

requirement('LIST-11', {
  ...observing,
  async probe({ api, evidence }) {
    const before = evidence();
    const missing = unspecifiedLimits.filter((query) => listingsWith(before, query).length === 0);
    await Promise.all(missing.map((query) => api.listPets(query)));
  },
  *rule(evidence) {
    for (const query of unspecifiedLimits)
      for (const one of listingsWith(evidence, query).slice(0, 1))
        yield observed(`\`${queryText(query)}\``, treatmentOf(one, evidence.pets.known), one);
  },
});

const unspecifiedStatuses = ['sleeping', 'Available', ''].map((status) => ({ status }));

requirement('LIST-12', {
  ...observing,
  probe: async ({ api }) => Promise.all(unspecifiedStatuses.map(async (query) => api.listPets(query))),
  *rule(evidence) {
    for (const query of unspecifiedStatuses)
      for (const response of listingsWith(evidence, query).slice(0, 1)) {
        const shown = response.refusal ?? animalsShown(response, evidence.pets);
        yield observed(`\`${queryText(query)}\``, shown, response);
      }
  },
});

/** What a listing shows, by the statuses of its animals: all three, if the filter was ignored. */
function animalsShown({ animals, length, status }: Exchange, pets: Pets): string {
  if (!animals) return `${status ?? ''} with a body that is not an array`;
  if (length === 0) return 'an empty list';
  const states = new Set(
    animals.map((animal) =>
      valueText(animal.shown.status ?? pets.created.get(animal.id)?.animal.shown.status),
    ),
  );
  const ignored = states.size > 1 ? ': the filter is ignored' : '';
  return `${count(animals.length, 'animal')} with ${[...states].sort().join(', ')}${ignored}`;
}

const pagingHeaders =
  /^(link|content-range|x-(?:total|page|per-page|next|prev|pagination|offset|cursor).*|total-count|next-.*)$/i;

requirement('LIST-13', {
  kinds: ['listing'],
  *rule({ listings: { all } }) {
    const served = all.filter(({ status }) => status === 200);
    const [longest] = (served.length > 0 ? served : all).toSorted(
      (a, b) => (b.length ?? 0) - (a.length ?? 0),
    );
    if (!longest) return;
    yield observed('the order of a listing', orderOf(longest), longest);
    const names = served.flatMap(({ response }) => response?.headers.map(([name]) => name) ?? []);
    const paging = [...new Set(names)].filter((name) => pagingHeaders.test(name)).sort();
    yield observed('paging information in headers', paging.join(', ') || 'none', longest);
  },
});

/** How identifiers follow each other in a listing. */
function orderOf({ animals = [] }: Exchange): string {
  const ids = animals.map(({ id }) => BigInt(id));
  if (ids.length < 3) return 'too few animals to tell';
  const pairs = ids.slice(1).map((id, index) => (ids[index] ?? 0n) < id);
  if (pairs.every(Boolean)) return '`id` ascending';
  if (pairs.every((ascending) => !ascending)) return '`id` descending';
  return 'not by `id`';
}
