import * as fc from 'fast-check';
import { describeAnimal, valueText, type Animal } from '../lib/evidence/animal.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { Page } from '../lib/evidence/requests.js';
import type { Pets } from '../lib/evidence/pets.js';
import type { Query } from '../lib/http/exchange/planned-request.js';
import { queryText } from '../lib/session/api.js';
import { sideEffects } from '../lib/session/side-effects.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { isObject } from '../lib/specification/json-value.js';
import { defaultPage, fullPage } from '../lib/specification/page-size.js';
import { count } from '../lib/explain/count.js';
import { requirement } from '../lib/verdict/requirement.js';
import { check, failed, left, open, type Checks } from '../lib/verdict/check.js';
import { answers, unread } from '../lib/verdict/verbs.js';

/** What has to be requested at least: no parameter, and each alone. */
const shapes: readonly Query[] = [{}, { limit: defaultPage }, { status: 'available' }];

// Sent at the end: only shapes that no other probe requested are requested here.
requirement('LIST-01', {
  phase: 'whole run',
  kinds: ['listing'],
  async probe({ api, evidence }) {
    const { specified } = evidence().listings;
    const namesOf = (one: Exchange): string => [...one.query.keys()].join();
    for (const query of shapes) {
      const names = Object.keys(query).join();
      if (!specified.some((one) => namesOf(one) === names && (one.limit ?? defaultPage) === defaultPage))
        await api.listPets(query);
    }
  },
  *rule({ listings }) {
    const isServed = listings.specified.some(({ length = 0 }) => length > 0);
    for (const one of listings.specified) {
      const names = [...one.query.keys()].map((name) => `\`${name}\``).join(' and ');
      const what = `\`GET /pets\` ${names === '' ? 'without parameters' : `with ${names}`}`;
      // Whether other limits are accepted is another matter.
      if ((one.limit ?? defaultPage) === defaultPage) yield answers(one, 200, what);
      const { json } = one;
      if (one.status !== 200 || one.broken !== undefined) continue;
      yield (
        unread(one, what) ??
        check(Array.isArray(json) && json.every(isObject), one, () => ({
          message: `${what} does not return a bare array of Pet`,
          expected: 'a JSON array of objects',
          fact: { kind: 'body', form: 'Pets', field: '' },
        }))
      );
    }
    if (!isServed) yield open('no listing showed an animal');
  },
});

/** An animal that a filter must not let through. */
function strayIn({ animals, filter }: Page, pets: Pets): Animal | undefined {
  return animals.find((animal) => ![undefined, filter].includes(pets.statusOf(animal) as string));
}

/** Whether a page shows an animal whose status is known. */
function showsStatus({ animals }: Page, pets: Pets): boolean {
  return animals.some((animal) => pets.statusOf(animal) !== undefined);
}

/** Listings whose length no other limit than the greatest cuts: what they show is a matter of the filter alone. */
function isFilteredAlone({ filter, limit = fullPage }: Exchange): boolean {
  return filter !== undefined && limit === fullPage;
}

requirement('LIST-06', {
  phase: 'side effects',
  /** How many statuses are requested alone, beside pages that have a limit, too. */
  room: { quick: 1, standard: petStatuses.length, thorough: petStatuses.length },
  async probe(probe, alone) {
    if (!probe.store.readOnly) await sideEffects(probe);
    await Promise.all(petStatuses.slice(0, alone).map((status) => probe.api.listPets({ status })));
  },
  *rule({ listings, pets }) {
    const pages = listings.pages.filter(isFilteredAlone);
    const filtered = listings.specified.filter(isFilteredAlone);
    for (const status of new Set(filtered.map(({ query }) => query.get('status')))) {
      const own = pages.filter((page) => page.filter === status);
      const shown = own.filter((page) => showsStatus(page, pets));
      for (const page of shown) {
        const stray = strayIn(page, pets);
        yield check(stray === undefined, page, () => ({
          message: `\`status=${status}\` returns animals of another status`,
          expected: `only animals with \`status\` ${status}`,
          received: stray && describeAnimal(stray),
          fact: { kind: 'response', value: valueText(stray?.shown.status) },
        }));
      }
      if (own.length === 0) yield left('LIST-01', `\`status=${status}\``);
      else if (shown.length === 0) yield open(`\`status=${status}\` showed no animal whose status is known`);
    }
    yield* listedTwice(pages, pets);
  },
});

/** Checks that no animal is listed under two statuses. Other clients may change that of theirs, and it shows then. */
function* listedTwice(pages: readonly Page[], { created }: Pets): Checks {
  const first = new Map<string, Page>();
  for (const page of pages)
    for (const { id, shown } of page.animals) {
      const other = first.get(id) ?? page;
      first.set(id, other);
      if (other.filter === page.filter || !(created.get(id)?.isOwn ?? shown.status === undefined)) continue;
      yield failed([other, page], {
        message: 'an animal is listed under two statuses',
        expected: `\`id\` ${id} under one status`,
        received: `\`id\` ${id} under ${other.filter} and ${page.filter}`,
        fact: { kind: 'response' },
      });
    }
}

// Sent when the store is full.
requirement<readonly [likely: number, drawn: number]>('LIST-07', {
  phase: 'whole run',
  /** Pairs that are likely to show a fault, and drawn ones. */
  room: { quick: [1, 0], standard: [3, 0], thorough: [3, 30] },
  async probe(probe, [likely, drawn]) {
    const { store, draw } = probe;
    if (!store.readOnly) await sideEffects(probe);
    const { pets } = store;
    const pair = fc.record({
      limit: fc.integer({ min: 1, max: 8 }),
      status: fc.constantFrom(...petStatuses),
    });
    const byCount = petStatuses.toSorted((a, b) => pets.count(a) - pets.count(b));
    const pairs = byCount.map((status) => ({ limit: 1, status })).slice(-likely);
    await Promise.all(
      [...pairs, ...draw.some(pair, drawn)].map(({ limit, status }) =>
        // In either order: a query that is read by position works in one of them only.
        probe.api.listPets(status === 'pending' ? { status, limit } : { limit, status }),
      ),
    );
  },
  *rule({ listings, pets }) {
    const isServed = (name: string, value: string | null): boolean =>
      listings.pages.some(({ query }) => query.size === 1 && query.get(name) === value);
    for (const one of listings.specified.filter(({ query, animals }) => query.size > 1 && !animals)) {
      const what = `\`${queryText(one.query)}\``;
      const isEachServed = [...one.query].every(([name, value]) => isServed(name, value));
      if (isEachServed && one.status !== 200) yield answers(one, 200, what);
      else yield left('LIST-01', what);
    }
    const pages = listings.pages.filter(({ limit, filter }) => limit !== undefined && filter !== undefined);
    // The smallest one first.
    for (const page of pages.toSorted((a, b) => (a.limit ?? 0) - (b.limit ?? 0))) {
      const { limit = 0, filter, length } = page;
      const stray = strayIn(page, pets);
      yield check(length <= limit && stray === undefined, page, () => ({
        message: '`limit` and `status` do not apply together',
        expected: `at most ${count(limit, 'animal')}, all of them ${filter}`,
        received: stray ? `among them: ${describeAnimal(stray)}` : count(length, 'animal'),
      }));
    }
    if (!pages.some((page) => showsStatus(page, pets)))
      yield open('no pair of `limit` and `status` showed an animal whose status is known');
  },
});
