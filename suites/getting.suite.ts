import * as fc from 'fast-check';
import { mostInt64, unlikelyIdentifier } from '../lib/draw/id-values.js';
import { petNameText } from '../lib/draw/name-values.js';
import { notInQuick } from '../lib/requirement/profile.js';
import { requirement, type Probe } from '../lib/requirement/requirement.js';
import { valueText } from '../lib/session/animal.js';
import { ApiResponse } from '../lib/session/api-response.js';
import { judgeCommands, sequences } from '../lib/session/commands/broken-rules.js';
import { bodySent, judgeAsCreated } from '../lib/session/compare-pets.js';
import { createdAnimal, getCreated } from '../lib/session/creation.js';
import type { Created } from '../lib/session/known-pets.js';
import { NotApplicable } from '../lib/verdict/outcome.js';

/** How a target responds for an operation that it does not serve (RFC 9110 15.5.6, 15.5.11, 15.6.2). */
const notServed: ReadonlySet<number> = new Set([405, 410, 501]);

function unlessRemoved({ facts }: Probe): void {
  if (facts.removalDatePassed)
    throw new NotApplicable('the operation is past its removal date, 5 December 2030');
}

/** What requirements on unknown identifiers leave to others. */
const leavesTo = { 'GET-04': 'getPet served no existing animal either' } as const;

/** Names that careless services change. */
const changedNames: ReadonlyArray<(name: string) => boolean> = [
  (name) => name !== name.normalize('NFC'),
  (name) => name !== name.normalize('NFKC'),
  (name) => /[<>&"']/.test(name),
  (name) => name.includes('\\'),
  (name) => /\n|\s{2}/.test(name),
  (name) => /^[\u0000-\u00ff]*[\u0080-\u00ff][\u0000-\u00ff]*$/.test(name),
  (name) => /[\u0100-\uffff]/.test(name),
  (name) => name.length > Array.from(name).length,
  (name) => name.length > 255,
  (name) => Buffer.byteLength(name) > 255 && name.length < 255,
];

/** Whether a double holds another int64 in the place of one. */
function isRounded(value: bigint): boolean {
  const double = BigInt(Number(value));
  return double !== value && double === BigInt.asIntN(64, double);
}

/** What makes getting an animal different from getting another one. */
function traitsOf({ exchange }: Created): string[] {
  const { name, categoryId, status } = bodySent(exchange);
  const changed = changedNames.flatMap((isChanged, index) =>
    isChanged(String(name)) ? [`name ${index}`] : [],
  );
  const exact = typeof categoryId === 'bigint' ? (isRounded(categoryId) ? 'rounded' : 'at an end') : 'plain';
  return [
    `status ${valueText(status)}`,
    ...changed,
    `category ${Number(categoryId) > 0 ? exact : 'not positive'}`,
  ];
}

/** Animals of the run that differ most from each other and from those that are known, as many as asked for. */
function mostDifferent({ store }: Probe, known: readonly Created[], most: number): Created[] {
  const { knownPets } = store;
  const traits = new Set(known.flatMap(traitsOf));
  // An animal that no listing shows may not be there; whether it has to be listed is judged elsewhere.
  const listed = new Set(knownPets.listed());
  const isThere = ({ animal: { id } }: Created): boolean => listed.size === 0 || listed.has(id);
  const there = knownPets.listable().filter((one) => isThere(one) && !knownPets.isAmbiguous(one.animal.id));
  const rest = new Set(there);
  for (const { animal } of known) for (const one of rest) if (one.animal.id === animal.id) rest.delete(one);
  const chosen: Created[] = [];
  while (chosen.length < most && rest.size > 0) {
    const news = (one: Created): number => traitsOf(one).filter((trait) => !traits.has(trait)).length;
    const next = [...rest].reduce((best, one) => (news(one) > news(best) ? one : best));
    rest.delete(next);
    chosen.push(next);
    for (const trait of traitsOf(next)) traits.add(trait);
  }
  return chosen;
}

/** The values of animals that the target has kept, together in one: while nothing else is sent, it is the newest. */
async function createNewest(probe: Probe): Promise<Created[]> {
  const { store, api, draw } = probe;
  const sent = store.knownPets.listable().map(({ exchange }) => bodySent(exchange));
  const categories = sent.flatMap(({ categoryId }) =>
    typeof categoryId === 'bigint' && isRounded(categoryId) ? [categoryId] : [],
  );
  // In whatever order they were created: the same seed sends the same.
  categories.sort((a, b) => (a < b ? -1 : 1));
  const body = await probe.newPetOfOtherStatus();
  const categoryId = categories.length > 0 ? draw.one(fc.constantFrom(...categories)) : body.categoryId;
  const response = await api.createPet({
    ...body,
    name: `${body.name} ${draw.one(petNameText)}`,
    categoryId,
  });
  const animal = createdAnimal(response);
  return animal ? [{ animal, exchange: response.exchange }] : [];
}

const leftByGet01 = {
  'CREATE-04': 'another creation returned the same `id`',
  'MEDIA-01': 'the response is not JSON in UTF-8',
} as const;

// The control, the oldest animal of the run, was requested at its beginning: requested again when the store is full, it is
// the same.
requirement(
  'GET-01',
  {
    phase: 'oldest and newest',
    leavesTo: leftByGet01,
    room: {
      quick: { twice: false, newest: false, others: 1, sequences: 0 },
      standard: { twice: true, newest: true, others: 6, sequences: 0 },
      thorough: { twice: true, newest: true, others: 30, sequences },
    },
  },
  async (probe, room) => {
    unlessRemoved(probe);
    const { api, store, judgement } = probe;
    const got = await store.got();
    const what = 'an existing animal';
    const judge = async (
      { animal: { id, shown }, exchange }: Created,
      first?: ApiResponse,
    ): Promise<void> => {
      const response = first?.status === 200 ? first : await getCreated(probe, id);
      if (store.knownPets.isAmbiguous(id)) {
        judgement.note('An animal was passed over because another creation returned the same `id`.');
        return;
      }
      if (!judgement.status(response, 200, what) || !judgement.isComplete(response, what)) return;
      if (!response.parsed.ok) return judgement.leaveTo('MEDIA-01', what);
      const { animal } = response;
      if (!animal) {
        judgement.fail(response, {
          message: `${what}: the response has no Pet with an \`id\``,
          expected: 'the Pet',
          received: String(response),
          fact: { kind: 'body', form: 'Pet', field: '' },
        });
        return;
      }
      judgement.check(animal.id === id, response, () => ({
        message: 'getPet shows another animal than the one that was requested',
        expected: `\`id\` ${id}`,
        received: `\`id\` ${animal.id}`,
        pointer: '/id',
      }));
      const created = { animal: { id, shown }, response: new ApiResponse(exchange) };
      judgeAsCreated(judgement, created, animal, { by: 'getPet', responses: [response] });
    };
    const again = async (one: Created): Promise<void> => judge(one, await api.getPet(one.animal.id));
    if (store.readOnly) {
      const survey = await store.survey();
      const control = { animal: await store.animal(), exchange: survey.exchange };
      await judge(control, got);
      return again(control);
    }
    const { animal, response } = await store.accepted();
    const oldest = { animal, exchange: response.exchange };
    await judge(oldest, got);
    if (room.twice) await again(oldest);
    const newest = room.newest ? await createNewest(probe) : [];
    for (const one of newest) await judge(one);
    const others = mostDifferent(probe, [oldest, ...newest], room.others);
    await Promise.all(others.map((one) => judge(one)));
    await judgeCommands(probe, room.sequences);
  },
);

/** Identifiers near those of animals, of the four kinds there are, and far from them. */
interface IdentifiersRoom {
  readonly near: number;
  readonly far: number;
}

/** Identifiers that no animal of the run has, and that services confuse with existing ones, or with none. */
function unknownIdentifiers(
  { store: { knownPets }, draw }: Probe,
  id: string,
  { near: mostNear, far: mostFar }: IdentifiersRoom,
): bigint[] {
  const drawn = draw.some(unlikelyIdentifier, mostFar);
  const small = draw.one(fc.bigInt({ min: 1_000n, max: 99_999n }));
  const existing = BigInt(id);
  // In 32 bits the same as an existing one.
  const truncated = existing + 2n ** 32n > mostInt64 ? existing - 2n ** 32n : existing + 2n ** 32n;
  const near = [truncated, 0n, -1n, small];
  const chosen = draw.one(fc.subarray(near, { minLength: mostNear, maxLength: mostNear }));
  // Every second one is negative: an int64 all the same. A service may have given the highest to an animal.
  const far = [mostInt64, ...drawn.map((one, index) => (index % 2 === 0 ? -one : one))];
  const unknown = (one: bigint): boolean => !knownPets.isKnown(String(one));
  return [...far.filter(unknown).slice(0, mostFar), ...chosen.filter(unknown)];
}

const get02 = {
  leavesTo,
  room: {
    quick: { near: 1, far: 1 },
    standard: { near: 4, far: 2 },
    thorough: { near: 4, far: 21 },
  },
};

requirement('GET-02', get02, async (probe, room) => {
  unlessRemoved(probe);
  const { api, store, judgement } = probe;
  const got = await store.got();
  if (got.status !== 200) return judgement.leaveTo('GET-04', String(got));
  const existing = (await store.animal()).id;
  const unknown = unknownIdentifiers(probe, existing, room);
  const responses = await Promise.all(unknown.map(async (id) => [id, await api.getPet(id)] as const));
  const found = responses.filter(([id, { status, animal }]) => status === 200 && animal?.id === String(id));
  // Somebody else's animal may have one of the identifiers, but hardly each.
  const made = found.length > 1 && found.length === responses.length;
  for (const [id, response] of responses) {
    const what = `\`petId\` ${id}, which no animal has`;
    if (!made && found.some(([one]) => one === id))
      judgement.note(`There is an animal ${id}, which this run has not created: it was passed over.`);
    else if (response.status === 200 && response.animal?.id === existing && id !== BigInt(existing))
      judgement.fail(response, {
        message: `${what}: got animal ${existing}, as if only the lower 32 bits were compared`,
        expected: '404',
        received: String(response),
        fact: { kind: 'status', expected: [404] },
      });
    else judgement.status(response, 404, what);
  }
});

/** Texts that are not integers: an existing identifier followed by letters, and drawn ones of the others. */
function notIntegers({ draw }: Probe, id: string, { likely, further }: TextsRoom): string[] {
  // In 64 bits, 2^64 more than an existing identifier is the same: arithmetic that overflows finds the animal.
  const overflowing = String(BigInt(id) + 2n ** 64n);
  const others = ['abc', overflowing, 'constructor', '__proto__', `${id}.5`, String(mostInt64 + 1n)];
  const chosen = draw.one(fc.subarray(others, { minLength: likely, maxLength: likely }));
  return [`${id}abc`, ...chosen, ...[`${id}e0x`, 'null', 'toString', 'NaN', 'Infinity'].slice(0, further)];
}

/** Of the six texts that services take for integers, and of five further ones. */
interface TextsRoom {
  readonly likely: number;
  readonly further: number;
}

const get03 = {
  leavesTo,
  room: {
    quick: { likely: 0, further: 0 },
    standard: { likely: 6, further: 0 },
    thorough: { likely: 6, further: 5 },
  },
};

requirement('GET-03', get03, async (probe, room) => {
  unlessRemoved(probe);
  const { api, store, judgement } = probe;
  const got = await store.got();
  if (got.status !== 200) return judgement.leaveTo('GET-04', String(got));
  const { id } = await store.animal();
  await Promise.all(
    notIntegers(probe, id, room).map(async (petId) => {
      const response = await api.getPet(petId, { unspecified: true });
      const what = `\`petId\` ${petId}`;
      const { status = 0 } = response;
      if (status === 401) return judgement.leaveTo('AUTH-04');
      if (response.broken !== undefined) return judgement.leaveTo('ROBUST-01', `${what}: ${response.broken}`);
      const refused = status >= 400 && status < 500 && response.exchange.failure === undefined;
      judgement.check(refused, response, () => ({
        message: `${what} is not refused with a 4xx`,
        expected: 'a 4xx status with an Error body',
        received: String(response),
        fact: { kind: 'status', expected: [400, 404] },
      }));
      if (refused) judgement.body('Error', response, what);
    }),
  );
});

const leftByGet04 = { 'ROBUST-01': 'the response is not one that is documented' } as const;

requirement('GET-04', { phase: 'whole run', leavesTo: leftByGet04 }, async (probe) => {
  if (probe.facts.removalDatePassed) throw new NotApplicable('the run is later than 4 December 2030');
  const { judgement, store, exchanges } = probe;
  const got = await store.got();
  const served = exchanges.some(
    ({ operation, credential, response }) =>
      operation === 'getPet' && credential === 'valid' && response?.status === 200,
  );
  const { status = 0 } = got;
  if (!served && status === 401) return judgement.leaveTo('AUTH-04', 'whether getPet is served');
  const missing = got.broken === undefined && (status === 404 || notServed.has(status));
  if (!served && !missing) return judgement.leaveTo('ROBUST-01', `whether getPet is served: ${String(got)}`);
  judgement.check(served, got, () => ({
    message: 'getPet serves no existing animal before 5 December 2030',
    expected: '200',
    received: String(got),
    fact: { kind: 'status', expected: [200] },
  }));
});

requirement('GET-05', async ({ facts, judgement, store, api }) => {
  if (!facts.removalDatePassed) throw new NotApplicable('the run is earlier than 5 December 2030');
  const got = await api.getPet((await store.animal()).id);
  judgement.status(got, [404, 405, 410], 'an existing animal after the removal date');
});

/** An identifier that names another one, or none, if a leading zero makes it octal. */
function octalIdentifier({ store: { knownPets } }: Probe, id: string): string {
  const ids = [...knownPets.created.keys()];
  return ids.find((one) => /^[1-7][0-7]+$/.test(one)) ?? ids.find((one) => /[89]/.test(one)) ?? id;
}

requirement('GET-06', { phase: 'unspecified', room: notInQuick('it observes') }, async (probe) => {
  unlessRemoved(probe);
  const { api, store, judgement } = probe;
  const id = octalIdentifier(probe, (await store.animal()).id);
  const [sign, digits] = id.startsWith('-') ? ['-', id.slice(1)] : ['', id];
  await Promise.all(
    [`${id}.0`, `${id}%20`, sign === '' ? `+${id}` : id, `${sign}0${digits}`].map(async (petId) => {
      const response = await api.getPet(petId, { unspecified: true });
      const { animal } = response;
      const other = animal ? `finds another animal, ${animal.id}` : `${response.status ?? ''} without a Pet`;
      const found = animal?.id === id ? 'finds the animal' : other;
      judgement.observe(`\`petId\` ${petId} for ${id}`, response.refusal ?? found, response);
    }),
  );
});
