import * as fc from 'fast-check';
import { unknownKey } from '../lib/draw/refused-values.js';
import type { Credential } from '../lib/http/exchange/credential.js';
import { writeJson } from '../lib/specification/json-value.js';
import { sideEffects } from '../lib/session/side-effects.js';
import type { Probe } from '../lib/session/probe.js';
import { headerValues } from '../lib/http/exchange/exchange.js';
import { ApiResponse } from '../lib/verdict/api-response.js';
import { Inconclusive, NotTested } from '../lib/verdict/outcome.js';
import type { Judgement } from '../lib/verdict/judgement.js';
import { everyExchange, requirement } from '../lib/requirement/requirement.js';

/** One request to an operation that the target has accepted with the valid key: only the credential differs. */
interface Control {
  readonly operation: string;
  readonly ask: (credential: Credential) => Promise<ApiResponse>;
}

/** Whether a preparation came about; where it did not, the reason is kept and the other operations are judged. */
async function succeeds(judgement: Judgement, preparation: Promise<unknown>): Promise<boolean> {
  try {
    await preparation;
    return true;
  } catch (error) {
    if (error instanceof NotTested) judgement.note(`An operation was not asked: ${error.message}.`);
    else if (error instanceof Inconclusive) judgement.leaveOpen(error.message);
    else throw error;
    return false;
  }
}

/** The operations with their positive controls; one whose control was refused is left unjudged. */
async function controlledOperations(probe: Probe): Promise<Control[]> {
  const { api, store, judgement } = probe;
  const controls: Control[] = [];
  if ((await store.listing()).status === 200) {
    controls.push({ operation: 'listPets', ask: async (as) => api.listPets([], { as }) });
  } else judgement.leaveOpen('listPets was not accepted with the valid key either');
  if (store.readOnly) judgement.note('createPet was not asked: the run is read-only.');
  else if (await succeeds(judgement, store.accepted())) {
    controls.push({
      operation: 'createPet',
      ask: async (as) => api.createPet(await store.freshBody(judgement.id), { as }),
    });
  }
  if (probe.removalDatePassed) judgement.note('getPet was not asked: it is past its removal date.');
  else if (!(await succeeds(judgement, store.animal()))) return controls;
  else if ((await store.got()).status === 200) {
    const { id } = await store.animal();
    controls.push({ operation: 'getPet', ask: async (as) => api.getPet(id, { as }) });
  } else judgement.leaveOpen('getPet was not accepted with the valid key either');
  return controls;
}

async function isUnauthorized(probe: Probe, credential: Credential, control: Control): Promise<void> {
  const response = await control.ask(credential);
  probe.judgement.refusal(response, 401, `${control.operation} with ${credential.description}`);
}

/** A key of the look of real ones that nobody has. */
function unknownCredential({ api, draw }: Probe): Credential {
  return api.credentials.unknown(draw.one(unknownKey));
}

requirement('AUTH-01', async (probe) => {
  const controls = await controlledOperations(probe);
  await Promise.all(controls.map((control) => isUnauthorized(probe, probe.api.credentials.missing, control)));
});

requirement('AUTH-02', async (probe) => {
  const { nearMisses } = probe.api.credentials;
  const controls = await controlledOperations(probe);
  const unknown = unknownCredential(probe);
  // Quick asks one operation with the likeliest near miss, which nobody has either; the others ask each with each.
  const quick = probe.profile === 'quick';
  const [likeliest = unknown] = nearMisses;
  await Promise.all(
    controls.map((control, place) =>
      isUnauthorized(probe, quick && place === 0 ? likeliest : unknown, control),
    ),
  );
  if (quick) return;
  // The likeliest are sent to every operation, the others to one in turn.
  const everywhere = probe.depth({ quick: 0, standard: 4, thorough: nearMisses.length });
  await Promise.all(
    nearMisses.flatMap((credential, index) =>
      controls
        .filter((_control, place) => index < everywhere || place === index % controls.length)
        .map((control) => isUnauthorized(probe, credential, control)),
    ),
  );
});

requirement('AUTH-03', async (probe) => {
  const controls = await controlledOperations(probe);
  const { malformed } = probe.api.credentials;
  const asked = malformed.slice(
    0,
    probe.depth({ quick: 4, standard: malformed.length, thorough: malformed.length }),
  );
  // The likeliest are sent to every operation, the others to one in turn.
  const everywhere = probe.depth({ quick: 0, standard: 5, thorough: malformed.length });
  await Promise.all(
    asked.flatMap((credential, index) =>
      controls
        .filter((_control, place) => index < everywhere || place === index % controls.length)
        .map((control) => isUnauthorized(probe, credential, control)),
    ),
  );
});

everyExchange('AUTH-04', ['listing', 'creation', 'animal'], (judgement) => ({
  see(exchange) {
    if (exchange.credential !== 'valid' || !exchange.response) return;
    const response = new ApiResponse(exchange);
    const message = `${exchange.operation ?? ''} refused the valid key`;
    judgement.check(
      exchange.response.status !== 401,
      { message, expected: 'any status but 401', received: String(response) },
      response,
    );
  },
}));

requirement('AUTH-05', { phase: 'unspecified' }, async (probe) => {
  const { api, store, judgement, draw } = probe;
  const controls = await controlledOperations(probe);
  const { missing } = api.credentials;
  const unknown = unknownCredential(probe);
  const limit = draw.one(fc.constantFrom(0, -1, 101, 1000));
  // A framework that reads JSON before anything else is asked about the key by a body that is none.
  const cutOff = async (as: Credential): Promise<ApiResponse> => {
    const text = writeJson(await store.freshBody(judgement.id)).slice(0, -1);
    return api.createPetFrom({ text }, { as });
  };
  const wrongs: Record<string, { what: string; ask: (as: Credential) => Promise<ApiResponse> }> = {
    listPets: {
      what: `\`limit=${limit}\``,
      ask: (as) => api.listPets([['limit', limit]], { as, silent: true }),
    },
    createPet: { what: 'a body that is cut off', ask: cutOff },
    getPet: { what: 'an unknown animal', ask: (as) => api.getPet(9223372036854775807n, { as }) },
  };
  const judge = async ({ operation }: Control, as: Credential): Promise<void> => {
    const wrong = wrongs[operation];
    if (wrong) judgement.refusal(await wrong.ask(as), 401, `${wrong.what}, with ${as.description}`);
  };
  await Promise.all(controls.map((control) => judge(control, unknown)));
  if (probe.profile === 'quick') return;
  if (controls.some(({ operation }) => operation === 'createPet')) {
    const { categoryId } = (await store.accepted()).body;
    const response = await api.createPet({ categoryId, status: 'none' }, { as: unknown });
    judgement.refusal(response, 401, `an invalid body, with ${unknown.description}`);
  }
  // An operation that is open to those without a key is AUTH-01's.
  const asked = await Promise.all(controls.map((control) => control.ask(missing)));
  const closed = controls.filter((_control, index) => asked[index]?.status === 401);
  await Promise.all(closed.map((control) => judge(control, missing)));
});

requirement('AUTH-06', { phase: 'side effects' }, async (probe) => {
  const { judgement, store } = probe;
  store.requireWrites();
  const seen = await sideEffects(probe);
  for (const attempt of store.knownPets.unauthenticated()) {
    seen.judgeAbsence(judgement, attempt, 'a create without a valid key added an animal');
  }
});

/** A challenge of the Bearer scheme, alone or among others (RFC 9110 11.6.1). */
const bearerChallenge = /(?:^|,)\s*bearer(?:\s|,|$)/i;
/** What stands in quotes is a parameter's value, and names no scheme. */
const quoted = /"(?:[^"\\]|\\.)*"/g;

everyExchange('AUTH-07', ['401'], (judgement) => ({
  see(exchange) {
    if (exchange.response?.status !== 401) return;
    const values = headerValues(exchange, 'WWW-Authenticate');
    judgement.check(
      values.some((value) => bearerChallenge.test(value.replace(quoted, '""'))),
      {
        message: `a 401 of ${exchange.operation ?? ''} does not name the Bearer scheme`,
        expected: 'WWW-Authenticate: Bearer',
        received:
          values.length === 0 ? 'no WWW-Authenticate header' : `WWW-Authenticate: ${values.join(', ')}`,
      },
      new ApiResponse(exchange),
    );
  },
}));

requirement('AUTH-08', async ({ api, store, judgement }) => {
  const as = api.credentials.lowerCaseScheme;
  const response = store.readOnly
    ? await api.listPets([], { as })
    : await api.createPet(await store.freshBody(judgement.id), { as });
  const { status } = response;
  if (status === undefined || status >= 500 || response.broken !== undefined) {
    judgement.leaveOpen(`it was not answered: ${String(response)}`);
    return;
  }
  judgement.check(
    status < 400,
    {
      message: 'the scheme in lower case is refused',
      expected: 'the same answer as under `Bearer`',
      received: String(response),
    },
    response,
  );
});
