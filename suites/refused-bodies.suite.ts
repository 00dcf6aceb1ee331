import {
  notAnInt64,
  notAnObject,
  notAPetStatus,
  notAString,
  type InvalidValues,
} from '../lib/draw/refused-values.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import { describeFault, type Fault } from '../lib/evidence/request-facts.js';
import { unknownCategory } from '../lib/session/control-search.js';
import { looksLate, sendSideEffects } from '../lib/session/side-effects.js';
import { writeJson } from '../lib/specification/json-value.js';
import { answers, left, open, type Checks } from '../lib/verdict/check.js';
import type { Field } from '../lib/verdict/creation-checks.js';
import type { Rooms } from '../lib/verdict/profile.js';
import { requirement, type Probe } from '../lib/verdict/requirement.js';
import { leaveNothing } from '../lib/verdict/side-effect-checks.js';

/** Bodies that createPet must refuse, each with one fault, and what they leave behind. */

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
  const drawn = invalidValues.slice(0, kinds).flatMap(([, arbitrary]) => probe.draw.some(arbitrary, values));
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
    const { categoryId } = (await probe.store.accepted()).body;
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
    await Promise.all(
      notAnObject.slice(0, most).map(async ([, textOf]) => {
        const text = textOf(writeJson(await newPet()));
        // Without a body there is no Content-Type either.
        await api.createPet(text, text === undefined ? { contentType: null } : {});
      }),
    );
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
