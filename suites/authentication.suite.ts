import * as fc from 'fast-check';
import { unknownKey } from '../lib/draw/values.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { operationNames, type CredentialKind } from '../lib/evidence/recorded-exchange.js';
import type { Credential } from '../lib/http/exchange/credential.js';
import { looksLate, sendSideEffects } from '../lib/session/side-effects.js';
import { writeJson } from '../lib/specification/json-value.js';
import { describeFault } from '../lib/evidence/request-facts.js';
import { requirement, servedBy } from '../lib/verdict/requirement.js';
import type { Probe } from '../lib/session/probe.js';
import { check, left, note, open, type Checks } from '../lib/verdict/check.js';
import { ifPossible } from '../lib/verdict/outcome.js';
import { answers, checkHeader, leaveNothing } from '../lib/verdict/verbs.js';

const limitOutOfRange = fc.constantFrom(0, -1, 101, 1000);

type Send = (as: Credential) => Promise<Exchange>;
/** A request that the target has accepted with the valid key, and one that it would refuse with any: only the credential differs. */
type Control = Readonly<Record<'accepted' | 'faulty', Send>>;

/** The controls of the operations. */
async function controls({ api, draw, store, facts, newPet }: Probe): Promise<Control[]> {
  // An empty store may be listed otherwise than one with animals: whether a listing was accepted, the rules see.
  const found: Control[] = [
    {
      accepted: (as) => api.listPets({}, { as }),
      faulty: (as) => api.listPets({ limit: draw.one(limitOutOfRange) }, { as }),
    },
  ];
  if (await ifPossible(store.accepted()))
    found.push({
      accepted: async (as) => api.createPet(await newPet(), { as }),
      // The body is not even JSON: a framework may parse bodies before anything checks the key.
      faulty: async (as) => api.createPet(writeJson(await newPet()).slice(0, -1), { as }),
    });
  const animal = facts.removalDatePassed ? undefined : await ifPossible(store.animal());
  if (animal && (await store.got()).status === 200)
    found.push({
      accepted: (as) => api.getPet(animal.id, { as }),
      faulty: (as) => api.getPet(9223372036854775807n, { as }),
    });
  return found;
}

/** How many credentials are sent, the likeliest first, and how many of them to every operation. */
type CredentialsRoom = readonly [most: number, everywhere: number];

/** The first credentials are sent to every operation, each of the others to one of them, in turn from a drawn one on. */
async function sendInTurn(
  probe: Probe,
  credentials: readonly Credential[],
  [most, everywhere]: CredentialsRoom,
  request: keyof Control = 'accepted',
): Promise<unknown> {
  const found = await controls(probe);
  const first = probe.draw.one(fc.nat(2));
  return Promise.all(
    credentials.slice(0, most).flatMap((credential, index) => {
      const isNext = (place: number): boolean => place === (first + index) % found.length;
      const sent = found.filter((_control, place) => index < everywhere || isNext(place));
      return sent.map((control) => control[request](credential));
    }),
  );
}

/** A key that looks like a real one and that nobody has. */
function unknownCredential({ api, draw }: Probe): Credential {
  return api.credentials.unknown(draw.one(unknownKey));
}

/**
 * Checks that requests get 401 on each operation that the target accepts with the valid key.
 * @param what names those that must, beside their credential
 */
function* getUnauthorized(evidence: Evidence, what: (one: Exchange) => string | undefined): Checks {
  const { facts, pets, unauthenticated } = evidence;
  for (const operation of operationNames) {
    const isUnavailable = operation === 'getPet' && (facts.removalDatePassed || pets.count() === 0);
    // A read-only run creates nothing.
    if (isUnavailable || (operation === 'createPet' && facts.readOnly))
      yield note(`${operation} was not requested.`);
    else if (!evidence.serves(operation)) yield left(servedBy[operation], operation);
    else
      for (const one of unauthenticated) {
        const named = one.operation === operation ? what(one) : undefined;
        if (named !== undefined) yield answers(one, 401, `${named} with ${credentialOf(one)}`);
      }
  }
}

/** The same of a kind of credential, in requests that the valid key may make. */
function ofKind(evidence: Evidence, kind: CredentialKind): Checks {
  return getUnauthorized(evidence, (one) =>
    one.credential === kind && evidence.isAcceptedWithKey(one) ? one.operationName : undefined,
  );
}

function credentialOf({ credential, credentialText }: Exchange): string {
  return credentialText ?? (credential === 'missing' ? 'no Authorization header' : `an ${credential} key`);
}

requirement('AUTH-01', {
  probe: (probe) => sendInTurn(probe, [probe.api.credentials.missing], [1, 1]),
  rule: (evidence) => ofKind(evidence, 'missing'),
});

requirement<CredentialsRoom>('AUTH-02', {
  room: { quick: [2, 1], standard: [9, 5], thorough: [Infinity, Infinity] },
  probe: (probe, room) =>
    sendInTurn(probe, [unknownCredential(probe), ...probe.api.credentials.nearMisses], room),
  rule: (evidence) => ofKind(evidence, 'unknown'),
});

requirement<CredentialsRoom>('AUTH-03', {
  room: { quick: [2, 0], standard: [13, 0], thorough: [Infinity, Infinity] },
  probe: (probe, room) => sendInTurn(probe, probe.api.credentials.malformed, room),
  rule: (evidence) => ofKind(evidence, 'malformed'),
});

requirement<CredentialsRoom>('AUTH-05', {
  // What is open to all without a key.
  kinds: ['401'],
  room: { quick: [1, 1], standard: [2, 2], thorough: [2, 2] },
  probe: (probe, room) =>
    sendInTurn(probe, [unknownCredential(probe), probe.api.credentials.missing], room, 'faulty'),
  *rule(evidence) {
    const keyless = evidence.unauthenticated.filter(({ credential }) => credential === 'missing');
    const open = keyless.filter((one) => (one.status ?? 401) !== 401 && evidence.isAcceptedWithKey(one));
    const isOpen = (one: Exchange): boolean =>
      keyless.includes(one) && open.some(({ operation }) => operation === one.operation);
    for (const one of keyless)
      if (isOpen(one) && faultOf(one, evidence)) yield left('AUTH-01', one.operationName);
    yield* getUnauthorized(evidence, (one) => (isOpen(one) ? undefined : faultOf(one, evidence)));
  },
});

/** What is wrong with a request beside its credential, in words; undefined if nothing is. */
function faultOf(one: Exchange, { pets }: Evidence): string | undefined {
  const { operation, request, faults, unspecified } = one;
  if (operation === 'createPet') return faults.length > 0 ? describeFault(one) : undefined;
  if (operation === 'listPets')
    return unspecified.length > 0 ? `\`${new URL(request.url).search.slice(1)}\`` : undefined;
  return pets.knows(one.petId) ? undefined : 'an unknown animal';
}

requirement('AUTH-06', {
  kinds: ['401'],
  phase: 'late effects',
  room: looksLate,
  probe: sendSideEffects,
  rule: (evidence) =>
    leaveNothing(evidence, evidence.refused.unauthenticated, 'a create without a valid key added an animal'),
});

/** A challenge of the Bearer scheme, alone or among others (RFC 9110 11.6.1). */
const bearerChallenge = /(?:^|,)\s*bearer(?:\s|,|$)/i;
/** A quoted string is the value of a parameter, and names no scheme. */
const quoted = /"(?:[^"\\]|\\.)*"/g;

requirement('AUTH-07', {
  kinds: ['401'],
  *rule({ responses }) {
    const refused = responses.filter(({ status }) => status === 401);
    if (refused.length === 0) yield left('AUTH-01', 'what a 401 names');
    for (const one of refused) {
      const values = one.headers('WWW-Authenticate');
      const named = values.some((value) => bearerChallenge.test(value.replace(quoted, '""')));
      yield checkHeader(named, one, 'WWW-Authenticate', {
        message: `a 401 of ${one.operationName} does not name the Bearer scheme`,
        expected: 'WWW-Authenticate: Bearer',
      });
    }
  },
});

requirement('AUTH-04', {
  kinds: ['listing', 'creation', 'animal'],
  *rule({ responses }) {
    const sent = responses.filter(({ credential }) => credential === 'valid');
    if (sent.length > 0 && sent.every(({ status }) => status === 401 || status === 403))
      return void (yield open('no operation accepted the key'));
    const accepting = new Set(sent.map(({ status, operation }) => status !== 401 && operation));
    for (const one of sent)
      yield check(one.status !== 401, one, () => {
        // A server may mistake one request for the one before over the same connection.
        const before = responses.findLast(
          ({ connection, sentAt }) =>
            accepting.has(one.operation) && connection === one.connection && sentAt < one.sentAt,
        );
        return {
          message: `${one.operationName} refused the valid key`,
          expected: 'any status but 401',
          received: `${String(one)}, over connection ${one.connection ?? ''}`,
          reproduce: before && `${before.curl} --next ${one.curl.replace(/^curl /u, '')}`,
          fact: { kind: 'status', expected: [] },
        };
      });
  },
});

requirement('AUTH-08', {
  async probe({ api, store, newPetOfOtherStatus }) {
    const as = api.credentials.lowerCaseScheme;
    if (store.readOnly) await api.listPets({}, { as });
    else await api.createPet(await newPetOfOtherStatus(), { as });
  },
  *rule(evidence) {
    for (const one of evidence.answers.filter(({ credential }) => credential === 'equivalent')) {
      const success = one.operation === 'createPet' ? evidence.creations.success : [200];
      // Whether the scheme is the reason for a refusal shows in the same request under `Bearer`.
      if (success.includes(one.status ?? 0) || evidence.isAcceptedWithKey(one))
        yield answers(one, success, 'the scheme in lower case');
      else yield open('no request like the one under `bearer` was accepted under `Bearer`');
    }
  },
});
