import * as fc from 'fast-check';
import {
  notAnInt64,
  notAnObject,
  notAPetStatus,
  notAString,
  type InvalidValues,
} from '../lib/draw/refused-values.js';
import { spellings } from '../lib/draw/json-spelling.js';
import { repeated } from '../lib/evidence/curl.js';
import type { Rooms } from '../lib/verdict/profile.js';
import { requirement, type Probe } from '../lib/verdict/requirement.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { sendCommands, sequences } from '../lib/session/commands/send-commands.js';
import { isAccepted } from '../lib/evidence/exchange.js';
import { looksLate, sendSideEffects } from '../lib/session/side-effects.js';
import { reproduceInTurn } from '../lib/verdict/reproduce.js';
import type { NewPet } from '../lib/session/control-search.js';
import { writeJson } from '../lib/specification/json-value.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { check, failed, note, open, passed, type Checks } from '../lib/verdict/check.js';
import {
  comesBackAsSent,
  created,
  escapesIn,
  fields,
  kept,
  refusedFor,
  type Field,
} from '../lib/verdict/creation-checks.js';
import { leaveNothing } from '../lib/verdict/side-effect-checks.js';

/** Bodies with drawn names, in the spellings of JSON by turns, and sequences of commands. */
interface BodiesRoom {
  readonly drawn: number;
  readonly sequences: number;
}

/** Valid bodies, one of them twice: nothing says that the names of animals are unique. */
async function sendBodies(probe: Probe, { drawn }: BodiesRoom): Promise<unknown> {
  return probe.store.once('valid bodies', async () => {
    const { api, draw, name } = probe;
    const letters = fc.string({
      unit: fc.constantFrom(...'abcdefghij'.split('')),
      minLength: 1,
      maxLength: 20,
    });
    const labels = draw.some(letters, drawn);
    const newPet = await probe.newPetOfOtherStatus();
    return Promise.all([
      api.inSequence([() => api.createPet(newPet), () => api.createPet(newPet)]),
      sendEachStatus(probe),
      ...labels.map(async (label, index) => {
        const [, write = writeJson] = spellings[index % spellings.length] ?? [];
        return api.createPet({ ...newPet, name: name(label) }, { write });
      }),
    ]);
  });
}

/** The creation of an animal of each status; the control stands for its own. */
async function sendEachStatus({ store }: Probe): Promise<unknown> {
  const api = store.api('CREATE-03');
  const control = await store.accepted();
  const others = petStatuses.filter((status) => status !== control.body.status);
  return store.once('each status', async () =>
    Promise.all(
      others.map(async (status) => api.createPet({ ...(await store.newPet('CREATE-03')), status })),
    ),
  );
}

requirement('CREATE-01', {
  phase: 'whole run',
  sends: sendBodies,
  room: {
    quick: { drawn: 0, sequences: 0 },
    standard: { drawn: spellings.length, sequences: 0 },
    thorough: { drawn: 30, sequences },
  },
  async probe(probe, room) {
    await sendBodies(probe, room);
    await sendCommands(probe, room.sequences);
  },
  *rule({ creations, facts }) {
    for (const one of creations.plain.toSorted((a, b) => escapesIn(a) - escapesIn(b))) {
      // A service may refuse a category that it does not know.
      if (one.status === 400 && !creations.hasKnownCategory(one)) continue;
      const isConfigured = one.status === 400 && facts.categoryId !== undefined;
      yield* created(one, isConfigured ? 'a valid body with the configured category' : 'a valid body');
      yield* comesBackAsSent(one, fields);
    }
    yield* equalBodies(creations.plain);
    if (creations.accepted.length === 0)
      yield open(
        'the target accepted no valid body as a control. Give a known category with NAME_CATEGORY_ID',
      );
  },
});

/** Checks that equal bodies, one sent after the other was answered, create an animal each. */
function* equalBodies(creations: readonly Exchange[]): Checks {
  const before = new Map<string, Exchange>();
  for (const second of creations) {
    const { body = '' } = second.request;
    const first = before.get(body);
    if (second.animal) before.set(body, second);
    if (!first || !second.animal || second.sentAt < first.endedAt) continue;
    const { id } = second.animal;
    yield check(first.animal?.id !== id, [first, second], () => ({
      message: 'two equal bodies create one animal',
      expected: 'an animal for each',
      received: `\`id\` ${id} twice`,
      pointer: '/id',
    }));
  }
}

const noneAccepted = 'no valid body was accepted in this run';

requirement('CREATE-02', {
  async probe({ api, newPet }) {
    const { name, categoryId } = await newPet();
    await api.createPet({ name, categoryId });
  },
  *rule({ creations }) {
    if (creations.accepted.length === 0) yield open(noneAccepted, 'CREATE-01');
    else
      for (const one of creations.withoutStatus) {
        if (creations.hasKnownCategory(one) || one.status !== 400)
          yield* created(one, 'a body without `status`', creations.success);
      }
  },
});

requirement('CREATE-03', {
  phase: 'whole run',
  sends: sendEachStatus,
  probe: sendEachStatus,
  *rule(evidence) {
    const { creations } = evidence;
    if (creations.accepted.length === 0) return void (yield open(noneAccepted, 'CREATE-01'));
    for (const status of petStatuses) {
      const given = creations.plain.filter(
        (one) => one.members.status === status && creations.hasKnownCategory(one),
      );
      const accepted = given.filter((one) => isAccepted(one.status));
      // A refusal of a status that was accepted elsewhere has another reason.
      for (const one of accepted.length > 0 ? accepted : given) {
        yield* created(one, `\`status\` ${status}`, creations.success);
        yield* comesBackAsSent(one, ['status']);
      }
      if (given.length === 0 && creations.accepted.length > 0)
        yield open(`no creation gave \`status\` ${status}`);
    }
    yield* kept(evidence, 'status', (shown) => petStatuses.some((status) => status === shown));
  },
});

const anIdentifierEach = 'an identifier of its own for each animal';

// Stocking the store is a burst already; only if nothing was to be added one is made for this requirement alone.
requirement('CREATE-04', {
  phase: 'whole run',
  leavesTo: { 'CREATE-14': 'the body brought an `id`' },
  room: {
    quick: { burst: 3, sequences: 0 },
    standard: { burst: 12, sequences: 0 },
    thorough: { burst: 40, sequences },
  },
  async probe(probe, room) {
    if (!probe.store.hasBurst) await probe.store.burst(room.burst);
    await sendCommands(probe, room.sequences);
  },
  *rule({ pets }) {
    for (const _ of pets.created) yield passed;
    for (const [first, second] of pets.sameIds) {
      const together = second.sentAt < first.endedAt;
      yield failed([first, second], {
        message: together
          ? 'creations that are sent at the same time return the same `id`'
          : 'two creations, one after the other, returned the same `id`',
        expected: anIdentifierEach,
        received: `\`id\` ${second.animal?.id ?? ''} twice`,
        // Both bodies: a service may count each status by itself.
        reproduce: together
          ? repeated.atOnce(`${first.curl} & ${second.curl}`, 5)
          : reproduceInTurn([first, second]),
      });
    }
    for (const { id, earlier, creation } of pets.reused)
      yield failed([earlier, creation], {
        message: 'a creation returned the `id` of an animal that was there before',
        expected: anIdentifierEach,
        received: `\`id\` ${id}, which a listing had shown before the creation was sent`,
      });
    if (pets.created.size < 2) yield open('fewer than two creations were accepted');
  },
});

/** A body that is accepted with a name, and with a category by which an animal is found that it adds without one. */
async function nameless({ store, newPet }: Probe): Promise<Omit<NewPet, 'name'>> {
  const { name: _name, ...body } = await newPet();
  const unknown = await store.unknownCategory();
  return isAccepted(unknown.status)
    ? { ...body, categoryId: (unknown.members as unknown as NewPet).categoryId }
    : body;
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
async function sendEach(
  probe: Probe,
  field: Field,
  invalidValues: InvalidValues,
  { kinds, values }: InvalidRoom,
): Promise<void> {
  const drawn = invalidValues.slice(0, kinds).flatMap(([, arbitrary]) => probe.draw.some(arbitrary, values));
  await Promise.all(
    drawn.map(async (value) =>
      probe.api.createPet({
        ...(field === 'name' ? await nameless(probe) : await probe.newPet()),
        [field]: value,
      }),
    ),
  );
}

requirement('CREATE-05', {
  probe: async (probe) => probe.api.createPet(await nameless(probe)),
  rule: (evidence) => refusedFor(evidence, 'no name'),
});

requirement('CREATE-06', {
  /** Whether a body is sent, too, in which two fields are missing. */
  room: { quick: false, standard: true, thorough: true },
  async probe({ api, newPet }, sendsEmpty) {
    const { categoryId: _categoryId, ...body } = await newPet();
    await api.createPet(body);
    // The Error, which an invariant judges, may have another form then.
    if (sendsEmpty) await api.createPet({});
  },
  rule: (evidence) => refusedFor(evidence, 'no categoryId'),
});

requirement('CREATE-07', {
  room: invalidRoom(1),
  probe: (probe, room) => sendEach(probe, 'name', notAString, room),
  rule: (evidence) => refusedFor(evidence, 'name'),
});

requirement('CREATE-08', {
  room: invalidRoom(2),
  async probe(probe, room) {
    const { categoryId } = (await probe.store.accepted()).body;
    await sendEach(probe, 'categoryId', notAnInt64(categoryId), room);
  },
  rule: (evidence) => refusedFor(evidence, 'categoryId'),
});

requirement('CREATE-09', {
  room: invalidRoom(1),
  leavesTo: { 'CREATE-03': 'every status is refused' },
  probe: (probe, room) => sendEach(probe, 'status', notAPetStatus, room),
  rule: (evidence) => refusedFor(evidence, 'status'),
});

requirement('CREATE-10', {
  room: { quick: 1, standard: Infinity, thorough: Infinity },
  async probe({ api, store, newPet }, most) {
    const kinds = notAnObject(writeJson((await store.accepted()).body)).slice(0, most);
    await Promise.all(
      kinds.map(async (_kind, index) => {
        // Each has a name of its own, so that one that was created is not mistaken for another.
        const [, text] = notAnObject(writeJson(await newPet()))[index] ?? [];
        // Without a body there is no Content-Type either.
        await api.createPetFrom({ text }, text === undefined ? { contentType: null, unspecified: true } : {});
      }),
    );
  },
  *rule(evidence) {
    const { creations } = evidence;
    const isOpen = (one: Exchange): boolean => one.request.body === undefined && one.status === 415;
    yield* refusedFor(evidence, 'not an object', (one) => !isOpen(one));
    if (creations.faultyOnlyBy('not an object').some(isOpen))
      yield note('A request with neither a body nor a Content-Type gets 415: either may be the reason.');
  },
});

requirement('CREATE-11', {
  phase: 'late effects',
  room: looksLate,
  probe: sendSideEffects,
  rule: (evidence) => leaveNothing(evidence, evidence.pets.refused, 'a refused creation added an animal'),
});
