import * as fc from 'fast-check';
import { mostInt64, unlikelyIdentifier } from '../lib/draw/id-values.js';
import { petNameText } from '../lib/draw/name-values.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Pet } from '../lib/evidence/pets.js';
import { notInQuick } from '../lib/verdict/profile.js';
import { requirement, type Probe, type RunFacts } from '../lib/verdict/requirement.js';
import { valueText } from '../lib/evidence/animal.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { sendCommands, sequences } from '../lib/session/commands/send-commands.js';
import { bodySent } from '../lib/session/compare-pets.js';
import { createdAnimal } from '../lib/evidence/exchange.js';
import { getCreated } from '../lib/session/creation.js';
import type { Created } from '../lib/session/known-pets.js';
import { fullPage } from '../lib/specification/page-size.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { isBody } from '../lib/verdict/body-check.js';
import {
  answers,
  check,
  failed,
  left,
  note,
  observed,
  open,
  passed,
  type Checks,
} from '../lib/verdict/check.js';
import { NotApplicable } from '../lib/verdict/outcome.js';
import { shownAsCreated } from '../lib/verdict/shown-as-created.js';

/** How a target responds for an operation that it does not serve (RFC 9110 15.5.6, 15.5.11, 15.6.2). */
const notServed: ReadonlySet<number> = new Set([405, 410, 501]);

function unlessRemoved({ removalDatePassed }: RunFacts): void {
  if (removalDatePassed) throw new NotApplicable('the operation is past its removal date, 5 December 2030');
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
  return animal ? [{ animal, exchange: response }] : [];
}

// The control, the oldest animal of the run, was requested at its beginning: requested again when the store is full, it is
// the same.
requirement('GET-01', {
  phase: 'oldest and newest',
  leavesTo: { 'MEDIA-01': 'the response is not JSON in UTF-8' },
  room: {
    quick: { twice: false, newest: false, others: 1, sequences: 0 },
    standard: { twice: true, newest: true, others: 6, sequences: 0 },
    thorough: { twice: true, newest: true, others: 30, sequences },
  },
  async probe(probe, room) {
    unlessRemoved(probe.facts);
    const { api, store } = probe;
    await store.got();
    if (store.readOnly) return void (await api.getPet((await store.animal()).id));
    const { animal, response } = await store.accepted();
    if (room.twice) await api.getPet(animal.id);
    const newest = room.newest ? await createNewest(probe) : [];
    for (const one of newest) await getCreated(probe, one.animal.id);
    const others = mostDifferent(probe, [{ animal, exchange: response }, ...newest], room.others);
    await Promise.all(others.map((one) => getCreated(probe, one.animal.id)));
    await sendCommands(probe, room.sequences);
  },
  *rule(evidence) {
    const { fetches, pets, facts } = evidence;
    unlessRemoved(facts);
    const found = new Set<Pet>();
    // Without creations, what listings show is compared.
    const due = pets.created.size > 0 ? fetches.of(pets) : listedBefore(evidence);
    for (const [one, pet] of due) {
      const isEarly = one.sentAt < pet.creation.endedAt + facts.consistencyMs;
      if (one.status === 404 && isEarly && !found.has(pet)) continue;
      if (one.status === 200) found.add(pet);
      yield* shows(one, pet);
    }
    if (pets.sameIds.length > 0)
      yield note('An animal was passed over because another creation returned the same `id`.');
  },
});

/** Checks that getPet shows an animal that exists as it was created. */
function* shows(one: Exchange, pet: Pet): Checks {
  const what = 'an existing animal';
  const status = answers(one, 200, what);
  yield status;
  if (status.kind !== 'passed') return;
  const { animal, response, failure } = one;
  const { bytes, truncated } = response?.body ?? { bytes: 0 };
  if (failure) yield left('ROBUST-01', `${what}: ${failure.message}`);
  else if (truncated) yield open(`${what}: the body of the response is not recorded`);
  else if (!one.parsed.ok && bytes > 0) yield left('MEDIA-01', what);
  else if (!animal)
    yield failed(one, {
      message: `${what}: the response has no Pet with an \`id\``,
      expected: 'the Pet',
      received: String(one),
      fact: { kind: 'body', form: 'Pet', field: '' },
    });
  else {
    yield check(animal.id === pet.id, one, () => ({
      message: 'getPet shows another animal than the one that was requested',
      expected: `\`id\` ${pet.id}`,
      received: `\`id\` ${animal.id}`,
      pointer: '/id',
    }));
    yield shownAsCreated(pet, { animal, by: one, times: 1 }, 'getPet');
  }
}

/** Requests for animals that listings had shown before, each as if the listing had created it. */
function* listedBefore({ fetches, pets, listings }: Evidence): Iterable<readonly [Exchange, Pet]> {
  const listed = new Map([...pets.listed.values()].map((one) => [one.animal.id, one]));
  for (const one of fetches.specified) {
    const shown = listed.get(one.petId);
    if (!shown || shown.since > one.sentAt) continue;
    const { animal, by } = shown;
    const before = listings.pages.filter((page) => page.by.endedAt <= one.sentAt);
    const last = before.findLast(({ animals }) => animals.some(({ id }) => id === animal.id));
    // Other clients may have removed what the same listing no longer shows.
    const isGone = before.findLast((page) => page.by.query.toString() === last?.by.query.toString()) !== last;
    if (one.status === 404 && isGone) continue;
    yield [one, { id: animal.id, animal, creation: by, showings: [], isOwn: true }];
  }
}

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

requirement('GET-02', {
  leavesTo,
  room: {
    quick: { near: 1, far: 1 },
    standard: { near: 4, far: 2 },
    thorough: { near: 4, far: 21 },
  },
  async probe(probe, room) {
    unlessRemoved(probe.facts);
    const { api, store } = probe;
    if ((await store.got()).status !== 200) return;
    const unknown = unknownIdentifiers(probe, (await store.animal()).id, room);
    await Promise.all(unknown.map(async (id) => api.getPet(id)));
  },
  *rule({ fetches, pets, facts }) {
    unlessRemoved(facts);
    const unknown = fetches.specified.filter(({ petId }) => !pets.ids.has(petId));
    if (!fetches.isServed) return void (yield left('GET-04'));
    const found = unknown.filter(({ status, animal, petId }) => status === 200 && animal?.id === petId);
    // Somebody else's animal may have one of the identifiers, but hardly each.
    const isMade = found.length > 1 && found.length === unknown.length;
    for (const one of unknown) {
      const { petId, status, animal } = one;
      const what = `\`petId\` ${petId}, which no animal has`;
      if (!isMade && found.includes(one))
        yield note(`There is an animal ${petId}, which this run has not created: it was passed over.`);
      else if (status === 200 && animal && pets.ids.has(animal.id) && isSameIn32Bits(animal.id, petId))
        yield failed(one, {
          message: `${what}: got animal ${animal.id}, as if only the lower 32 bits were compared`,
          expected: '404',
          received: String(one),
          fact: { kind: 'status', expected: [404] },
        });
      else yield answers(one, 404, what);
    }
  },
});

function isSameIn32Bits(one: string, other: string): boolean {
  return BigInt.asIntN(32, BigInt(one)) === BigInt.asIntN(32, BigInt(other));
}

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

requirement('GET-03', {
  leavesTo,
  room: {
    quick: { likely: 0, further: 0 },
    standard: { likely: 6, further: 0 },
    thorough: { likely: 6, further: 5 },
  },
  async probe(probe, room) {
    unlessRemoved(probe.facts);
    const { api, store } = probe;
    if ((await store.got()).status !== 200) return;
    const { id } = await store.animal();
    await Promise.all(
      notIntegers(probe, id, room).map(async (petId) => api.getPet(petId, { unspecified: true })),
    );
  },
  *rule({ fetches, facts }) {
    unlessRemoved(facts);
    if (!fetches.isServed) return void (yield left('GET-04'));
    for (const one of fetches.faulty) {
      const what = `\`petId\` ${one.petId}`;
      const { status = 0, broken, failure } = one;
      const isRefused = status >= 400 && status < 500 && failure === undefined;
      if (status === 401) yield left('AUTH-04');
      else if (broken !== undefined) yield left('ROBUST-01', `${what}: ${broken}`);
      else if (isRefused) yield isBody('Error', one);
      else
        yield failed(one, {
          message: `${what} is not refused with a 4xx`,
          expected: 'a 4xx status with an Error body',
          received: String(one),
          fact: { kind: 'status', expected: [400, 404] },
        });
    }
  },
});

requirement('GET-04', {
  phase: 'whole run',
  leavesTo: { 'ROBUST-01': 'the response is not one that is documented' },
  async probe({ api, store, facts }) {
    if (facts.removalDatePassed || (await store.got()).status === 200) return;
    const { id, shown } = await store.animal();
    if (store.knownPets.listed().includes(id)) return;
    const status = petStatuses.find((one) => one === shown.status);
    await api.listPets([['limit', fullPage], ...(status ? [['status', status] as const] : [])]);
  },
  *rule({ fetches, pets, facts }) {
    if (facts.removalDatePassed) throw new NotApplicable('the run is later than 4 December 2030');
    if (fetches.isServed) return void (yield passed);
    const listed = new Set([...pets.listed.values()].map(({ animal }) => animal.id));
    const got = fetches.specified.findLast(({ petId }) => listed.has(petId));
    const { status = 0, broken } = got ?? {};
    if (!got) yield open('no animal that a listing shows was requested', 'LIST-08');
    else if (status === 401) yield left('AUTH-04', 'whether getPet is served');
    else if (broken !== undefined || (status !== 404 && !notServed.has(status)))
      yield left('ROBUST-01', `whether getPet is served: ${String(got)}`);
    else
      yield failed(got, {
        message: 'getPet serves no existing animal before 5 December 2030',
        expected: '200',
        received: String(got),
        fact: { kind: 'status', expected: [200] },
      });
  },
});

requirement('GET-05', {
  async probe({ api, store, facts }) {
    if (facts.removalDatePassed) await api.getPet((await store.animal()).id);
  },
  *rule({ fetches, pets, facts }) {
    if (!facts.removalDatePassed) throw new NotApplicable('the run is earlier than 5 December 2030');
    for (const one of fetches.specified)
      if (pets.ids.has(one.petId))
        yield answers(one, [404, 405, 410], 'an existing animal after the removal date');
  },
});

/** An identifier that names another one, or none, if a leading zero makes it octal. */
function octalIdentifier({ store: { knownPets } }: Probe, id: string): string {
  const ids = [...knownPets.created.keys()];
  return ids.find((one) => /^[1-7][0-7]+$/.test(one)) ?? ids.find((one) => /[89]/.test(one)) ?? id;
}

requirement('GET-06', {
  phase: 'unspecified',
  room: notInQuick('it observes'),
  async probe(probe) {
    unlessRemoved(probe.facts);
    const { api, store } = probe;
    const id = octalIdentifier(probe, (await store.animal()).id);
    const [sign, digits] = id.startsWith('-') ? ['-', id.slice(1)] : ['', id];
    await Promise.all(
      [`${id}.0`, `${id}%20`, sign === '' ? `+${id}` : id, `${sign}0${digits}`].map(async (petId) =>
        api.getPet(petId, { unspecified: true }),
      ),
    );
  },
  *rule({ fetches, facts, pets }) {
    unlessRemoved(facts);
    for (const one of fetches.otherwiseSpelt) {
      const { petId, animal, status, refusal } = one;
      const id = String(BigInt(/[+-]?\d+/.exec(petId.replaceAll(/%20|\+/g, ''))?.[0] ?? 0));
      if (!pets.ids.has(id)) continue;
      const other = animal ? `finds another animal, ${animal.id}` : `${status ?? ''} without a Pet`;
      const found = animal?.id === id ? 'finds the animal' : other;
      yield observed(`\`petId\` ${petId} for ${id}`, refusal ?? found, one);
    }
  },
});
