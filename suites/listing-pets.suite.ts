import { everyExchange, requirement } from '../lib/requirement/requirement.js';
import { describeAnimal, valueText, type Animal } from '../lib/session/animal.js';
import { ApiResponse } from '../lib/session/api-response.js';
import { judgeCommands, sequences } from '../lib/session/commands/broken-rules.js';
import { bodySent, judgeAsCreated, type ShownAnimal } from '../lib/session/compare-pets.js';
import { isCreation } from '../lib/session/creation.js';
import { changesAnimals, nameSent } from '../lib/session/known-pets.js';
import { PetHistory } from '../lib/session/pet-history.js';
import { reproduceInTurn } from '../lib/session/reproduce.js';
import { showsAnimal, sideEffects } from '../lib/session/side-effects.js';
import { count } from '../lib/usage/count.js';

// Judged when all listings of the run are in: whether a page has room shows in how long the others were.
requirement(
  'LIST-08',
  {
    phase: 'whole run',
    leavesTo: { 'LIST-01': 'the response is not a listing' },
    room: { quick: 0, standard: 0, thorough: sequences },
  },
  async (probe, most) => {
    const { judgement, exchanges, facts } = probe;
    await judgeCommands(probe, most);
    const { control, pages, leftovers } = await sideEffects(probe);
    const history = new PetHistory(facts.consistencyMs);
    for (const exchange of exchanges) history.see(new ApiResponse(exchange));
    judgement.held(history.complete);
    for (const { page, missing, expected } of history.omissions) {
      const status = page.query.get('status');
      const shown = missing.slice(0, missingShown).map(({ response }) => response);
      const [first] = shown;
      judgement.fail([...shown, page], {
        message: `a created animal is missing from ${status === null ? 'the listing' : `the listing with \`status=${status}\``}`,
        expected: `all ${count(expected, 'animal')} that ${status === null ? 'were created' : `creations returned with this status`}: the page is not full`,
        received: `${missing.length} missing${first ? `${missing.length > 1 ? ', one of them' : ''}: ${describeCreated(first)}` : ''}`,
        reproduce: reproduceInTurn([...(first ? [first] : []), page]),
      });
    }
    for (const { animals, status } of pages)
      if (!animals)
        judgement.leaveTo('LIST-01', status === undefined ? 'the listing' : `\`status=${status}\``);
    const showing = pages.filter((page) => showsAnimal(page, control.animal));
    judgement.held(showing.length);
    if (judgement.findings.length > 0) return;
    if (showing.length === 0)
      judgement.leaveOpen(
        `the created animal is on no page: the pages are full, and it may be on a later one${leftovers}`,
      );
    else if (showing.every(({ status }) => status !== undefined))
      judgement.note(
        'The created animal is listed under its status. The page without a filter is full and does not show it.',
      );
  },
);

/** Creations of missing animals that a finding shows. */
const missingShown = 5;

/** An animal in a line, and what of it was not sent. */
function describeCreated({ animal, exchange }: ApiResponse): string {
  const without = 'status' in bodySent(exchange) ? '' : ', created without `status`';
  return animal ? `${describeAnimal(animal)}${without}` : '';
}

everyExchange('LIST-14', { kinds: ['creation', 'listing'] }, (judgement) => {
  const history = new PetHistory(0);
  return {
    see: (response) => history.see(response),
    conclude() {
      const { shown, early, late, longestDelay, gone, goneFrom } = history.steadiness;
      if (shown === 0) return judgement.leaveOpen('no listing showed an animal of this run');
      const animals = count(shown, 'animal');
      judgement.observe(
        'how soon a created animal is listed',
        late === 0
          ? `at once: no listing with room for one of the ${animals} omitted it`
          : `${late} of the ${animals} were omitted at first, up to ${count(Math.round(longestDelay), 'millisecond')} after the 201`,
      );
      judgement.observe(
        'animals once listed and missing later from a page that is not full',
        gone === 0 ? 'none' : `${gone} of the ${animals}`,
        ...goneFrom.slice(0, keptAlike),
      );
      judgement.observe(
        'animals listed before the response to their creation was received',
        early === 0 ? 'none' : `${early} of the ${animals}`,
      );
    },
  };
});

everyExchange('LIST-09', { kinds: ['listing'] }, (judgement) => ({
  see(response) {
    const animals = response.exchange.operation === 'listPets' ? (response.animals ?? []) : [];
    if (animals.length === 0) return;
    const seen = new Set<string>();
    const twice = animals.find(({ id }) => seen.size === seen.add(id).size);
    judgement.check(twice === undefined, response, () => ({
      message: 'a listing shows an identifier twice',
      expected: 'distinct identifiers',
      received: `\`id\` ${twice?.id ?? ''} twice`,
    }));
  },
}));

/** Characters of a name that no other animal has by chance. */
const uniqueName = 8;
/** Listings that are kept for an animal that they show alike; the others are counted. A day's run has 100,000. */
const keptAlike = 3;

/** An animal as one or several listings show it. */
interface Listed {
  readonly animal: Animal;
  readonly responses: ApiResponse[];
  times: number;
}

/** What is compared of a listed animal. */
function lookOf({ id, shown }: Animal): string {
  return JSON.stringify([id, valueText(shown.name), valueText(shown.categoryId), valueText(shown.status)]);
}

everyExchange(
  'LIST-10',
  {
    kinds: ['creation', 'listing'],
    includingBroken: true,
    leavesTo: {
      'CREATE-04': 'two creations returned the same `id`',
      'LIST-08': 'no listing showed an animal of this run',
    },
  },
  (judgement) => {
    const created = new Map<string, ShownAnimal>();
    /** Identifiers that say nothing: two creations returned them, or a probe tried to change the animal. */
    const ambiguous = new Set<string>();
    /** The identifier that the creation of a name returned; null if two had the same name. */
    const idOfName = new Map<string, string | null>();
    const names = new Set<string>();
    const listed = new Map<string, Listed>();
    const seeListed = (response: ApiResponse, animal: Animal): void => {
      const look = lookOf(animal);
      const known = listed.get(look) ?? { animal, responses: [], times: 0 };
      if (known.responses.length < keptAlike) known.responses.push(response);
      known.times += 1;
      listed.set(look, known);
    };
    const seeCreation = (response: ApiResponse, animal: Animal): void => {
      if (created.has(animal.id) || changesAnimals(response.exchange)) ambiguous.add(animal.id);
      created.set(animal.id, { animal, response });
      const { name } = animal.shown;
      if (typeof name !== 'string' || name.length < uniqueName) return;
      idOfName.set(name, idOfName.has(name) ? null : animal.id);
    };
    const judgeListed = ({ animal, responses, times }: Listed): void => {
      const creation = created.get(animal.id);
      if (creation) {
        if (!ambiguous.has(animal.id))
          judgeAsCreated(judgement, creation, animal, { by: 'the listing', responses, times }, true);
        return;
      }
      const id = idOfName.get(String(animal.shown.name));
      const original = typeof id === 'string' && !ambiguous.has(id) ? created.get(id) : undefined;
      if (!original) return;
      judgement.fail([original.response, ...responses], {
        message: 'the listing shows a created animal under another `id` than its creation returned',
        expected: `\`id\` ${original.animal.id}`,
        received: `\`id\` ${animal.id}`,
        reproduce: reproduceInTurn([original.response, ...responses.slice(-1)]),
        pointer: '/id',
        occurrences: times,
      });
    };
    return {
      see(response) {
        const { exchange } = response;
        const sent = exchange.operation === 'createPet' ? nameSent(exchange.request.body) : undefined;
        // Of two that were sent under one name, either may be the one that is listed.
        if (sent !== undefined && names.has(sent)) idOfName.set(sent, null);
        if (sent !== undefined) names.add(sent);
        if (response.broken !== undefined) {
          // The animal may be there all the same, beside the one of a repeated request under the same name.
          const name = nameSent(exchange.request.body);
          if (exchange.operation === 'createPet' && name !== undefined) idOfName.set(name, null);
        } else if (isCreation(exchange)) {
          const { animal } = response;
          if (animal) seeCreation(response, animal);
        } else if (exchange.operation === 'listPets') {
          for (const animal of response.animals ?? []) {
            const { id, shown } = animal;
            if (created.has(id) || typeof idOfName.get(String(shown.name)) === 'string')
              seeListed(response, animal);
          }
        }
      },
      conclude() {
        if (created.size > 0 && listed.size === 0) judgement.leaveTo('LIST-08');
        for (const one of listed.values()) judgeListed(one);
      },
    };
  },
);
