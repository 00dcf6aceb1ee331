import type { Evidence } from '../lib/evidence/evidence.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { Pet } from '../lib/evidence/pets.js';
import { sendCommands, sequences } from '../lib/session/commands.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { fullPage } from '../lib/specification/page-size.js';
import { answers, failed, left, note, open, passed, unanswered, type Checks } from '../lib/verdict/check.js';
import { showsPet, shownAsCreated } from '../lib/verdict/creation-checks.js';
import { beforeRemoval, requirement, type Probe } from '../lib/verdict/requirement.js';

/** How a target responds for an operation that it does not serve (RFC 9110 15.5.6, 15.5.11, 15.6.2). */
const notServed: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** Animals whose getting may differ from that of others, the likeliest first. */
const kinds: ReadonlyArray<(pet: Pet) => boolean> = [
  ({ creation }) => creation.members.status === undefined,
  ({ creation }) => nameIn(creation) !== nameIn(creation).normalize('NFC'),
  ({ creation }) => isBeyondDoubles(creation.members.categoryId),
  ({ creation }) => nameIn(creation).length > 255,
  ...petStatuses.map(
    (status) =>
      ({ creation }: Pet) =>
        creation.members.status === status,
  ),
];

function nameIn({ members }: Exchange): string {
  return String(members.name);
}

function isBeyondDoubles(categoryId: unknown): categoryId is bigint {
  return typeof categoryId === 'bigint' && BigInt(Number(categoryId)) !== categoryId;
}

/** Animals of the run of all kinds, those first of which none is known yet. */
function mostDifferent({ store: { pets } }: Probe, known: readonly Pet[], most: number): Pet[] {
  const listed = pets.listedUnder();
  // An animal that no listing shows may not be there; whether it has to be listed is judged elsewhere.
  const isThere = ({ id, isOwn }: Pet): boolean => isOwn && (listed.size === 0 || listed.has(id));
  const there = [...pets.created.values()].filter((pet) => isThere(pet) && !known.includes(pet));
  const ofKinds = kinds.flatMap((isOfKind) => (known.some(isOfKind) ? [] : (there.find(isOfKind) ?? [])));
  return [...new Set([...ofKinds, ...there])].slice(0, most);
}

// The control, the oldest animal of the run, was requested at its beginning: requested again when the store is full, it is
// the same.
requirement('GET-01', {
  phase: 'oldest and newest',
  exempt: beforeRemoval,
  room: {
    quick: { twice: false, others: 1, sequences: 0 },
    standard: { twice: true, others: 6, sequences: 0 },
    thorough: { twice: true, others: 30, sequences },
  },
  async probe(probe, { twice, others, sequences: most }) {
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
    await sendCommands(probe, most);
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
      yield* shows(one, pet);
    }
    if (pets.sameIds.length > 0)
      yield note('An animal was passed over because another creation returned the same `id`.');
  },
});

/** Checks that getPet shows an animal that exists as it was created. */
function* shows(one: Exchange, pet: Pet): Checks {
  yield* showsPet(one, 'an existing animal', [200]);
  const { animal } = one;
  if (one.status !== 200 || !animal) return;
  if (animal.id === pet.id) yield shownAsCreated(pet, { animal, by: one, times: 1 });
  else
    yield failed(one, {
      message: 'getPet shows another animal than the one that was requested',
      expected: `\`id\` ${pet.id}`,
      received: `\`id\` ${animal.id}`,
      pointer: '/id',
    });
}

/** Requests for animals that listings had shown before, each as if the listing had created it. */
function* listedBefore({ fetches, pets, listings }: Evidence): Iterable<readonly [Exchange, Pet]> {
  const listed = new Map(pets.listed.map((one) => [one.animal.id, one]));
  for (const one of fetches.specified) {
    const shown = listed.get(one.petId);
    if (!shown || shown.since > one.sentAt) continue;
    const { animal, by } = shown;
    if (one.status === 404 && !listings.isShownAfter(one.petId, one)) continue;
    yield [one, { id: animal.id, animal, creation: by, showings: [], isOwn: true }];
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
    if (!got) return void (yield open('no animal that a listing shows was requested', 'LIST-08'));
    const subject = 'whether getPet is served';
    const isOther = !notServed.has(got.status ?? 0);
    const finding = isOther
      ? left('ROBUST-01', `${subject}: ${String(got)}`)
      : failed(got, {
          message: 'getPet serves no existing animal before 5 December 2030',
          expected: '200',
          fact: { kind: 'status', expected: [200] },
        });
    yield unanswered(got, subject) ?? finding;
  },
});

requirement('GET-05', {
  exempt: ({ removalDatePassed }) =>
    removalDatePassed ? undefined : 'the run is earlier than 5 December 2030',
  probe: async ({ api, store }) => api.getPet((await store.animal()).id),
  *rule({ fetches, pets }) {
    for (const one of fetches.specified)
      if (pets.ids.has(one.petId))
        yield answers(one, [404, 405, 410], 'an existing animal after the removal date');
  },
});
