import { type Exchange, brokenReason } from '../lib/http/exchange/exchange.js';
import {
  sideEffects,
  askPage,
  fullPage,
  mayBeFull,
  showsAllOf,
  showsAnimal,
  type Page,
} from '../lib/session/side-effects.js';
import { animalOf, animalsOf, valueText, type Animal } from '../lib/session/animal.js';
import { isCreation } from '../lib/session/creation.js';
import { judgeAsCreated, type Shown } from '../lib/session/compare-pets.js';
import { describeListing, lengthOf } from '../lib/session/describe-listing.js';
import { changesAnimals, nameSent } from '../lib/session/known-pets.js';
import type { Probe } from '../lib/session/probe.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { ApiResponse, jsonOf } from '../lib/verdict/api-response.js';
import { everyExchange, requirement } from '../lib/requirement/requirement.js';

/** What was added in bursts is to be seen, too: on the page of its status, where one can hold it. */
async function pagesAfterBursts({ api, store, profile, retryUntil }: Probe): Promise<Page[]> {
  if (profile === 'quick') return [];
  const { knownPets } = store;
  const stocked = petStatuses.filter((status) =>
    knownPets.listable(status).some(({ exchange }) => exchange.purpose === 'stock'),
  );
  return Promise.all(
    stocked.map((status) =>
      retryUntil(
        () => askPage(api, status, fullPage),
        (page) =>
          showsAllOf(
            page,
            knownPets.listable(status).map(({ animal }) => animal),
          ),
      ),
    ),
  );
}

// Judged when all listings of the run are in: whether a page is full is told by how long the others were.
requirement('LIST-08', { phase: 'whole run' }, async (probe) => {
  const { judgement, store, exchanges } = probe;
  const { control, pages } = await sideEffects(probe);
  const later = await pagesAfterBursts(probe);
  const listings = exchanges
    .filter(({ operation }) => operation === 'listPets')
    .map((exchange) => new ApiResponse(exchange));
  const longest = Math.max(...listings.map((response) => lengthOf(response) ?? 0));
  let unseen = 0;
  for (const page of [...pages, ...later]) {
    const what = page.status === undefined ? 'the listing' : `the listing with \`status=${page.status}\``;
    if (!page.animals) {
      judgement.leaveOpen(`${what} was not answered with a listing (see LIST-01)`);
      continue;
    }
    const own = store.knownPets
      .listable(page.status)
      .filter(({ exchange }) => answeredBefore(exchange, page.response.exchange));
    const missing = own.filter(({ animal }) => !showsAnimal(page, animal));
    if (missing.length > 0 && mayBeFull(page, longest)) {
      if (!showsAnimal(page, control.animal)) unseen += 1;
      continue;
    }
    const [first] = missing;
    judgement.check(
      missing.length === 0,
      {
        message: `a created animal is missing from ${what}`,
        expected: `all of the ${own.length} that were created are there: the page is not full`,
        received:
          first === undefined ? '' : `${missing.length} missing, among them ${describeListing(first.animal)}`,
      },
      ...(first ? [new ApiResponse(first.exchange)] : []),
      page.response,
    );
  }
  if (unseen === 0) return;
  const underStatus = pages.find(({ status }) => status === control.status);
  if (underStatus && showsAnimal(underStatus, control.animal)) {
    judgement.note(
      'A full page without filter does not show the created animal; it is listed under its status.',
    );
    return;
  }
  judgement.leaveOpen('the created animal is on no page: the pages are full, and it may be on a later one');
});

function answeredBefore(first: Exchange, second: Exchange): boolean {
  return Date.parse(first.sentAt) + first.timing.total <= Date.parse(second.sentAt);
}

everyExchange('LIST-09', ['listing'], (judgement) => ({
  see(exchange) {
    const json =
      exchange.operation === 'listPets' && exchange.response?.status === 200 ? jsonOf(exchange) : undefined;
    const animals = json?.ok ? animalsOf(json.value) : undefined;
    if (!animals || animals.length === 0) return;
    const seen = new Set<string>();
    const twice = animals.find(({ id }) => seen.size === seen.add(id).size);
    judgement.check(
      twice === undefined,
      {
        message: 'a listing shows an identifier twice',
        expected: 'distinct identifiers',
        received: `\`id\` ${twice?.id ?? ''} twice`,
      },
      new ApiResponse(exchange),
    );
  },
}));

/** Characters of a name that no other animal has by chance. */
const tellingName = 8;
/** Listings that are kept for an animal that they show alike; the others are counted. A day's run has 100,000. */
const keptAlike = 3;

interface Listed {
  readonly animal: Animal;
  readonly responses: ApiResponse[];
  readonly times: number;
}

/** What LIST-10 reads of a listed animal. */
function lookOf({ id, shown }: Animal): string {
  return JSON.stringify([id, valueText(shown.name), valueText(shown.categoryId), valueText(shown.status)]);
}

everyExchange(
  'LIST-10',
  ['creation', 'listing'],
  (judgement) => {
    const created = new Map<string, Shown>();
    const ambiguous = new Set<string>();
    /** The identifier that the creation of a name returned; null where two had the same name. */
    const idOfName = new Map<string, string | null>();
    const listed = new Map<string, Listed>();
    const seeListed = (exchange: Exchange, animal: Animal): void => {
      const look = lookOf(animal);
      const known = listed.get(look);
      const { responses, times }: Omit<Listed, 'animal'> = known ?? { responses: [], times: 0 };
      if (responses.length < keptAlike) responses.push(new ApiResponse(exchange));
      listed.set(look, { animal: known?.animal ?? animal, responses, times: times + 1 });
    };
    const seeCreation = (exchange: Exchange, animal: Animal): void => {
      if (created.has(animal.id)) ambiguous.add(animal.id);
      created.set(animal.id, { animal, response: new ApiResponse(exchange) });
      // A probe that tries to change its animal says itself what became of it.
      if (changesAnimals.has(exchange.purpose)) ambiguous.add(animal.id);
      const { name } = animal.shown;
      if (typeof name !== 'string' || name.length < tellingName) return;
      idOfName.set(name, idOfName.has(name) ? null : animal.id);
    };
    const judgeListed = (shown: Shown): void => {
      const { animal, response } = shown;
      const creation = created.get(animal.id);
      // Two creations under one identifier are CREATE-04's.
      if (creation && !ambiguous.has(animal.id)) judgeAsCreated(judgement, creation, shown, 'the listing');
      if (creation) return;
      const id = idOfName.get(String(animal.shown.name));
      const original = typeof id === 'string' && !ambiguous.has(id) ? created.get(id) : undefined;
      if (!original) return;
      judgement.check(
        false,
        {
          message: 'the listing shows a created animal under another `id` than its creation returned',
          expected: `\`id\` ${original.animal.id}`,
          received: `\`id\` ${animal.id}`,
          pointer: '/id',
        },
        original.response,
        response,
      );
    };
    return {
      see(exchange) {
        if (brokenReason(exchange) !== undefined) {
          // The animal may be there all the same, beside the one of a repeat under the same name.
          const name = nameSent(exchange.request.body);
          if (exchange.operation === 'createPet' && name !== undefined) idOfName.set(name, null);
          return;
        }
        const json = jsonOf(exchange);
        if (!json.ok) return;
        if (isCreation(exchange)) {
          const animal = animalOf(json.value);
          if (animal) seeCreation(exchange, animal);
        }
        if (exchange.operation === 'listPets' && exchange.response?.status === 200) {
          const animals = (animalsOf(json.value) ?? []).filter(
            ({ id, shown }) => created.has(id) || typeof idOfName.get(String(shown.name)) === 'string',
          );
          for (const animal of animals) seeListed(exchange, animal);
        }
      },
      conclude() {
        for (const { animal, responses, times } of listed.values()) {
          for (let time = 0; time < times; time += 1) {
            const response = responses[time] ?? responses.at(-1);
            if (response) judgeListed({ animal, response });
          }
        }
      },
    };
  },
  { brokenToo: true },
);
