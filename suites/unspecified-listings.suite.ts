import { valueText, type Animal } from '../lib/evidence/animal.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { queryText, type Query } from '../lib/session/api.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { defaultPage, fullPage } from '../lib/specification/page-size.js';
import { count } from '../lib/explain/count.js';
import { observed } from '../lib/verdict/check.js';
import { notInQuick } from '../lib/verdict/profile.js';
import { requirement } from '../lib/verdict/requirement.js';

/** What the specification leaves open about listings. */

/** Observes what comes of queries on which the specification is silent, whoever sent them. */
function observesQueries(
  id: RequirementId,
  queries: readonly Query[],
  treatmentOf: (one: Exchange, evidence: Evidence) => string,
): void {
  const firstOfEach = ({ listings }: Evidence): ReadonlyMap<string, Exchange> => {
    const whole = listings.all.filter(({ broken }) => broken === undefined);
    return new Map(whole.toReversed().map((one) => [queryText(one.query), one]));
  };
  requirement(id, {
    phase: 'unspecified',
    room: notInQuick('it observes'),
    async probe({ api, evidence }) {
      const sent = firstOfEach(evidence());
      const missing = queries.filter((query) => !sent.has(queryText(query)));
      await Promise.all(missing.map((query) => api.listPets(query)));
    },
    *rule(evidence) {
      const sent = firstOfEach(evidence);
      for (const query of queries.map(queryText)) {
        const one = sent.get(query);
        if (!one) continue;
        const noList = one.animals ? undefined : `${one.status ?? ''} with a body that is not an array`;
        yield observed(`\`${query}\``, one.refusal ?? noList ?? treatmentOf(one, evidence), one);
      }
    },
  });
}

/** How a limit was treated, by the length of the page. */
const treatments: ReadonlyMap<number, string> = new Map([
  [0, 'an empty list'],
  [1, 'as with `limit=1`'],
  [2, 'as with `limit=2`'],
  [3, 'as with `limit=3`'],
  [defaultPage, 'ignored, as without a limit'],
  [fullPage, 'clamped to 100'],
]);
const given = ['0', '-1', '101', 'abc', '1.5', ''].map((limit) => ({ limit }));
const givenTwice: Query = [
  ['limit', 1],
  ['limit', 2],
];

observesQueries('LIST-11', [...given, givenTwice], ({ length = 0 }, { pets }) => {
  const treatment =
    // A store of few animals may not tell.
    length >= pets.known ? "as many as are known, so that it can't be told how" : treatments.get(length);
  return `${count(length, 'animal')}${treatment === undefined ? '' : `: ${treatment}`}`;
});

const otherStatuses = ['sleeping', 'Available', ''].map((status) => ({ status }));

// All three statuses, if the filter was ignored.
observesQueries('LIST-12', otherStatuses, ({ animals = [], length }, { pets: { created } }) => {
  if (length === 0) return 'an empty list';
  const statusOf = ({ id, shown }: Animal): unknown => shown.status ?? created.get(id)?.animal.shown.status;
  const states = new Set(animals.map((animal) => valueText(statusOf(animal))));
  const ignored = states.size > 1 ? ': the filter is ignored' : '';
  return `${count(animals.length, 'animal')} with ${[...states].sort().join(', ')}${ignored}`;
});

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
