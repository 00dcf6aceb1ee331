import * as fc from 'fast-check';
import { unknownKey } from '../lib/draw/refused-values.js';
import type { Credential } from '../lib/http/exchange/credential.js';
import { everyExchange, requirement, type Probe } from '../lib/requirement/requirement.js';
import type { ApiResponse } from '../lib/session/api-response.js';
import { judgeAbsence, looksLate, sideEffects } from '../lib/session/side-effects.js';
import { writeJson } from '../lib/specification/json-value.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { Inconclusive, NotTested } from '../lib/verdict/outcome.js';
import { wrongHeader, type Judgement } from '../lib/verdict/judgement.js';

/** One request to an operation that the target has accepted with the valid key: only the credential differs. */
interface Control {
  readonly operation: string;
  readonly send: (credential: Credential) => Promise<ApiResponse>;
}

/** Whether a preparation succeeded; if not, the reason is kept and the other operations are judged. */
async function succeeds(judgement: Judgement, preparation: Promise<unknown>): Promise<boolean> {
  try {
    await preparation;
    return true;
  } catch (error) {
    if (error instanceof NotTested) judgement.note(`One operation was not requested: ${error.message}.`);
    else if (error instanceof Inconclusive) judgement.leaveOpen(error);
    else throw error;
    return false;
  }
}

/** A control that was refused, and the requirement that judges it. */
function notAccepted(operation: string, see: RequirementId): Inconclusive {
  return new Inconclusive(`${operation} was not accepted with the valid key either`, see);
}

/** The operations with their positive controls; one whose control was refused is left open. */
async function controlledOperations(probe: Probe): Promise<Control[]> {
  const { api, store, judgement } = probe;
  const controls: Control[] = [];
  if ((await store.listing()).status === 200) {
    controls.push({ operation: 'listPets', send: async (as) => api.listPets([], { as }) });
  } else judgement.leaveOpen(notAccepted('listPets', 'LIST-01'));
  if (store.readOnly) judgement.note('createPet was not requested: the run is read-only.');
  else if (await succeeds(judgement, store.accepted())) {
    controls.push({
      operation: 'createPet',
      send: async (as) => api.createPet(await probe.newPet(), { as }),
    });
  }
  if (probe.facts.removalDatePassed) judgement.note('getPet was not requested: its removal date has passed.');
  else if (!(await succeeds(judgement, store.animal()))) return controls;
  else if ((await store.got()).status === 200) {
    const { id } = await store.animal();
    controls.push({ operation: 'getPet', send: async (as) => api.getPet(id, { as }) });
  } else judgement.leaveOpen(notAccepted('getPet', 'GET-04'));
  return controls;
}

/** What an operation responds without a key: requested once, by the first requirement that needs it. */
async function keyless({ api, store }: Probe, { operation, send }: Control): Promise<ApiResponse> {
  const response = await store.once(`${operation} without a key`, () => send(api.credentials.missing));
  return response.status === undefined ? send(api.credentials.missing) : response;
}

async function isUnauthorized(probe: Probe, credential: Credential, control: Control): Promise<void> {
  const isMissing = credential.kind === 'missing';
  const response = await (isMissing ? keyless(probe, control) : control.send(credential));
  probe.judgement.status(response, 401, `${control.operation} with ${credential.description}`);
}

/** The first credentials are sent to every operation, each of the others to one of them, in turn from a drawn one on. */
function inTurn(
  probe: Probe,
  credentials: readonly Credential[],
  controls: readonly Control[],
  everywhere: number,
): Attempt[] {
  const first = probe.draw.one(fc.nat(2));
  return credentials.flatMap((credential, index) =>
    controls
      .filter((_control, place) => index < everywhere || place === (first + index) % controls.length)
      .map((control) => [credential, control] as const),
  );
}

/** A credential, and the operation that it is sent to. */
type Attempt = readonly [Credential, Control];

async function areRefused(probe: Probe, attempts: readonly Attempt[]): Promise<void> {
  await Promise.all(attempts.map(([credential, control]) => isUnauthorized(probe, credential, control)));
}

/** A key that looks like a real one and that nobody has. */
function unknownCredential({ api, draw }: Probe): Credential {
  return api.credentials.unknown(draw.one(unknownKey));
}

requirement('AUTH-01', async (probe) => {
  const controls = await controlledOperations(probe);
  await areRefused(
    probe,
    controls.map((control) => [probe.api.credentials.missing, control]),
  );
});

/** How many credentials are sent, the likeliest first, and how many of them to every operation. */
const nearMissRoom = {
  quick: { most: 1, everywhere: 0 },
  standard: { most: Infinity, everywhere: 0 },
  thorough: { most: Infinity, everywhere: Infinity },
};

requirement('AUTH-02', { room: nearMissRoom }, async (probe, { most, everywhere }) => {
  const controls = await controlledOperations(probe);
  const nearMisses = probe.api.credentials.nearMisses.slice(0, most);
  const unknown = unknownCredential(probe);
  await areRefused(probe, [
    ...controls.map((control): Attempt => [unknown, control]),
    ...inTurn(probe, nearMisses, controls, everywhere),
  ]);
});

const malformedRoom = {
  quick: { most: 2, everywhere: 0 },
  standard: { most: Infinity, everywhere: 1 },
  thorough: { most: Infinity, everywhere: Infinity },
};

requirement('AUTH-03', { room: malformedRoom }, async (probe, { most, everywhere }) => {
  const controls = await controlledOperations(probe);
  const malformed = probe.api.credentials.malformed.slice(0, most);
  await areRefused(probe, inTurn(probe, malformed, controls, everywhere));
});

/** Statuses by which a credential is refused; another says that something else is wrong. */
const refusals: ReadonlySet<number> = new Set([401, 403]);
/** Refusals of the valid key that a finding lists. */
const mostRefusals = 20;

everyExchange('AUTH-04', { kinds: ['listing', 'creation', 'animal'] }, (judgement) => {
  interface Counts {
    sent: number;
    refused: number;
    readonly evidence: ApiResponse[];
    reproduce?: string | undefined;
  }
  const operations = new Map<string, Counts>();
  /** What was sent over each connection before: a server may mistake one request for another. */
  const lastOn = new Map<string, ApiResponse>();
  let accepted = false;
  return {
    see(response) {
      const { operation, status, exchange } = response;
      const { connection = '', credential } = exchange;
      const before = lastOn.get(connection);
      if (connection !== '') lastOn.set(connection, response);
      if (credential !== 'valid' || status === undefined) return;
      const counts = operations.get(operation) ?? { sent: 0, refused: 0, evidence: [] };
      operations.set(operation, counts);
      counts.sent += 1;
      accepted ||= !refusals.has(status);
      if (status !== 401) return;
      counts.refused += 1;
      if (counts.evidence.length < mostRefusals) counts.evidence.push(response);
      counts.reproduce ??= before && onOneConnection(before, response);
    },
    conclude() {
      if (operations.size > 0 && !accepted) throw new Inconclusive('no operation accepted the key');
      for (const [operation, { sent, refused, evidence, reproduce }] of operations) {
        const [first] = evidence;
        judgement.held(sent - refused);
        if (!first) continue;
        const { connection = '' } = first.exchange;
        judgement.fail(evidence, {
          message: `${operation} refused the valid key ${refused} of ${sent} times`,
          expected: 'any status but 401',
          received: `${String(first)}, over connection ${connection}`,
          reproduce: refused === sent ? first.curl : (reproduce ?? first.curl),
          occurrences: refused,
          fact: { kind: 'status', expected: [] },
        });
      }
    },
  };
});

/** A command that sends one request and then the other over the same connection. */
function onOneConnection(one: ApiResponse, other: ApiResponse): string {
  const [first, second] = [one.curl, other.curl];
  // Only one of them could read its body from a pipe.
  return second.startsWith('curl ')
    ? `${first} --next ${second.replace(/^curl /u, '')}`
    : `${first}; ${second}`;
}

const leftByAuth05 = { 'AUTH-01': 'the operation does not require a key' } as const;

/** Whether the keyless requests and a body with invalid values are sent, too. */
const auth05 = { leavesTo: leftByAuth05, room: { quick: false, standard: true, thorough: true } };

requirement('AUTH-05', auth05, async (probe, sendsMore) => {
  const { api, store, judgement, draw } = probe;
  const controls = await controlledOperations(probe);
  const { missing } = api.credentials;
  const unknown = unknownCredential(probe);
  const limit = draw.one(fc.constantFrom(0, -1, 101, 1000));
  // The body is not even JSON: a framework may parse bodies before anything checks the key.
  const truncated = async (as: Credential): Promise<ApiResponse> =>
    api.createPetFrom({ text: writeJson(await probe.newPet()).slice(0, -1) }, { as });
  const faulty: Record<string, { what: string; send: Control['send'] }> = {
    listPets: {
      what: `\`limit=${limit}\``,
      send: (as) => api.listPets([['limit', limit]], { as, unspecified: true }),
    },
    createPet: { what: 'a truncated body', send: truncated },
    getPet: { what: 'an unknown animal', send: (as) => api.getPet(9223372036854775807n, { as }) },
  };
  const judge = async (as: Credential, { operation }: Control): Promise<void> => {
    const { what, send } = faulty[operation] ?? {};
    const response = await send?.(as);
    if (response) judgement.status(response, 401, `${what ?? ''}, with ${as.description}`);
  };
  const judgeInvalid = async (): Promise<void> => {
    const { categoryId } = (await store.accepted()).body;
    const response = await api.createPet({ categoryId, status: 'none' }, { as: unknown });
    judgement.status(response, 401, `an invalid body, with ${unknown.description}`);
  };
  // An operation that is open to those without a key is not judged here. All responses are waited for: which comes first
  // must not decide the order of the requests.
  const judgeKeyless = async (): Promise<void> => {
    const responses = await Promise.all(controls.map((control) => keyless(probe, control)));
    const closed = controls.filter((_control, index) => responses[index]?.status === 401);
    await Promise.all(closed.map((control) => judge(missing, control)));
  };
  const isCreating = controls.some(({ operation }) => operation === 'createPet');
  await Promise.all([
    ...controls.map((control) => judge(unknown, control)),
    ...(sendsMore && isCreating ? [judgeInvalid()] : []),
    ...(sendsMore ? [judgeKeyless()] : []),
  ]);
});

requirement('AUTH-06', { phase: 'late effects', room: looksLate }, async (probe, late) => {
  const { knownPets } = probe.store;
  probe.store.requireWrites();
  await sideEffects(probe);
  await judgeAbsence(
    probe,
    knownPets.unauthenticated(),
    'a create without a valid key added an animal',
    late,
  );
});

/** A challenge of the Bearer scheme, alone or among others (RFC 9110 11.6.1). */
const bearerChallenge = /(?:^|,)\s*bearer(?:\s|,|$)/i;
/** A quoted string is the value of a parameter, and names no scheme. */
const quoted = /"(?:[^"\\]|\\.)*"/g;

everyExchange('AUTH-07', { kinds: ['401'] }, (judgement) => ({
  see(response) {
    if (response.status !== 401) return;
    const values = response.headers('WWW-Authenticate');
    const named = values.some((value) => bearerChallenge.test(value.replace(quoted, '""')));
    judgement.check(named, response, () => ({
      message: `a 401 of ${response.operation} does not name the Bearer scheme`,
      expected: 'WWW-Authenticate: Bearer',
      received: values.length === 0 ? 'no WWW-Authenticate header' : `WWW-Authenticate: ${values.join(', ')}`,
      fact: wrongHeader('WWW-Authenticate', values),
    }));
  },
}));

requirement('AUTH-08', async ({ api, store, judgement, newPetOfOtherStatus }) => {
  const send = async (as: Credential): Promise<ApiResponse> =>
    store.readOnly ? api.listPets([], { as }) : api.createPet(await newPetOfOtherStatus(), { as });
  const response = await send(api.credentials.lowerCaseScheme);
  const { status } = response;
  if (status === undefined || status >= 500 || response.broken !== undefined) {
    judgement.leaveTo('ROBUST-01', `the scheme in lower case: ${String(response)}`);
    return;
  }
  const refused = refusals.has(status);
  // Whether the scheme is the reason shows in the same request under `Bearer`.
  const control = status >= 400 && !refused ? await send(api.credentials.valid) : undefined;
  if (control && (control.status ?? 400) >= 400)
    return judgement.leaveOpen(`a request under \`bearer\` and one under \`Bearer\` got ${String(control)}`);
  judgement.check(status < 400, [...(control ? [control] : []), response], () => ({
    message: refused
      ? 'the scheme in lower case is refused'
      : `the scheme in lower case gets ${status}, \`Bearer\` gets ${control?.status ?? ''}`,
    expected: 'the same response as under `Bearer`',
    received: String(response),
    fact: { kind: 'status', expected: [store.readOnly ? 200 : 201] },
  }));
});
