import * as fc from 'fast-check';
import { unknownKey } from '../lib/draw/refused-values.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import {
  operationNames,
  type CredentialKind,
  type OperationName,
} from '../lib/evidence/recorded-exchange.js';
import type { Credential } from '../lib/http/exchange/credential.js';
import { looksLate, sendSideEffects } from '../lib/session/side-effects.js';
import { ifPossible } from '../lib/session/if-possible.js';
import { writeJson } from '../lib/specification/json-value.js';
import { answers, checkHeader, left, note, type Checks } from '../lib/verdict/check.js';
import { describeFault } from '../lib/evidence/request-facts.js';
import { requirement, servedBy, type Probe } from '../lib/verdict/requirement.js';
import { leaveNothing } from '../lib/verdict/side-effect-checks.js';

/** A request that the target has accepted with the valid key: only the credential differs. */
type Control = readonly [operation: OperationName, send: (as: Credential) => Promise<Exchange>];

/** The positive controls of the operations, as far as the target accepts them. */
async function controls({ api, store, facts, newPet }: Probe): Promise<Control[]> {
  const isListed = (await store.survey()).status === 200;
  const isCreated = (await ifPossible(store.accepted())) !== undefined;
  const animal = facts.removalDatePassed ? undefined : await ifPossible(store.animal());
  const isServed = animal !== undefined && (await store.got()).status === 200;
  const found: ReadonlyArray<false | Control> = [
    isListed && ['listPets', (as) => api.listPets({}, { as })],
    isCreated && ['createPet', async (as) => api.createPet(await newPet(), { as })],
    isServed && ['getPet', (as) => api.getPet(animal.id, { as })],
  ];
  return found.filter((one) => one !== false);
}

/** Each operation without a key, once in a run. */
async function sendKeyless(probe: Probe): Promise<unknown> {
  return probe.store.once('without a key', async () =>
    Promise.all((await controls(probe)).map(([, send]) => send(probe.api.credentials.missing))),
  );
}

/** How many credentials are sent, the likeliest first, and how many of them to every operation. */
interface CredentialsRoom {
  readonly most: number;
  readonly everywhere: number;
}

/** The first credentials are sent to every operation, each of the others to one of them, in turn from a drawn one on. */
async function sendInTurn(
  probe: Probe,
  credentials: readonly Credential[],
  { most, everywhere }: CredentialsRoom,
): Promise<unknown> {
  const found = await controls(probe);
  const first = probe.draw.one(fc.nat(2));
  return Promise.all(
    credentials
      .slice(0, most)
      .flatMap((credential, index) =>
        found
          .filter((_control, place) => index < everywhere || place === (first + index) % found.length)
          .map(([, send]) => send(credential)),
      ),
  );
}

/** A key that looks like a real one and that nobody has. */
function unknownCredential({ api, draw }: Probe): Credential {
  return api.credentials.unknown(draw.one(unknownKey));
}

/** Checks requests whose credential must be refused, on each operation that the target accepts with the valid key. */
function* onEachOperation(evidence: Evidence, judge: (one: Exchange) => Checks): Checks {
  for (const operation of operationNames) {
    const { facts, pets } = evidence;
    const isUnavailable = operation === 'getPet' && (facts.removalDatePassed || pets.known === 0);
    // A read-only run creates nothing.
    if (isUnavailable || (operation === 'createPet' && facts.readOnly))
      yield note(`${operation} was not requested.`);
    else if (!evidence.accepts(operation)) yield left(servedBy[operation], operation);
    else for (const one of evidence.unauthenticated) if (one.operation === operation) yield* judge(one);
  }
}

/** Checks that a kind of credential gets 401 in requests that the valid key may make. */
function getsUnauthorized(evidence: Evidence, kind: CredentialKind): Checks {
  return onEachOperation(evidence, (one) =>
    one.credential === kind && evidence.isAcceptedWithKey(one)
      ? [answers(one, 401, `${one.operationName} with ${credentialOf(one)}`)]
      : [],
  );
}

function credentialOf({ credential, credentialText }: Exchange): string {
  return credentialText ?? (credential === 'missing' ? 'no Authorization header' : `an ${credential} key`);
}

requirement('AUTH-01', {
  probe: sendKeyless,
  rule: (evidence) => getsUnauthorized(evidence, 'missing'),
});

requirement<CredentialsRoom>('AUTH-02', {
  room: {
    quick: { most: 2, everywhere: 1 },
    standard: { most: 9, everywhere: 5 },
    thorough: { most: Infinity, everywhere: Infinity },
  },
  probe: (probe, room) =>
    sendInTurn(probe, [unknownCredential(probe), ...probe.api.credentials.nearMisses], room),
  rule: (evidence) => getsUnauthorized(evidence, 'unknown'),
});

requirement<CredentialsRoom>('AUTH-03', {
  room: {
    quick: { most: 2, everywhere: 0 },
    standard: { most: 13, everywhere: 0 },
    thorough: { most: Infinity, everywhere: Infinity },
  },
  probe: (probe, room) => sendInTurn(probe, probe.api.credentials.malformed, room),
  rule: (evidence) => getsUnauthorized(evidence, 'malformed'),
});

requirement('AUTH-05', {
  /** Whether the keyless requests and a body with invalid values are sent, too. */
  room: { quick: false, standard: true, thorough: true },
  async probe(probe, sendsMore) {
    const unknown = unknownCredential(probe);
    const faulty = await faultyRequests(probe);
    await Promise.all(faulty.map((send) => send(unknown)));
    if (!sendsMore) return;
    await sendKeyless(probe);
    await Promise.all(faulty.map((send) => send(probe.api.credentials.missing)));
    const known = await ifPossible(probe.store.accepted());
    const invalid = { categoryId: known?.body.categoryId, status: 'none' };
    if (known) await probe.api.createPet(invalid, { as: unknown });
  },
  rule(evidence) {
    const open = evidence.unauthenticated.filter(
      (one) => one.credential === 'missing' && one.status !== 401 && evidence.isAcceptedWithKey(one),
    );
    return onEachOperation(evidence, (one) => {
      const what = faultOf(one, evidence);
      if (what === undefined) return [];
      const isOpen = open.some(({ operation }) => operation === one.operation);
      return one.credential === 'missing' && isOpen
        ? [left('AUTH-01', one.operationName)]
        : [answers(one, 401, `${what}, with ${credentialOf(one)}`)];
    });
  },
});

/** Requests that the target would refuse with the valid key, too. */
async function faultyRequests(probe: Probe): Promise<Array<Control[1]>> {
  const { api, draw, newPet } = probe;
  const limit = draw.one(fc.constantFrom(0, -1, 101, 1000));
  const faulty: Record<OperationName, Control[1]> = {
    listPets: (as) => api.listPets({ limit }, { as }),
    // The body is not even JSON: a framework may parse bodies before anything checks the key.
    createPet: async (as) => api.createPet(writeJson(await newPet()).slice(0, -1), { as }),
    getPet: (as) => api.getPet(9223372036854775807n, { as }),
  };
  return (await controls(probe)).map(([operation]) => faulty[operation]);
}

/** What is wrong with a request beside its credential, in words; undefined if nothing is. */
function faultOf(one: Exchange, { pets }: Evidence): string | undefined {
  const { operation, request, faults, unspecified } = one;
  if (operation === 'createPet') return faults.length > 0 ? describeFault(one) : undefined;
  if (operation === 'listPets')
    return unspecified.length > 0 ? `\`${new URL(request.url).search.slice(1)}\`` : undefined;
  return pets.ids.has(one.petId) ? undefined : 'an unknown animal';
}

requirement('AUTH-06', {
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
    for (const one of responses) {
      if (one.status !== 401) continue;
      const values = one.headers('WWW-Authenticate');
      const named = values.some((value) => bearerChallenge.test(value.replace(quoted, '""')));
      yield checkHeader(named, one, 'WWW-Authenticate', {
        message: `a 401 of ${one.operationName} does not name the Bearer scheme`,
        expected: 'WWW-Authenticate: Bearer',
      });
    }
  },
});
