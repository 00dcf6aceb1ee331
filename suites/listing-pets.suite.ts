import { requirement } from '../lib/verdict/requirement.js';
import { describeAnimal, valueText } from '../lib/evidence/animal.js';
import { sendCommands } from '../lib/session/commands.js';
import { reproduceInTurn } from '../lib/verdict/reproduce.js';
import { sideEffects } from '../lib/session/side-effects.js';
import { curlOf, repeated } from '../lib/evidence/curl.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Pet } from '../lib/evidence/pets.js';
import type { Omission } from '../lib/evidence/presence.js';
import { count } from '../lib/explain/count.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { Query } from '../lib/http/exchange/planned-request.js';
import { queryText } from '../lib/session/api.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { defaultPage, fullPage } from '../lib/specification/page-size.js';
import { check, failed, left, observed, open, passed, type Check } from '../lib/verdict/check.js';
import { shownAsCreated } from '../lib/verdict/verbs.js';

// Sent when the store is full: whether a page has room shows in how long the others were.
requirement('LIST-08', {
  phase: 'whole run',
  /** Whether sequences of commands are sent, too. */
  room: { quick: false, standard: false, thorough: true },
  async probe(probe, sendsCommands) {
    if (sendsCommands) await sendCommands(probe);
    await sideEffects(probe);
  },
  *rule(evidence) {
    const { presence, pets, listings } = evidence;
    for (const _ of presence.shown) yield passed;
    // What no listing shows is not missing because of a filter.
    const everywhere = new Set(
      presence.omissions.flatMap(({ page, missing }) => (page.filter === undefined ? missing : [])),
    );
    for (const omission of presence.omissions) {
      const isOfFilter = omission.missing.some((pet) => !everywhere.has(pet));
      if (omission.page.filter === undefined || isOfFilter) yield missingFrom(omission, evidence);
    }
    if (presence.omissions.length > 0 || pets.created.size === 0) return;
    const listed = new Set(listings.pages.map(({ filter }) => filter));
    for (const status of new Set(listings.specified.map(({ query }) => query.get('status') ?? undefined)))
      if (!listed.has(status))
        yield left('LIST-01', status === undefined ? 'the listing' : `\`status=${status}\``);
    if (presence.shown.size === 0)
      yield open(
        'the created animals are on no page: the pages are full, and they may be on later ones. Empty the store, and run again',
      );
  },
});

/** Creations of missing animals that a finding shows. */
const missingShown = 5;

function missingFrom({ page, missing, expected }: Omission, evidence: Evidence): Check {
  const { filter } = page;
  const shown = missing.slice(0, missingShown);
  const [first] = shown;
  const creations = shown.map(({ creation }) => creation);
  return failed([...creations, page], {
    message: `a created animal is missing from ${filter === undefined ? 'the listing' : `the listing with \`status=${filter}\``}`,
    expected: `${count(expected, 'created animal')}${filter === undefined ? '' : ' of this status'}, as the page is not full`,
    received: `${missing.length} missing${first ? `${missing.length > 1 ? ', one of them' : ''}: ${describeAnimal(first.animal)}` : ''}`,
    reproduce: commandOf(missing, page, evidence),
  });
}

/** Shows that a page lacks an animal: one that is there already if it is so old that a new one need not be missing, too. */
function commandOf(missing: readonly Pet[], page: Exchange, evidence: Evidence): string {
  const [first] = missing;
  if (!first) return page.curl;
  const newer = [...evidence.pets.created.values()].indexOf(first) + defaultPage;
  const address = page.request.url.replace(/\?.*$/u, `/${first.id}`);
  if (page.filter !== undefined && newer < evidence.pets.created.size)
    return `${curlOf({ ...page.request, url: address })}; ${page.curl}`;
  return isLostBesideOthers(missing, evidence)
    ? `${repeated.atOnce(first.creation.curl, 10)}; ${page.curl}`
    : reproduceInTurn([first.creation, page]);
}

/** Whether only animals are missing that were created beside others, while listings show one that was created alone. */
function isLostBesideOthers(missing: readonly Pet[], { creations, presence }: Evidence): boolean {
  const isAlone = ({ creation: one }: Pet): boolean =>
    creations.all.every(
      (other) => other === one || other.endedAt <= one.sentAt || other.sentAt >= one.endedAt,
    );
  return !missing.some(isAlone) && [...presence.shown.keys()].some(isAlone);
}

/** Pages that an observation cites. */
const mostCited = 3;

requirement('LIST-14', {
  kinds: ['creation', 'listing'],
  *rule({ presence }) {
    const { shown, early, delays, gone } = presence;
    if (shown.size === 0) return void (yield open('no listing showed an animal of this run'));
    const animals = count(shown.size, 'animal');
    yield observed(
      'how soon a created animal is listed',
      delays.length === 0
        ? `at once: no listing with room for one of the ${animals} omitted it`
        : `${delays.length} of the ${animals} were omitted at first, up to ${count(Math.round(Math.max(...delays)), 'millisecond')} after the 201`,
    );
    yield observed(
      'animals once listed and missing later from a page that is not full',
      gone.size === 0 ? 'none' : `${gone.size} of the ${animals}`,
      ...[...new Set(gone.values())].slice(0, mostCited),
    );
    yield observed(
      'animals listed before the response to their creation was received',
      early === 0 ? 'none' : `${early} of the ${animals}`,
    );
  },
});

requirement('LIST-09', {
  kinds: ['listing'],
  *rule({ responses }) {
    for (const one of responses) {
      const animals = one.operation === 'listPets' ? (one.animals ?? []) : [];
      if (animals.length === 0) continue;
      const seen = new Set<string>();
      const twice = animals.find(({ id }) => seen.size === seen.add(id).size);
      yield check(twice === undefined, one, () => ({
        message: 'a listing shows an identifier twice',
        expected: 'distinct identifiers',
        received: `\`id\` ${twice?.id ?? ''} twice`,
      }));
    }
  },
});

requirement('LIST-10', {
  kinds: ['creation', 'listing'],
  *rule({ pets }) {
    const listed = pets.own.flatMap((pet) => pet.listed.map((showing) => [pet, showing] as const));
    for (const [pet, showing] of [...listed, ...pets.renumbered]) yield shownAsCreated(pet, showing);
    if (listed.length + pets.renumbered.length === 0 && pets.created.size > 0) yield left('LIST-08');
  },
});

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
    notInQuick: 'it observes',
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
  ...[1, 2].map((limit) => [limit, `as with \`limit=${limit}\``] as const),
  [defaultPage, 'ignored, as without a limit'],
  [fullPage, 'clamped to 100'],
]);
const otherLimits = ['0', '-1', '101', 'abc', '1.5', ''].map((limit) => ({ limit }));

// Given twice, a parameter is a list to many a framework, which methods of a string fail on.
observesQueries('LIST-11', [...otherLimits, { limit: ['1', '2'] }], ({ length = 0 }, { pets }) => {
  const treatment =
    // A store of few animals may not tell.
    length >= pets.count() ? 'as many as are known, so that it does not show how' : treatments.get(length);
  return `${count(length, 'animal')}${treatment === undefined ? '' : `: ${treatment}`}`;
});

const otherStatuses = ['sleeping', 'Available', ''].map((status) => ({ status }));

// All three statuses, if the filter was ignored.
observesQueries(
  'LIST-12',
  [...otherStatuses, { status: ['available', 'sold'] }],
  ({ animals = [], length }, { pets }) => {
    if (length === 0) return 'an empty list';
    const states = new Set(animals.map((animal) => valueText(pets.statusOf(animal))));
    const ignored = states.size > 1 ? ': the filter is ignored' : '';
    return `${count(animals.length, 'animal')} with ${[...states].sort().join(', ')}${ignored}`;
  },
);

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
  const rising = new Set(ids.slice(1).map((id, index) => (ids[index] ?? 0n) < id));
  if (rising.size > 1) return 'not by `id`';
  return rising.has(true) ? '`id` ascending' : '`id` descending';
}
