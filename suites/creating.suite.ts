import * as fc from 'fast-check';
import { unlikelyIdentifier } from '../lib/draw/id-values.js';
import type { Exchange } from '../lib/http/exchange/exchange.js';
import { judgeUntouched } from '../lib/session/compare-pets.js';
import type { Attempt } from '../lib/session/compare-pets.js';
import { animalOf, valueText, type Animal } from '../lib/session/animal.js';
import { createdAnimal, isCreation, successStatuses } from '../lib/session/creation.js';
import type { Probe } from '../lib/session/probe.js';
import { isShownSteadily } from '../lib/session/steady.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { ApiResponse } from '../lib/verdict/api-response.js';
import type { Accepted } from '../lib/session/store.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { requirement } from '../lib/requirement/requirement.js';

type Sent = Readonly<Record<string, unknown>>;

/** A success, and an animal with an identifier. What is sent comes back is for the rows that say so. */
function isCreated(
  { judgement }: Probe,
  response: ApiResponse,
  what: string,
  success: readonly number[] = [201],
): Animal | undefined {
  if (!judgement.status(response, success, what) || !judgement.whole(response, what)) return undefined;
  const animal = animalOf(response.json);
  judgement.check(
    animal !== undefined,
    {
      message: `${what}: the answer holds no Pet with an \`id\``,
      expected: 'the created Pet',
      received: String(response),
    },
    response,
  );
  return animal;
}

/** The fields that were sent, as the answer shows them. */
function comesBackAsSent(
  { judgement }: Probe,
  response: ApiResponse,
  animal: Animal,
  fields: readonly string[],
): boolean {
  const sent = response.sent as Sent;
  const differing = fields.find(
    (field) => field in sent && valueText(sent[field]) !== valueText(animal.shown[field]),
  );
  return judgement.check(
    differing === undefined,
    {
      message: `the created Pet does not have the \`${differing ?? ''}\` that was sent`,
      expected: differing === undefined ? '' : valueText(sent[differing]),
      received: differing === undefined ? '' : valueText(animal.shown[differing]),
      ...(differing === undefined ? {} : { pointer: `/${differing}` }),
    },
    response,
  );
}

requirement('CREATE-01', async (probe) => {
  const { store, judgement, api, draw, depth, name } = probe;
  const control = await acceptedOrFound(probe);
  if (!control) return;
  judgement.status(control.response, 201, 'a valid body');
  comesBackAsSent(probe, control.response, control.animal, ['name', 'categoryId', 'status']);
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdefghij'.split('')),
    minLength: 1,
    maxLength: 20,
  });
  const labels = draw.some(letters, depth({ quick: 0, standard: 4, thorough: 30 }));
  await Promise.all(
    labels.map(async (label, index) => {
      const { categoryId } = await store.plainBody('CREATE-01');
      const status = petStatuses[index % petStatuses.length];
      const body = { name: name(label), categoryId, status };
      const response = await api.createPet(body);
      const animal = isCreated(probe, response, 'a valid body');
      if (animal) comesBackAsSent(probe, response, animal, ['name', 'categoryId', 'status']);
    }),
  );
});

/**
 * The control of all refusals is this row's subject: where it was answered with anything but 201, that is found. A 400
 * may come of a category that the target does not know, and stays open.
 */
async function acceptedOrFound(probe: Probe): Promise<Accepted | undefined> {
  const { store, judgement } = probe;
  try {
    return await store.accepted();
  } catch (error) {
    const last = store.lastControl;
    if (!(error instanceof Inconclusive) || !last || last.status === 400) throw error;
    if (judgement.status(last, 201, 'a valid body')) isCreated(probe, last, 'a valid body');
    return undefined;
  }
}

requirement('CREATE-02', async (probe) => {
  const { store, api } = probe;
  const success = successStatuses((await store.accepted()).response);
  const { name, categoryId } = await store.freshBody('CREATE-02');
  isCreated(probe, await api.createPet({ name, categoryId }), 'a body without `status`', success);
});

requirement('CREATE-03', async (probe) => {
  const { store, api, profile } = probe;
  const control = await store.accepted();
  const success = successStatuses(control.response);
  await Promise.all(
    petStatuses.map(async (status) => {
      // Quick lets the control stand for its own status.
      const asked = profile === 'quick' && status === control.body.status;
      const response = asked
        ? control.response
        : await api.createPet({ ...(await store.freshBody('CREATE-03')), status });
      const animal = isCreated(probe, response, `\`status\` ${status}`, success);
      if (animal) comesBackAsSent(probe, response, animal, ['status']);
    }),
  );
});

/** A creation that is sent again and again without waiting: identifiers that are given twice seldom come one by one. */
function manyAtOnce({ exchange: { curl } }: ApiResponse): string | undefined {
  return curl && `for n in {1..12}; do ${curl} & done; wait`;
}

// Stocking the store is a burst already; only where nothing was to be added one is made for this row alone. Quick does
// without where its probes have created as many at the same time.
requirement('CREATE-04', { phase: 'whole run' }, async ({ judgement, store, exchanges, depth, profile }) => {
  const size = depth({ quick: 5, standard: 12, thorough: 40 });
  const together = profile === 'quick' ? createdTogether(exchanges) : 0;
  if (!store.hasBurst && together < size) await store.burst(size);
  const byId = new Map<string, ApiResponse>();
  for (const exchange of exchanges) {
    if (!isCreation(exchange)) continue;
    const response = new ApiResponse(exchange);
    const id = animalOf(response.json)?.id;
    // Whether an animal can be made under an identifier that exists is CREATE-14's.
    if (id === undefined || exchange.purpose === 'CREATE-14') continue;
    const first = byId.get(id);
    judgement.check(
      first === undefined,
      {
        message: 'two creations gave the same `id`',
        expected: 'an identifier of its own for each animal',
        received: `\`id\` ${id} twice`,
        reproduce: manyAtOnce(response),
      },
      ...(first ? [first] : []),
      response,
    );
    byId.set(id, response);
  }
  if (byId.size < 2) judgement.leaveOpen('no two creations were accepted');
});

/** How many of the creations that succeeded were under way at the same moment, at the most. */
function createdTogether(exchanges: readonly Exchange[]): number {
  const spans = exchanges
    .filter(isCreation)
    .map(({ sentAt, timing }) => ({ from: Date.parse(sentAt), to: Date.parse(sentAt) + timing.total }));
  return Math.max(
    0,
    ...spans.map(({ from }) => spans.filter((one) => one.from <= from && one.to > from).length),
  );
}

requirement('CREATE-14', async (probe) => {
  const { judgement, store, api, draw, profile } = probe;
  const body = await store.freshBody('CREATE-14');
  const victimAnswer = await api.createPet(body);
  const victim = createdAnimal(victimAnswer);
  if (!victim) {
    judgement.leaveOpen(`the animal to be overwritten was not created: ${String(victimAnswer)}`);
    return;
  }
  const success = successStatuses(victimAnswer);
  const ask = async (): Promise<ApiResponse> =>
    probe.retryUntil(
      () => api.getPet(victim.id),
      ({ status }) => status !== 404,
    );
  // Quick has no request for it: there, what the bodies sent tells.
  const before = probe.removalDatePassed || profile === 'quick' ? undefined : await ask();
  const brought = [BigInt(victim.id), ...(profile === 'quick' ? [] : [draw.one(unlikelyIdentifier)])];
  const status = petStatuses.find((other) => other !== body.status) ?? body.status;
  const attempts: Attempt[] = [];
  for (const id of brought) {
    const attempt = { ...(await store.freshBody('CREATE-14')), status };
    attempts.push(attempt);
    const response = await api.createPet({ ...attempt, id }, { silent: true });
    const existing = String(id) === victim.id;
    const what = existing ? 'the identifier of an existing animal' : 'a fresh identifier';
    if (response.status !== undefined && response.status >= 400 && response.status < 500) {
      judgement.check(
        response.status !== 401,
        { message: `a body with ${what}: the key was refused` },
        response,
      );
      continue;
    }
    const animal = isCreated(probe, response, `a body with ${what}`, success);
    if (!animal) continue;
    judgement.check(
      animal.id !== String(id),
      {
        message: `the target took ${what} from the body`,
        expected: 'an `id` that the service assigns',
        received: `\`id\` ${animal.id}`,
        pointer: '/id',
        // That one is taken now.
        reproduce: existing ? undefined : response.exchange.curl?.replace(String(id), String(id + 1n)),
      },
      response,
    );
  }
  if (probe.removalDatePassed) return;
  if (store.knownPets.isAmbiguous(victim.id))
    return judgement.leaveOpen('two creations gave the `id` of the existing animal (see CREATE-04)');
  if ((await store.got()).status !== 200)
    return judgement.leaveOpen('whether the existing animal is untouched: getPet serves no animal');
  const after = await ask();
  if (after.status === 200 || after.status === 404)
    await judgeUntouched(
      judgement,
      { created: victim, before, after },
      attempts,
      'a body with its `id`',
      () => isShownSteadily(probe),
    );
  else judgement.leaveOpen(`whether the existing animal is untouched: getPet answered ${String(after)}`);
});
