import * as fc from 'fast-check';
import { spellings } from '../lib/draw/json-spelling.js';
import { repeated } from '../lib/evidence/curl.js';
import { isAccepted, petFields } from '../lib/evidence/exchange.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { writeJson } from '../lib/specification/json-value.js';
import { failed, open, passed } from '../lib/verdict/check.js';
import { kept, showsPet } from '../lib/verdict/creation-checks.js';
import { requirement } from '../lib/verdict/requirement.js';

const letters = fc.string({
  unit: fc.constantFrom(...'abcdefghij'.split('')),
  minLength: 1,
  maxLength: 20,
});

requirement('CREATE-01', {
  /** How many names are drawn, sent in the spellings of JSON by turns. */
  room: { quick: 0, standard: spellings.length, thorough: 30 },
  async probe({ api, draw, name, newPetOfOtherStatus }, drawn) {
    const newPet = await newPetOfOtherStatus();
    await Promise.all([
      // Twice: nothing says that the names of animals are unique.
      api.inSequence([() => api.createPet(newPet), () => api.createPet(newPet)]),
      ...draw.some(letters, drawn).map(async (label, index) => {
        const [, write = writeJson] = spellings[index % spellings.length] ?? [];
        return api.createPet({ ...newPet, name: name(label) }, { write });
      }),
    ]);
  },
  *rule({ creations, facts, pets }) {
    const created = creations.plain.filter((one) => one.created !== undefined);
    for (const one of creations.plain) {
      // A service may refuse a category that it does not know.
      if (one.status === 400 && !creations.hasKnownCategory(one)) continue;
      const isConfigured = one.status === 400 && facts.categoryId !== undefined;
      const isEqual = created.some((other) => other !== one && other.request.body === one.request.body);
      const what = `a valid body${isConfigured ? ' with the configured category' : isEqual ? ' that is equal to another one' : ''}`;
      yield* showsPet(one, what, [201], petFields);
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
    const { status } = (await store.accepted()).body;
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
