import * as fc from 'fast-check';
import { unknownKey } from '../lib/draw/refused-values.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Credential } from '../lib/http/exchange/credential.js';
import {
  operationNames,
  type CredentialKind,
  type OperationName,
} from '../lib/evidence/recorded-exchange.js';
import { requirement, type Probe } from '../lib/verdict/requirement.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { looksLate, sendSideEffects } from '../lib/session/side-effects.js';
import { writeJson } from '../lib/specification/json-value.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import {
  answers,
  check,
  failed,
  left,
  note,
  open,
  passed,
  type Check,
  type Checks,
} from '../lib/verdict/check.js';
import { describeFault } from '../lib/verdict/creation-checks.js';
import { wrongHeader } from '../lib/verdict/judgement.js';
import { Inconclusive, NotTested } from '../lib/verdict/outcome.js';
import { leaveNothing } from '../lib/verdict/side-effect-checks.js';

/** Sends a request that the target has accepted with the valid key: only the credential differs. */
interface Control {
  readonly operation: OperationName;
  readonly send: (credential: Credential) => Promise<Exchange>;
}

/** What a preparation came to; undefined if the target, or a read-only run, gives nothing to send. */
async function ifPossible<Result>(preparation: Promise<Result>): Promise<Result | undefined> {
  try {
    return await preparation;
  } catch (error) {
    if (error instanceof NotTested || error instanceof Inconclusive) return undefined;
    throw error;
  }
}

/** The operations with their positive controls, as far as the target accepts them. */
async function controls(probe: Probe): Promise<Control[]> {
  const { api, store, facts } = probe;
  const found: Control[] = [];
  if ((await store.listing()).status === 200)
    found.push({ operation: 'listPets', send: async (as) => api.listPets([], { as }) });
  if (await ifPossible(store.accepted()))
    found.push({
      operation: 'createPet',
      send: async (as) => api.createPet(await probe.newPet(), { as }),
    });
  const animal = facts.removalDatePassed ? undefined : await ifPossible(store.animal());
  if (animal && (await store.got()).status === 200)
    found.push({ operation: 'getPet', send: async (as) => api.getPet(animal.id, { as }) });
  return found;
}

/** Without a key: requested once, by the first requirement that needs it. */
async function keyless({ api, store }: Probe, { operation, send }: Control): Promise<Exchange> {
  return store.once(`${operation} without a key`, () => send(api.credentials.missing));
}

/** The first credentials are sent to every operation, each of the others to one of them, in turn from a drawn one on. */
async function sendInTurn(
  probe: Probe,
  credentials: readonly Credential[],
  everywhere: number,
): Promise<unknown> {
  const found = await controls(probe);
  const first = probe.draw.one(fc.nat(2));
  return Promise.all(
    credentials.flatMap((credential, index) =>
      found
        .filter((_control, place) => index < everywhere || place === (first + index) % found.length)
        .map((control) => control.send(credential)),
    ),
  );
}

/** A key that looks like a real one and that nobody has. */
function unknownCredential({ api, draw }: Probe): Credential {
  return api.credentials.unknown(draw.one(unknownKey));
}

/** What judges whether an operation is served at all. */
const judgedBy = {
  listPets: 'LIST-01',
  createPet: 'CREATE-01',
  getPet: 'GET-04',
} as const satisfies Record<OperationName, RequirementId>;

/** Why a run can't send requests to an operation; undefined if it can. */
function whyUntried(operation: OperationName, { facts, pets }: Evidence): string | undefined {
  if (operation === 'createPet' && facts.readOnly) return 'the run is read-only';
  if (operation !== 'getPet') return undefined;
  if (facts.removalDatePassed) return 'its removal date has passed';
  return facts.readOnly && pets.known === 0
    ? 'the run is read-only, and no listing shows an animal'
    : undefined;
}

/** Checks requests whose credential must be refused, on each operation that the target accepts with the valid key. */
function* onEachOperation(
  evidence: Evidence,
  judge: (one: Exchange, operation: OperationName) => Check | undefined,
): Checks {
  for (const operation of operationNames) {
    const untried = whyUntried(operation, evidence);
    if (untried !== undefined) yield note(`${operation} was not requested: ${untried}.`);
    else if (!evidence.accepts(operation))
      yield open(`${operation} was not accepted with the valid key either`, judgedBy[operation]);
    else
      for (const one of evidence.unauthenticated)
        if (one.operation === operation) yield* [judge(one, operation) ?? []].flat();
  }
}

/** Checks that a kind of credential gets 401 in requests that the valid key may make. */
function getsUnauthorized(evidence: Evidence, kind: CredentialKind): Checks {
  return onEachOperation(evidence, (one, operation) =>
    one.credential === kind && evidence.isAcceptedWithKey(one)
      ? answers(one, 401, `${operation} with ${credentialOf(one)}`)
      : undefined,
  );
}

function credentialOf({ credential, credentialText }: Exchange): string {
  return credentialText ?? (credential === 'missing' ? 'no Authorization header' : `an ${credential} key`);
}

requirement('AUTH-01', {
  probe: async (probe) => {
    const found = await controls(probe);
    return Promise.all(found.map((control) => keyless(probe, control)));
  },
  rule: (evidence) => getsUnauthorized(evidence, 'missing'),
});

/** How many credentials are sent, the likeliest first, and how many of them to every operation. */
interface CredentialsRoom {
  readonly most: number;
  readonly everywhere: number;
}

requirement<CredentialsRoom>('AUTH-02', {
  room: {
    quick: { most: 1, everywhere: 0 },
    standard: { most: 8, everywhere: 4 },
    thorough: { most: Infinity, everywhere: Infinity },
  },
  async probe(probe, { most, everywhere }) {
    const nearMisses = probe.api.credentials.nearMisses.slice(0, most);
    await sendInTurn(probe, [unknownCredential(probe), ...nearMisses], 1 + everywhere);
  },
  rule: (evidence) => getsUnauthorized(evidence, 'unknown'),
});

requirement<CredentialsRoom>('AUTH-03', {
  room: {
    quick: { most: 2, everywhere: 0 },
    standard: { most: 13, everywhere: 0 },
    thorough: { most: Infinity, everywhere: Infinity },
  },
  probe: (probe, { most, everywhere }) =>
    sendInTurn(probe, probe.api.credentials.malformed.slice(0, most), everywhere),
  rule: (evidence) => getsUnauthorized(evidence, 'malformed'),
});

/** Statuses by which a credential is refused; another says that something else is wrong. */
const refusals: ReadonlySet<number | undefined> = new Set([401, 403]);
/** Refusals of the valid key that a finding lists. */
const mostRefusals = 20;

requirement('AUTH-04', {
  kinds: ['listing', 'creation', 'animal'],
  *rule({ responses }) {
    const sent = responses.filter(({ credential, status }) => credential === 'valid' && status !== undefined);
    if (sent.length > 0 && sent.every(({ status }) => refusals.has(status)))
      throw new Inconclusive('no operation accepted the key');
    /** A server may mistake one request for the one before over the same connection. */
    const pairOf = (one: Exchange): string[] => {
      const before = responses.slice(0, responses.indexOf(one));
      const { connection = '' } = one;
      const last = before.findLast((other) => other.connection === connection);
      return last ? [onOneConnection(last, one)] : [];
    };
    for (const operation of new Set(sent.map((one) => one.operationName))) {
      const own = sent.filter((one) => one.operationName === operation);
      const refused = own.filter(({ status }) => status === 401);
      for (const one of own) if (one.status !== 401) yield passed;
      const [first] = refused;
      if (!first) continue;
      const [pair] = refused.slice(0, mostRefusals).flatMap(pairOf);
      yield failed(refused.slice(0, mostRefusals), {
        message: `${operation} refused the valid key ${refused.length} of ${own.length} times`,
        expected: 'any status but 401',
        received: `${String(first)}, over connection ${first.connection ?? ''}`,
        reproduce: refused.length === own.length ? first.curl : (pair ?? first.curl),
        occurrences: refused.length,
        fact: { kind: 'status', expected: [] },
      });
    }
  },
});

/** A command that sends one request and then the other over the same connection. */
function onOneConnection(one: Exchange, other: Exchange): string {
  const [first, second] = [one.curl, other.curl];
  // Only one of them could read its body from a pipe.
  return second.startsWith('curl ')
    ? `${first} --next ${second.replace(/^curl /u, '')}`
    : `${first}; ${second}`;
}

requirement('AUTH-05', {
  leavesTo: { 'AUTH-01': 'the operation does not require a key' },
  /** Whether the keyless requests and a body with invalid values are sent, too. */
  room: { quick: false, standard: true, thorough: true },
  probe: sendFaulty,
  *rule(evidence) {
    const keylessOperations = new Set(
      evidence.unauthenticated.flatMap((one) => {
        const { credential, operation } = one;
        const isServed = one.status !== 401 && evidence.isAcceptedWithKey(one);
        return credential === 'missing' && isServed ? operation : [];
      }),
    );
    yield* onEachOperation(evidence, (one, operation) => {
      const what = faultOf(one, evidence);
      if (what === undefined) return undefined;
      return one.credential === 'missing' && keylessOperations.has(operation)
        ? left('AUTH-01', operation)
        : answers(one, 401, `${what}, with ${credentialOf(one)}`);
    });
  },
});

/** What is wrong with a request beside its credential, in words; undefined if nothing is. */
function faultOf(one: Exchange, { pets }: Evidence): string | undefined {
  const { operation, request, faults, unspecified } = one;
  const { search } = new URL(request.url);
  if (operation === 'createPet') return faults.length > 0 ? describeFault(one) : undefined;
  if (operation === 'listPets') return unspecified.length > 0 ? `\`${search.slice(1)}\`` : undefined;
  return pets.isKnown(one.petId) ? undefined : 'an unknown animal';
}

/** Requests that the target would refuse with the valid key, too, with keys that it must refuse first. */
async function sendFaulty(probe: Probe, sendsMore: boolean): Promise<unknown> {
  const { api, store, draw } = probe;
  const found = await controls(probe);
  const unknown = unknownCredential(probe);
  const limit = draw.one(fc.constantFrom(0, -1, 101, 1000));
  const faulty: Record<OperationName, Control['send']> = {
    listPets: (as) => api.listPets([['limit', limit]], { as, unspecified: true }),
    // The body is not even JSON: a framework may parse bodies before anything checks the key.
    createPet: async (as) =>
      api.createPetFrom({ text: writeJson(await probe.newPet()).slice(0, -1) }, { as }),
    getPet: (as) => api.getPet(9223372036854775807n, { as }),
  };
  const sendInvalid = async (): Promise<Exchange> => {
    const { categoryId } = (await store.accepted()).body;
    return api.createPet({ categoryId, status: 'none' }, { as: unknown });
  };
  const isCreating = found.some(({ operation }) => operation === 'createPet');
  return Promise.all([
    ...found.map(({ operation }) => faulty[operation](unknown)),
    ...(sendsMore && isCreating ? [sendInvalid()] : []),
    ...(sendsMore
      ? found.flatMap((control) => [
          keyless(probe, control),
          faulty[control.operation](api.credentials.missing),
        ])
      : []),
  ]);
}

requirement('AUTH-06', {
  phase: 'late effects',
  room: looksLate,
  async probe(probe, late) {
    probe.store.requireWrites();
    await sendSideEffects(probe, late);
  },
  rule: (evidence) =>
    leaveNothing(evidence, evidence.pets.unauthenticated, 'a create without a valid key added an animal'),
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
      yield check(named, one, () => ({
        message: `a 401 of ${one.operationName} does not name the Bearer scheme`,
        expected: 'WWW-Authenticate: Bearer',
        received:
          values.length === 0 ? 'no WWW-Authenticate header' : `WWW-Authenticate: ${values.join(', ')}`,
        fact: wrongHeader('WWW-Authenticate', values),
      }));
    }
  },
});

requirement('AUTH-08', {
  async probe({ api, store, newPetOfOtherStatus }) {
    const as = api.credentials.lowerCaseScheme;
    if (store.readOnly) await api.listPets([], { as });
    else await api.createPet(await newPetOfOtherStatus(), { as });
  },
  *rule(evidence) {
    for (const one of evidence.underLowerCaseScheme) {
      const { status } = one;
      if (status === undefined || status >= 500 || one.broken !== undefined)
        yield left('ROBUST-01', `the scheme in lower case: ${String(one)}`);
      // Whether the scheme is the reason shows in the same request under `Bearer`.
      else if (status >= 400 && !refusals.has(status) && !evidence.isAcceptedWithKey(one))
        yield open(`a request under \`bearer\` got ${String(one)}, and none like it was accepted`);
      else
        yield check(status < 400, one, () => ({
          message: refusals.has(status)
            ? 'the scheme in lower case is refused'
            : `the scheme in lower case gets ${status}, and \`Bearer\` is accepted`,
          expected: 'the same response as under `Bearer`',
          received: String(one),
          fact: { kind: 'status', expected: [one.operation === 'createPet' ? 201 : 200] },
        }));
    }
  },
});
