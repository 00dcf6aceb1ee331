import * as fc from 'fast-check';
import { mostInt64, unlikelyIdentifier } from '../lib/draw/values.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { Pet } from '../lib/evidence/pets.js';
import { sendCommands } from '../lib/session/commands.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { fullPage } from '../lib/specification/page-size.js';
import { beforeRemoval, requirement } from '../lib/verdict/requirement.js';
import type { Probe } from '../lib/session/probe.js';
import { left, note, observed, open, passed } from '../lib/verdict/check.js';
import { answers, hasErrorBody, shownAsCreated, showsPet } from '../lib/verdict/verbs.js';

/** Animals whose getting may differ from that of others, the likeliest first. */
const kinds: ReadonlyArray<(pet: Pet) => boolean> = [
  ({ creation }) => creation.members.status === undefined,
  ({ creation: { nameSent } }) => nameSent !== nameSent?.normalize('NFC'),
  ({ creation }) => typeof creation.members.categoryId === 'bigint',
  ({ creation: { nameSent = '' } }) => nameSent.length > 255,
  ...petStatuses.map(
    (status) =>
      ({ creation }: Pet) =>
        creation.members.status === status,
  ),
];

/** Animals of the run of all kinds, those first of which none is known yet. */
function mostDifferent({ store: { pets } }: Probe, known: readonly Pet[], most: number): Pet[] {
  const listed = pets.listedUnder();
  // An animal that no listing shows may not be there; whether it has to be listed is judged elsewhere.
  const isThere = ({ id }: Pet): boolean => listed.size === 0 || listed.has(id);
  const there = pets.own.filter((pet) => isThere(pet) && !known.includes(pet));
  const ofKinds = kinds.flatMap((isOfKind) => (known.some(isOfKind) ? [] : (there.find(isOfKind) ?? [])));
  return [...new Set([...ofKinds, ...there])].slice(0, most);
}

// The control, the oldest animal of the run, was requested at its beginning: requested again when the store is full, it is
// the same.
requirement('GET-01', {
  phase: 'oldest and newest',
  exempt: beforeRemoval,
  room: {
    quick: { twice: false, others: 1, commands: false },
    standard: { twice: true, others: 6, commands: false },
    thorough: { twice: true, others: 30, commands: true },
  },
  async probe(probe, { twice, others, commands }) {
    const { api, store } = probe;
    const { id } = await store.animal();
    await store.got();
    if (twice || store.readOnly) await api.getPet(id);
    if (store.readOnly) return;
    // While nothing else is sent, it is the newest.
    const newest = twice ? (await api.createPet(await probe.newPetOfOtherStatus())).created : undefined;
    if (newest) await probe.getCreated(newest.id);
    const known = [id, newest?.id].flatMap((one) => store.pets.created.get(one ?? '') ?? []);
    await Promise.all(mostDifferent(probe, known, others).map((pet) => probe.getCreated(pet.id)));
    if (commands) await sendCommands(probe);
  },
  *rule(evidence) {
    const { pets, facts } = evidence;
    const found = new Set<Pet>();
    // Without creations, what listings show is compared.
    const due = pets.created.size > 0 ? evidence.fetchesOfOwn : listedBefore(evidence);
    for (const [one, pet] of due) {
      const isEarly = one.sentAt < pet.creation.endedAt + facts.consistencyMs;
      if (one.status === 404 && isEarly && !found.has(pet)) continue;
      if (one.status === 200) found.add(pet);
      yield* showsPet(one, 'an existing animal', [200]);
      const { animal } = one;
      if (one.status === 200 && animal) yield shownAsCreated(pet, { animal, by: one, times: 1 });
    }
  },
});

/** Requests for animals that listings had shown before, each as if the listing had created it. */
function* listedBefore({ fetches, pets, listings }: Evidence): Iterable<readonly [Exchange, Pet]> {
  const listed = new Map(pets.listed.map((one) => [one.animal.id, one]));
  for (const one of fetches.specified) {
    const shown = listed.get(one.petId);
    if (!shown || shown.by.endedAt > one.sentAt) continue;
    const { animal, by } = shown;
    if (one.status === 404 && !listings.isShownAfter(one.petId, one)) continue;
    yield [one, { id: animal.id, animal, creation: by, listed: [], fetched: [], isOwn: true }];
  }
}

requirement('GET-04', {
  phase: 'whole run',
  exempt: beforeRemoval,
  async probe({ api, store }) {
    if ((await store.got()).status === 200) return;
    const { id, shown } = await store.animal();
    if (store.pets.listedUnder().has(id)) return;
    const status = petStatuses.find((one) => one === shown.status);
    await api.listPets({ limit: fullPage, status });
  },
  *rule(evidence) {
    const { fetches, pets } = evidence;
    if (evidence.serves('getPet')) return void (yield passed);
    const listed = pets.listedUnder();
    const got = fetches.specified.findLast(({ petId }) => listed.has(petId));
    if (!got) yield open('no animal that a listing shows was requested', 'LIST-08');
    else if (got.status === 500) yield left('ROBUST-01', 'whether getPet is served');
    else yield answers(got, 200, 'an animal that a listing shows');
  },
});

requirement('GET-05', {
  exempt: ({ removalDatePassed }) =>
    removalDatePassed ? undefined : 'the run is earlier than 5 December 2030',
  probe: async ({ api, store }) => api.getPet((await store.animal()).id),
  *rule({ fetches, pets }) {
    for (const one of fetches.specified)
      if (pets.knows(one.petId))
        yield answers(one, [404, 405, 410], 'an existing animal after the removal date');
  },
});

/** Identifiers that no animal of the run has, and that services confuse with existing ones, or with none: the likeliest first. */
function unknownIdentifiers({ store: { pets }, draw }: Probe, id: string, most: number): bigint[] {
  const existing = BigInt(id);
  // In 32 bits the same as an existing one.
  const truncated = existing + 2n ** 32n > mostInt64 ? existing - 2n ** 32n : existing + 2n ** 32n;
  const small = draw.one(fc.bigInt({ min: 1_000n, max: 99_999n }));
  // Every second one is negative: an int64 all the same. A service may have given the highest to an animal.
  const drawn = draw.some(unlikelyIdentifier, most).map((one, index) => (index % 2 === 0 ? -one : one));
  const unknown = [mostInt64, truncated, ...drawn.slice(0, 1), 0n, -1n, small, ...drawn.slice(1)];
  return unknown.filter((one) => !pets.knows(String(one))).slice(0, most);
}

requirement('GET-02', {
  needs: 'getPet',
  exempt: beforeRemoval,
  room: { quick: 2, standard: 6, thorough: 25 },
  async probe(probe, most) {
    const { api, store } = probe;
    const unknown = unknownIdentifiers(probe, (await store.animal()).id, most);
    await Promise.all(unknown.map(async (id) => api.getPet(id)));
  },
  *rule({ fetches, pets }) {
    const unknown = fetches.specified.filter(({ petId }) => !pets.knows(petId));
    const found = unknown.filter(({ status, animal, petId }) => status === 200 && animal?.id === petId);
    // Somebody else's animal may have one of the identifiers, but hardly each.
    const isMade = found.length > 1 && found.length === unknown.length;
    for (const one of unknown) {
      const { petId } = one;
      const what = `\`petId\` ${petId}, which no animal has`;
      if (!isMade && found.includes(one))
        yield note(`There is an animal ${petId}, which this run has not created: it was passed over.`);
      else yield answers(one, 404, what);
    }
  },
});

/** Texts that are not integers, the likeliest to be taken for one first. */
function notIntegers(id: string): string[] {
  // In 64 bits, 2^64 more than an existing identifier is the same: arithmetic that overflows finds the animal.
  const overflowing = String(BigInt(id) + 2n ** 64n);
  const likely = [
    `${id}abc`,
    'abc',
    overflowing,
    'constructor',
    '__proto__',
    `${id}.5`,
    String(mostInt64 + 1n),
  ];
  return [...likely, `${id}e0x`, 'null', 'toString', 'NaN', 'Infinity'];
}

requirement('GET-03', {
  needs: 'getPet',
  exempt: beforeRemoval,
  room: { quick: 1, standard: 7, thorough: 12 },
  async probe({ api, store }, most) {
    const texts = notIntegers((await store.animal()).id).slice(0, most);
    await Promise.all(texts.map((petId) => api.getPet(petId)));
  },
  *rule({ fetches }) {
    for (const one of fetches.faultyOnlyBy('petId')) {
      const what = `\`petId\` ${one.petId}`;
      const { status = 0, failure } = one;
      const isRefused = status >= 400 && status < 500 && status !== 401 && failure === undefined;
      if (isRefused) yield* hasErrorBody(one);
      else yield answers(one, [400, 404], what);
    }
  },
});

requirement('GET-06', {
  phase: 'unspecified',
  notInQuick: 'it observes',
  exempt: beforeRemoval,
  async probe({ api, store }) {
    // A leading zero makes an identifier octal for some: of several digits it names another one then, or none.
    const id = [...store.pets.created.keys()].find((one) => one.length > 1) ?? (await store.animal()).id;
    const spellings = [`${id}.0`, `${id}%20`, `+${id}`, `0${id}`];
    await Promise.all(spellings.map((petId) => api.getPet(petId)));
  },
  *rule({ fetches, pets }) {
    for (const one of fetches.unspecifiedOnlyBy('petId spelling')) {
      const { petId, animal, status, refusal } = one;
      const id = String(BigInt(/[+-]?\d+/.exec(petId.replaceAll(/%20|\+/g, ''))?.[0] ?? 0));
      if (!pets.knows(id)) continue;
      const other = animal ? `finds another animal, ${animal.id}` : `${status ?? ''} without a Pet`;
      const found = animal?.id === id ? 'finds the animal' : other;
      yield observed(`\`petId\` ${petId} for ${id}`, refusal ?? found, one);
    }
  },
});
