import * as fc from 'fast-check';
import { petFields } from '../lib/evidence/animal.js';
import { repeated } from '../lib/evidence/curl.js';
import { isAccepted } from '../lib/evidence/exchange.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { writeJson } from '../lib/specification/json-value.js';
import { requirement, type Rooms } from '../lib/verdict/requirement.js';
import type { Probe } from '../lib/session/probe.js';
import {
  notAnInt64,
  notAnObject,
  notAPetStatus,
  notAString,
  type InvalidValues,
  spellings,
} from '../lib/draw/values.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import { describeFault, type Fault } from '../lib/evidence/request-facts.js';
import { unknownCategory } from '../lib/session/control-search.js';
import { looksLate, sendSideEffects } from '../lib/session/side-effects.js';
import { failed, left, open, passed, type Checks } from '../lib/verdict/check.js';
import { answers, kept, leaveNothing, showsPet, type Field } from '../lib/verdict/verbs.js';

const letters = fc.string({ unit: fc.constantFrom(...'abcdefghij'.split('')), minLength: 1, maxLength: 20 });

requirement('CREATE-01', {
  /** How many names are drawn, sent in the spellings of JSON by turns. */
  room: { quick: 0, standard: spellings.length, thorough: 30 },
  async probe({ api, draw, name, newPetOfOtherStatus }, drawn) {
    const newPet = await newPetOfOtherStatus();
    await Promise.all([
      // Twice: nothing says that the names of animals are unique.
      api.inSequence([() => api.createPet(newPet), () => api.createPet(newPet)]),
      ...draw.some(letters, drawn).map(async (label, index) => {
        const write = spellings[index % spellings.length] ?? writeJson;
        return api.createPet({ ...newPet, name: name(label) }, { write });
      }),
    ]);
  },
  *rule({ creations, facts, pets }) {
    const created = creations.plain.filter((one) => one.created !== undefined);
    for (const one of creations.plain) {
      // A service may refuse a category that it does not know.
      if (one.status === 400 && !creations.hasKnownCategory(one)) continue;
      const isEqual = created.some((other) => other !== one && other.request.body === one.request.body);
      const isEscaped = created.length > 0 && one.request.body?.startsWith('{"\\u');
      const isConfigured = one.status === 400 && facts.categoryId !== undefined;
      const equal = isEqual ? ' that is equal to another one' : isEscaped ? ' spelt in `\\u` escapes' : '';
      const how = isConfigured ? ' with the configured category' : equal;
      yield* showsPet(one, `a valid body${how}`, [201], petFields);
    }
    // Where other bodies share an identifier, too, equality has nothing to do with it.
    if (pets.sameIds.every(([first, second]) => first.request.body === second.request.body))
      for (const [first, second] of pets.sameIds)
        if (second.sentAt >= first.endedAt)
          yield failed([first, second], {
            message: 'two equal bodies create one animal',
            expected: 'an animal for each',
            received: `\`id\` ${second.animal?.id ?? ''} twice`,
            pointer: '/id',
          });
    if (creations.accepted.length === 0)
      yield open(
        'the target accepted no valid body as a control. Give a known category with NAME_CATEGORY_ID',
      );
  },
});

requirement('CREATE-02', {
  needs: 'createPet',
  async probe({ api, newPet }) {
    const { name, categoryId } = await newPet();
    await api.createPet({ name, categoryId });
  },
  *rule({ creations }) {
    for (const one of creations.withoutStatus)
      if (creations.hasKnownCategory(one) || one.status !== 400)
        yield* showsPet(one, 'a body without `status`', creations.success);
  },
});

requirement('CREATE-03', {
  needs: 'createPet',
  async probe({ api, store, newPet }) {
    const { status } = await store.accepted();
    // The control stands for its own.
    const others = petStatuses.filter((other) => other !== status);
    await Promise.all(others.map(async (other) => api.createPet({ ...(await newPet()), status: other })));
  },
  *rule(evidence) {
    const { creations } = evidence;
    for (const status of petStatuses) {
      const given = creations.plain.filter(
        (one) => one.members.status === status && creations.hasKnownCategory(one),
      );
      const accepted = given.filter((one) => isAccepted(one.status));
      // A refusal of a status that was accepted elsewhere has another reason.
      for (const one of accepted.length > 0 ? accepted : given) {
        yield* showsPet(one, `\`status\` ${status}`, creations.success, ['status']);
      }
      if (given.length === 0) yield open(`no creation gave \`status\` ${status}`);
    }
    yield* kept(evidence, 'status');
  },
});

const anIdentifierEach = 'an identifier of its own for each animal';

// Stocking the store is a burst already; only if nothing was to be added one is made for this requirement alone.
requirement('CREATE-04', {
  phase: 'whole run',
  room: { quick: 3, standard: 12, thorough: 40 },
  async probe({ store }, size) {
    if (!store.hasBurst) await store.burst(size);
  },
  *rule({ pets, creations }) {
    for (const _ of pets.created) yield passed;
    const inTurn = creations.all.toSorted((one, other) => one.sentAt - other.sentAt);
    for (const [first, second] of pets.sameIds) {
      const together = second.sentAt < first.endedAt;
      const apart = inTurn.indexOf(second) - inTurn.indexOf(first);
      yield failed([first, second], {
        message: together
          ? 'creations that are sent at the same time return the same `id`'
          : 'two creations, one after the other, returned the same `id`',
        expected: anIdentifierEach,
        received: `\`id\` ${second.animal?.id ?? ''} twice`,
        // Both bodies: a service may count each status by itself.
        reproduce: together
          ? repeated.atOnce(`${first.curl} & ${second.curl}`, 5)
          : repeated.sameIds(first.curl, second.curl, apart),
      });
    }
    for (const [earlier, creation] of pets.reused)
      yield failed([earlier, creation], {
        message: 'a creation returned the `id` of an animal that was there before',
        expected: anIdentifierEach,
        received: `\`id\` ${creation.animal?.id ?? ''}, which a listing had shown before the creation was sent`,
      });
    if (pets.created.size < 2) yield open('fewer than two creations were accepted');
  },
});

/** A body that is accepted with a name, and with a category by which an animal is found that it adds without one. */
async function nameless({ store, newPet }: Probe): Promise<Readonly<Record<string, unknown>>> {
  const { name: _name, ...body } = await newPet();
  const { categoryId, isAccepted: isKnown } = await unknownCategory(store);
  return isKnown ? { ...body, categoryId } : body;
}

/** How many kinds of invalid values are sent, the likeliest first, and how many values of each. */
type InvalidRoom = readonly [kinds: number, values: number];
const invalidRoom = (inQuick: number): Rooms<InvalidRoom> => ({
  quick: [inQuick, 1],
  standard: [Infinity, 1],
  thorough: [Infinity, 4],
});

/** Sends a body that the target has accepted, but for its name, with one field of another kind. */
async function sendEach(
  probe: Probe,
  field: Field,
  invalidValues: InvalidValues,
  [kinds, values]: InvalidRoom,
): Promise<void> {
  const drawn = invalidValues.slice(0, kinds).flatMap((arbitrary) => probe.draw.some(arbitrary, values));
  const body = async (): Promise<object> => (field === 'name' ? nameless(probe) : probe.newPet());
  await Promise.all(drawn.map(async (value) => probe.api.createPet({ ...(await body()), [field]: value })));
}

/** Checks that bodies with one fault get 400, each if a body without the fault was accepted in this run. */
function* refusedFor({ creations }: Evidence, fault: Fault): Checks {
  for (const one of creations.faultyOnlyBy(fault)) {
    if (creations.isControlled(one)) yield answers(one, 400, describeFault(one));
    else yield open('no body like it without the fault was accepted in this run', 'CREATE-01');
  }
}

requirement('CREATE-05', {
  needs: 'createPet',
  probe: async (probe) => probe.api.createPet(await nameless(probe)),
  rule: (evidence) => refusedFor(evidence, 'no name'),
});

requirement('CREATE-06', {
  needs: 'createPet',
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
  needs: 'createPet',
  room: invalidRoom(1),
  probe: (probe, room) => sendEach(probe, 'name', notAString, room),
  rule: (evidence) => refusedFor(evidence, 'name'),
});

requirement('CREATE-08', {
  needs: 'createPet',
  room: invalidRoom(2),
  async probe(probe, room) {
    const { categoryId } = await probe.store.accepted();
    await sendEach(probe, 'categoryId', notAnInt64(categoryId), room);
  },
  rule: (evidence) => refusedFor(evidence, 'categoryId'),
});

requirement('CREATE-09', {
  needs: 'createPet',
  room: invalidRoom(1),
  probe: (probe, room) => sendEach(probe, 'status', notAPetStatus, room),
  *rule(evidence) {
    yield* refusedFor(evidence, 'status');
    if (!evidence.creations.acceptsStatus) yield left('CREATE-03');
  },
});

requirement('CREATE-10', {
  needs: 'createPet',
  room: { quick: 1, standard: Infinity, thorough: Infinity },
  async probe({ api, newPet }, most) {
    const texts = notAnObject.slice(0, most);
    await Promise.all(texts.map(async (textOf) => api.createPet(textOf(writeJson(await newPet())))));
  },
  *rule({ creations }) {
    // Of a request with neither a body nor a Content-Type either may be the reason.
    for (const one of creations.faultyOnlyBy('not an object'))
      yield answers(one, one.request.body === undefined ? [400, 415] : 400, describeFault(one));
  },
});

requirement('CREATE-11', {
  kinds: ['refused bodies'],
  phase: 'late effects',
  room: looksLate,
  probe: sendSideEffects,
  rule: (evidence) => leaveNothing(evidence, evidence.refused.invalid, 'a refused creation added an animal'),
});
