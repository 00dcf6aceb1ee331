import * as fc from 'fast-check';
import {
  notAnInt64,
  notAnObject,
  notAPetStatus,
  notAString,
  type InvalidValues,
} from '../lib/draw/refused-values.js';
import { spellings } from '../lib/draw/json-spelling.js';
import { repeated } from '../lib/http/exchange/curl.js';
import { endedAt, sentAt } from '../lib/http/exchange/exchange.js';
import type { Rooms } from '../lib/requirement/profile.js';
import { requirement, type Probe } from '../lib/requirement/requirement.js';
import { valueText, type Animal } from '../lib/session/animal.js';
import { ApiResponse } from '../lib/session/api-response.js';
import { judgeCommands, sequences } from '../lib/session/commands/broken-rules.js';
import { bodySent, judgeKept } from '../lib/session/compare-pets.js';
import { isAccepted, isCreation, judgeCreated, successStatuses } from '../lib/session/creation.js';
import { PetHistory } from '../lib/session/pet-history.js';
import { judgeAbsence, looksLate, sideEffects } from '../lib/session/side-effects.js';
import { reproduceInTurn } from '../lib/session/reproduce.js';
import type { Accepted, NewPet } from '../lib/session/control-search.js';
import { writeJson } from '../lib/specification/json-value.js';
import { petStatuses, type PetStatus } from '../lib/specification/body-schema.js';
import type { Judgement } from '../lib/verdict/judgement.js';
import { Inconclusive } from '../lib/verdict/outcome.js';

type Field = 'name' | 'categoryId' | 'status';

/** Checks that the fields that were sent come back as they were sent. */
function comesBackAsSent(
  { judgement }: Probe,
  response: ApiResponse,
  { shown }: Animal,
  fields: readonly Field[],
): void {
  const sent = bodySent(response.exchange);
  const differing = fields.find(
    (field) => field in sent && valueText(sent[field]) !== valueText(shown[field]),
  );
  judgement.check(differing === undefined, response, () => ({
    message: `the created Pet does not have the \`${differing ?? ''}\` that was sent`,
    expected: valueText(sent[differing ?? '']),
    received: valueText(shown[differing ?? '']),
    pointer: `/${differing ?? ''}`,
  }));
}

/** Valid bodies, in words, and the responses to them. */
interface SentBodies {
  readonly responses: ReadonlyArray<readonly [what: string, ApiResponse]>;
  /** One body that was sent again after it was accepted: nothing says that the names of animals are unique. */
  readonly equal: readonly ApiResponse[];
}

/** Bodies with drawn names, in the spellings of JSON by turns, and sequences of commands. */
interface BodiesRoom {
  readonly drawn: number;
  readonly sequences: number;
}

async function sendBodies(probe: Probe, { drawn }: BodiesRoom): Promise<SentBodies> {
  return probe.store.once('valid bodies', () => createBodies(probe, drawn));
}

/** The first two bodies of the stock are equal, and are sent at the same moment. */
const ofStock = 'a valid body, one of many at once';

async function createBodies(probe: Probe, drawn: number): Promise<SentBodies> {
  const { api, draw, name } = probe;
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdefghij'.split('')),
    minLength: 1,
    maxLength: 20,
  });
  const labels = draw.some(letters, drawn);
  const newPet = await probe.newPetOfOtherStatus();
  const spelled = labels.map((label, index) => {
    const [what = '', write = writeJson] = spellings[index % spellings.length] ?? [];
    return { label, what: `a valid body ${what}`, write };
  });
  const [equal, statuses, ...others] = await Promise.all([
    api.inSequence([() => api.createPet(newPet), () => api.createPet(newPet)]),
    creationOfEachStatus(probe),
    ...spelled.map(async ({ label, what, write }) => {
      const body = { ...newPet, name: name(label) };
      return [what, await api.createPet(body, { write })] as const;
    }),
  ]);
  const ofEachStatus = statuses.map(([, response]) => ['a valid body', response] as const);
  return { responses: [...ofEachStatus, ...others], equal };
}

const create01 = {
  phase: 'whole run' as const,
  sends: sendBodies,
  room: {
    quick: { drawn: 0, sequences: 0 },
    standard: { drawn: spellings.length, sequences: 0 },
    thorough: { drawn: 30, sequences },
  },
};

requirement('CREATE-01', create01, async (probe, room) => {
  const { judgement, exchanges } = probe;
  const control = await acceptedOrFound(probe);
  if (!control) return;
  const judge = (what: string, response: ApiResponse): Animal | undefined => {
    const animal = judgeCreated(judgement, response, what);
    if (animal) comesBackAsSent(probe, response, animal, ['name', 'categoryId', 'status']);
    return animal;
  };
  judge('a valid body', control.response);
  if (control.refusedSpelling)
    judgement.status(control.refusedSpelling, 201, 'a valid body in another spelling of JSON');
  const { responses, equal } = await sendBodies(probe, room);
  for (const [what, response] of responses) judge(what, response);
  const [first, second] = equal.map((response, index) =>
    judge(index === 0 ? 'a valid body' : 'a body equal to one that was accepted', response),
  );
  if (first && second)
    judgement.check(first.id !== second.id, equal, () => ({
      message: 'two equal bodies create one animal',
      expected: 'an animal for each',
      received: `\`id\` ${first.id} twice`,
      pointer: '/id',
    }));
  // The stock has two equal bodies, too, one right after the other.
  for (const exchange of exchanges) {
    const { purpose, operation, response } = exchange;
    const status = response?.status ?? 0;
    const refused = status >= 400 && status < 500 && ![401, 429].includes(status);
    if (purpose === 'stock' && operation === 'createPet' && refused)
      judge(ofStock, new ApiResponse(exchange));
  }
  await judgeCommands(probe, room.sequences);
});

/**
 * The control of all refusals is the subject of this requirement: any response to it but 201 is a finding. A 400 may be
 * due to a category that the target does not know, and stays open unless one is configured.
 */
async function acceptedOrFound({ store, judgement }: Probe): Promise<Accepted | undefined> {
  try {
    return await store.accepted();
  } catch (error) {
    const isCategory = store.lastControl?.status === 400;
    const refused = isCategory ? store.controlOfKnownCategory : store.lastControl;
    if (!(error instanceof Inconclusive) || !refused) throw error;
    judgeCreated(
      judgement,
      refused,
      isCategory ? 'a valid body with the configured category' : 'a valid body',
    );
    return undefined;
  }
}

requirement('CREATE-02', async ({ store, api, judgement, newPet }) => {
  const success = successStatuses((await store.accepted()).response);
  const { name, categoryId } = await newPet();
  judgeCreated(judgement, await api.createPet({ name, categoryId }), 'a body without `status`', success);
});

/** The creation of an animal of each status; the control stands for its own. */
async function creationOfEachStatus({ store }: Probe): Promise<Array<[status: PetStatus, ApiResponse]>> {
  const api = store.api('CREATE-03');
  const control = await store.accepted();
  return store.once('each status', async () =>
    Promise.all(
      petStatuses.map(async (status): Promise<[PetStatus, ApiResponse]> => {
        const known = status === control.body.status ? control.response : undefined;
        return [status, known ?? (await api.createPet({ ...(await store.newPet('CREATE-03')), status }))];
      }),
    ),
  );
}

const create03 = { phase: 'whole run', sends: creationOfEachStatus } as const;
requirement('CREATE-03', create03, async (probe) => {
  const success = successStatuses((await probe.store.accepted()).response);
  for (const [status, response] of await creationOfEachStatus(probe)) {
    const animal = judgeCreated(probe.judgement, response, `\`status\` ${status}`, success);
    if (animal) comesBackAsSent(probe, response, animal, ['status']);
  }
  judgeKept(probe, 'status', (shown) => petStatuses.some((status) => status === shown));
});

const sameAsBefore = 'a creation returned the `id` of an animal that was there before';
const sameInTurn = 'two creations, one after the other, returned the same `id`';
const sameAtOnce = 'creations that are sent at the same time return the same `id`';

// Stocking the store is a burst already; only if nothing was to be added one is made for this requirement alone.
requirement(
  'CREATE-04',
  {
    phase: 'whole run',
    leavesTo: { 'CREATE-14': 'the body brought an `id`' },
    room: {
      quick: { burst: 3, sequences: 0 },
      standard: { burst: 12, sequences: 0 },
      thorough: { burst: 40, sequences },
    },
  },
  async (probe, room) => {
    const { judgement, store, exchanges, facts } = probe;
    if (!store.hasBurst) await store.burst(room.burst);
    const byId = new Map<string, ApiResponse>();
    const pairs: Array<readonly [ApiResponse, ApiResponse]> = [];
    for (const exchange of exchanges) {
      if (!isCreation(exchange) || 'id' in bodySent(exchange)) continue;
      const response = new ApiResponse(exchange);
      const id = response.animal?.id;
      if (id === undefined) continue;
      const first = byId.get(id);
      byId.set(id, response);
      if (first) pairs.push([first, response]);
      else judgement.held();
    }
    judgeSameId(judgement, pairs);
    const history = new PetHistory(facts.consistencyMs);
    for (const exchange of exchanges) history.see(new ApiResponse(exchange));
    for (const { id, earlier, creation } of history.reused)
      judgement.fail([earlier, creation], {
        message: sameAsBefore,
        expected: 'an identifier of its own for each animal',
        received: `\`id\` ${id}, which a listing had shown before the creation was sent`,
      });
    await judgeCommands(probe, room.sequences);
    if (byId.size < 2) judgement.leaveOpen('fewer than two creations were accepted');
  },
);

/** Fails for each pair of creations that returned the same identifier: a race, if some of them were under way together. */
function judgeSameId(judgement: Judgement, pairs: ReadonlyArray<readonly [ApiResponse, ApiResponse]>): void {
  const together = pairs.filter(([first, second]) => sentAt(second.exchange) < endedAt(first.exchange));
  // Animals that another requirement created have its id in their names.
  const isForeign = (pair: readonly ApiResponse[]): number =>
    Number(pair.some(({ exchange: { purpose } }) => /-\d/u.test(purpose)));
  for (const [first, second] of pairs.toSorted((one, other) => isForeign(one) - isForeign(other)))
    judgement.fail([first, second], {
      message: together.length > 0 ? sameAtOnce : sameInTurn,
      expected: 'an identifier of its own for each animal',
      received: `\`id\` ${second.animal?.id ?? ''} twice`,
      reproduce: together.length > 0 ? repeated.atOnce(second.curl, 10) : reproduceInTurn([first, second]),
    });
}

/** A body that is accepted with a name, and with a category by which an animal is found that it adds without one. */
async function nameless({ store, newPet }: Probe): Promise<Omit<NewPet, 'name'>> {
  const { name: _name, ...body } = await newPet();
  const unknown = await store.unknownCategory();
  return isAccepted(unknown.status) ? { ...body, categoryId: (unknown.sent as NewPet).categoryId } : body;
}

/** How many kinds of invalid values are sent, the likeliest first, and how many values of each. */
interface InvalidRoom {
  readonly kinds: number;
  readonly values: number;
}

function invalidRoom(kindsInQuick: number): Rooms<InvalidRoom> {
  return {
    quick: { kinds: kindsInQuick, values: 1 },
    standard: { kinds: Infinity, values: 1 },
    thorough: { kinds: Infinity, values: 4 },
  };
}

/** Sends a body that the target has accepted, but for its name, with one field of another kind. */
async function isRefusedWithEach(
  probe: Probe,
  field: Field,
  invalidValues: InvalidValues,
  { kinds, values }: InvalidRoom,
): Promise<void> {
  const { api, judgement, draw } = probe;
  const drawn = invalidValues
    .slice(0, kinds)
    .flatMap(([kind, arbitrary]) => draw.some(arbitrary, values).map((value) => ({ kind, value })));
  await Promise.all(
    drawn.map(async ({ kind, value }) => {
      const text = valueText(value);
      const body = { ...(field === 'name' ? await nameless(probe) : await probe.newPet()), [field]: value };
      const what = `\`${field}\` that is ${kind}${text === kind ? '' : ` (${text})`}`;
      judgement.status(await api.createPet(body), 400, what);
    }),
  );
}

requirement('CREATE-05', async (probe) => {
  const response = await probe.api.createPet(await nameless(probe));
  probe.judgement.status(response, 400, 'a body without `name`');
});

/** Whether a body is sent, too, in which two fields are missing. */
const create06 = { room: { quick: false, standard: true, thorough: true } };

requirement('CREATE-06', create06, async ({ api, judgement, newPet }, sendsEmpty) => {
  const { categoryId: _categoryId, ...body } = await newPet();
  judgement.status(await api.createPet(body), 400, 'a body without `categoryId`');
  // The Error, which an invariant judges, may have another form then.
  if (sendsEmpty) await api.createPet({});
});

requirement('CREATE-07', { room: invalidRoom(1) }, (probe, room) =>
  isRefusedWithEach(probe, 'name', notAString, room),
);

requirement('CREATE-08', { room: invalidRoom(2) }, async (probe, room) => {
  const { categoryId } = (await probe.store.accepted()).body;
  await isRefusedWithEach(probe, 'categoryId', notAnInt64(categoryId), room);
});

const leftByCreate09 = { 'CREATE-03': 'every status is refused' } as const;

requirement('CREATE-09', { room: invalidRoom(1), leavesTo: leftByCreate09 }, async (probe, room) => {
  if ((await probe.store.accepted()).body.status === undefined) return probe.judgement.leaveTo('CREATE-03');
  await isRefusedWithEach(probe, 'status', notAPetStatus, room);
});

const create10 = { room: { quick: 1, standard: Infinity, thorough: Infinity } };

requirement('CREATE-10', create10, async ({ api, store, judgement, newPet }, most) => {
  const kinds = notAnObject(writeJson((await store.accepted()).body)).slice(0, most);
  await Promise.all(
    kinds.map(async ([kind], index) => {
      // Each has a name of its own, so that one that was created is not mistaken for another.
      const [, text, latin1] = notAnObject(writeJson(await newPet()))[index] ?? [];
      if (text === undefined) return judgeMissing(judgement, await api.createPetFrom({ text }, noContent));
      const response = await api.createPetFrom({ text, latin1: latin1 !== undefined });
      judgement.status(response, 400, `a body that is ${kind}`);
    }),
  );
});

/** Without a body there is no Content-Type either, and the specification does not show how its absence is treated. */
const noContent = { contentType: null, unspecified: true } as const;

function judgeMissing(judgement: Judgement, response: ApiResponse): void {
  if (response.status === 415)
    judgement.note('A request with neither a body nor a Content-Type gets 415: either may be the reason.');
  else judgement.status(response, 400, 'a body that is missing');
}

requirement('CREATE-11', { phase: 'late effects', room: looksLate }, async (probe, late) => {
  await sideEffects(probe);
  await judgeAbsence(probe, probe.store.knownPets.refused(), 'a refused creation added an animal', late);
});
