import type { Exchange } from '../lib/evidence/exchange.js';
import { queryText, type Query } from '../lib/session/api.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { fullPage } from '../lib/specification/page-size.js';
import { count } from '../lib/explain/count.js';
import { failed, open, passed, unanswered } from '../lib/verdict/check.js';
import { NotTested } from '../lib/verdict/outcome.js';
import { requirement, type Probe } from '../lib/verdict/requirement.js';
import { fullStore } from '../lib/session/store.js';

/** No listing is longer than a full page. */

const animals = (number: number): string => count(number, 'animal');

/** Values of `limit` beyond a full page, and such as a careless service takes for no limit, the likeliest first. */
const tooGreat = ['101', '9223372036854775808', '1000', '2147483648', '0', '-1', 'abc'];
/** Those that are sent beside a filter as well. */
const besideFilter = ['101', '2147483648', '9223372036854775808', '0', '-1'];

requirement('LIST-05', {
  phase: 'full store',
  /** How many listings are requested. Quick adds nothing to a smaller store. */
  room: { quick: 1, standard: Infinity, thorough: Infinity },
  async probe({ api, store, retryUntil }, most) {
    const { pets } = store;
    if (most > 1) await fillPages(store, retryUntil);
    else if (pets.known <= fullStore)
      throw new NotTested(
        `the profile has no room to fill the store: it is not known to hold more than ${fullStore} animals`,
      );
    const [fullest] = petStatuses.toSorted((a, b) => pets.countUnder(b) - pets.countUnder(a));
    const queries: Query[] = [
      ...tooGreat.map((limit) => ({ limit })),
      ...besideFilter.map((limit) => ({ limit, status: fullest ?? 'sold' })),
    ];
    await Promise.all(queries.slice(0, most).map((query) => api.listPets(query)));
  },
  *rule({ listings, pets }) {
    for (const one of listings.unspecifiedOnlyBy('limit')) {
      const what = `\`${queryText(one.query)}\``;
      const isTooLong = one.failure?.kind === 'too-large';
      const belongsToOthers = isTooLong ? undefined : unanswered(one, what);
      if (belongsToOthers) yield belongsToOthers;
      else if (isTooLong || shownBy(one) > fullPage)
        yield failed(one, {
          message: `${what} returned ${isTooLong ? 'more than the suite reads' : animals(shownBy(one))}`,
          expected: 'at most 100 animals, or a refusal with 400',
          received: isTooLong ? String(one) : animals(shownBy(one)),
        });
      else if (pets.known > fullStore) yield passed;
    }
    if (pets.known <= fullStore) yield open(`the store is not known to hold more than ${animals(fullStore)}`);
  },
});

/** No page can be too long before one is full. */
async function fillPages(store: Probe['store'], retryUntil: Probe['retryUntil']): Promise<void> {
  await store.holdsMoreThan(fullStore);
  await retryUntil(
    () => store.api('stock').listPets([['limit', fullPage]]),
    ({ length = fullPage }) => length >= fullPage,
  );
}

function shownBy({ status, length = 0 }: Exchange): number {
  return status === 200 ? length : 0;
}
