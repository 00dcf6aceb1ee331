import { parseTimestamp } from '../lib/http/clock/clock.js';
import * as fc from 'fast-check';
import {
  notAnInt64,
  notAnObject,
  notAPetStatus,
  notAString,
  type InvalidValues,
} from '../lib/draw/refused-values.js';
import { spellings } from '../lib/draw/json-spelling.js';
import type { Exchange } from '../lib/http/exchange/exchange.js';
import { changesAnimals, requirement, type Probe } from '../lib/requirement/requirement.js';
import { valueText, type Animal } from '../lib/session/animal.js';
import { ApiResponse } from '../lib/session/api-response.js';
import { bodySent } from '../lib/session/compare-pets.js';
import { isCreation, judgeCreated, successStatuses } from '../lib/session/creation.js';
import { PetHistory } from '../lib/session/pet-history.js';
import { sideEffects } from '../lib/session/side-effects.js';
import type { Accepted } from '../lib/session/store.js';
import { writeJson } from '../lib/specification/json-value.js';
import { petStatuses, type PetStatus } from '../lib/specification/body-schema.js';
import { Inconclusive } from '../lib/verdict/outcome.js';

type Field = 'name' | 'categoryId' | 'status';

/** Checks that the fields that were sent come back as they were sent. */
function comesBackAsSent(
  { judgement }: Probe,
  response: ApiResponse,
  { shown }: Animal,
  fields: readonly Field[],
): void {
  const sent = bodySent(response.exchange);
  const differing = fields.find(
    (field) => field in sent && valueText(sent[field]) !== valueText(shown[field]),
  );
  judgement.check(differing === undefined, response, () => ({
    message: `the created Pet does not have the \`${differing ?? ''}\` that was sent`,
    expected: valueText(sent[differing ?? '']),
    received: valueText(shown[differing ?? '']),
    pointer: `/${differing ?? ''}`,
  }));
}

requirement('CREATE-01', async (probe) => {
  const { judgement, api, draw, depth, name, profile } = probe;
  const control = await acceptedOrFound(probe);
  if (!control) return;
  judgement.status(control.response, 201, 'a valid body');
  if (control.refusedSpelling)
    judgement.status(control.refusedSpelling, 201, 'a valid body in another spelling of JSON');
  comesBackAsSent(probe, control.response, control.animal, ['name', 'categoryId', 'status']);
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdefghij'.split('')),
    minLength: 1,
    maxLength: 20,
  });
  const labels = draw.some(letters, depth({ quick: 0, standard: spellings.length, thorough: 30 }));
  const ofEachStatus = profile === 'quick' ? [] : await creationOfEachStatus(probe);
  const drawn = await Promise.all(
    labels.map(async (label, index) => {
      const [what = '', write = writeJson] = spellings[index % spellings.length] ?? [];
      const body = { ...(await probe.newPetOfOtherStatus()), name: name(label) };
      return [`a valid body ${what}`, await api.createPet(body, { write })] as const;
    }),
  );
  const plain = ofEachStatus.map(([, created]) => ['a valid body', created] as const);
  for (const [what, response] of [...plain, ...drawn]) {
    const animal = judgeCreated(judgement, response, what);
    if (animal) comesBackAsSent(probe, response, animal, ['name', 'categoryId', 'status']);
  }
});

/**
 * The control of all refusals is the subject of this requirement: any response to it but 201 is a finding. A 400 may be
 * due to a category that the target does not know, and stays open unless one is configured.
 */
async function acceptedOrFound({ store, judgement }: Probe): Promise<Accepted | undefined> {
  try {
    return await store.accepted();
  } catch (error) {
    const isCategory = store.lastControl?.status === 400;
    const refused = isCategory ? store.controlOfKnownCategory : store.lastControl;
    if (!(error instanceof Inconclusive) || !refused) throw error;
    judgeCreated(
      judgement,
      refused,
      isCategory ? 'a valid body with the configured category' : 'a valid body',
    );
    return undefined;
  }
}

requirement('CREATE-02', async ({ store, api, judgement, newPet }) => {
  const success = successStatuses((await store.accepted()).response);
  const { name, categoryId } = await newPet();
  judgeCreated(judgement, await api.createPet({ name, categoryId }), 'a body without `status`', success);
});

requirement('CREATE-03', async (probe) => {
  const { store, judgement } = probe;
  const success = successStatuses((await store.accepted()).response);
  for (const [status, response] of await creationOfEachStatus(probe)) {
    const animal = judgeCreated(judgement, response, `\`status\` ${status}`, success);
    if (animal) comesBackAsSent(probe, response, animal, ['status']);
  }
});

/** A creation of each status; the control stands for its own. */
async function creationOfEachStatus({
  store,
  api,
  newPet,
}: Probe): Promise<ReadonlyArray<readonly [PetStatus, ApiResponse]>> {
  const control = await store.accepted();
  return store.once('each status', async () =>
    Promise.all(
      petStatuses.map(async (status) => {
        const known = status === control.body.status ? control.response : undefined;
        return [status, known ?? (await api.createPet({ ...(await newPet()), status }))] as const;
      }),
    ),
  );
}

/** Many creations at the same moment: identifiers that are given twice are seldom given to creations one by one. */
function manyAtOnce({ exchange: { curl } }: ApiResponse): string | undefined {
  return curl && `for n in {1..12}; do ${curl} & done; wait`;
}

// Stocking the store is a burst already; only if nothing was to be added one is made for this requirement alone. Quick
// does without if its probes have created as many at the same time.
requirement(
  'CREATE-04',
  { phase: 'whole run', leavesTo: { 'CREATE-14': 'the body brought an `id`' } },
  async ({ judgement, store, exchanges, depth, profile, consistencyMs }) => {
    const size = depth({ quick: 5, standard: 12, thorough: 40 });
    const concurrent = profile === 'quick' ? concurrentCreations(exchanges) : 0;
    if (!store.hasBurst && concurrent < size) await store.burst(size);
    const byId = new Map<string, ApiResponse>();
    for (const exchange of exchanges) {
      if (!isCreation(exchange) || 'id' in bodySent(exchange)) continue;
      const response = new ApiResponse(exchange);
      const id = response.animal?.id;
      if (id === undefined) continue;
      const first = byId.get(id);
      judgement.check(first === undefined, [...(first ? [first] : []), response], () => ({
        message: 'two creations returned the same `id`',
        expected: 'an identifier of its own for each animal',
        received: `\`id\` ${id} twice`,
        reproduce: manyAtOnce(response),
      }));
      byId.set(id, response);
    }
    const history = new PetHistory({ consistencyMs, changesAnimals });
    for (const exchange of exchanges) history.see(new ApiResponse(exchange));
    for (const { id, earlier, creation } of history.reused)
      judgement.fail([earlier, creation], {
        message: 'a creation returned the `id` of an animal that was there before',
        expected: 'an identifier of its own for each animal',
        received: `\`id\` ${id}, which a listing had shown before the creation was sent`,
      });
    if (byId.size < 2) judgement.leaveOpen('fewer than two creations were accepted');
  },
);

/** The greatest number of successful creations that were under way at the same moment. */
function concurrentCreations(exchanges: readonly Exchange[]): number {
  const spans = exchanges.filter(isCreation).map(({ sentAt, timing }) => ({
    from: parseTimestamp(sentAt),
    to: parseTimestamp(sentAt) + timing.total,
  }));
  return Math.max(
    0,
    ...spans.map(({ from }) => spans.filter((one) => one.from <= from && one.to > from).length),
  );
}

/** Sends a body that the target has accepted, but for its name, without one of its fields. */
async function isRefusedWithout({ api, judgement, newPet }: Probe, field: Field): Promise<void> {
  const body: Record<string, unknown> = { ...(await newPet()) };
  delete body[field];
  judgement.status(await api.createPet(body), 400, `a body without \`${field}\``);
}

/** Sends a body that the target has accepted, but for its name, with one field of another kind. */
async function isRefusedWithEach(
  { api, judgement, draw, depth, profile, newPet }: Probe,
  field: Field,
  invalidValues: InvalidValues,
  inQuick: number,
): Promise<void> {
  const rounds = depth({ quick: 1, standard: 1, thorough: 4 });
  const chosen = profile === 'quick' ? invalidValues.slice(0, inQuick) : invalidValues;
  await Promise.all(
    chosen.flatMap(([kind, arbitrary]) =>
      draw.some(arbitrary, rounds).map(async (value) => {
        const body = { ...(await newPet()), [field]: value };
        const what = `\`${field}\` that is ${kind} (${valueText(value)})`;
        judgement.status(await api.createPet(body), 400, what);
      }),
    ),
  );
}

requirement('CREATE-05', (probe) => isRefusedWithout(probe, 'name'));

requirement('CREATE-06', (probe) => isRefusedWithout(probe, 'categoryId'));

requirement('CREATE-07', (probe) => isRefusedWithEach(probe, 'name', notAString, 1));

requirement('CREATE-08', async (probe) => {
  const { categoryId } = (await probe.store.accepted()).body;
  await isRefusedWithEach(probe, 'categoryId', notAnInt64(categoryId), 2);
});

requirement('CREATE-09', (probe) => isRefusedWithEach(probe, 'status', notAPetStatus, 2));

requirement('CREATE-10', async ({ api, store, judgement, profile, newPet }) => {
  const { body } = await store.accepted();
  const kinds = notAnObject(writeJson(body)).slice(0, profile === 'quick' ? 2 : undefined);
  await Promise.all(
    kinds.map(async ([kind], index) => {
      // Each has a name of its own, so that one that was created is not mistaken for another.
      const [, text, latin1] = notAnObject(writeJson(await newPet()))[index] ?? [];
      const body = { text, latin1: latin1 !== undefined };
      const response = await api.createPetFrom(body, text === undefined ? { contentType: null } : {});
      judgement.status(response, 400, `a body that is ${kind}`);
    }),
  );
});

requirement('CREATE-11', { phase: 'side effects' }, async (probe) => {
  const effects = await sideEffects(probe);
  for (const refusal of probe.store.knownPets.refused()) {
    effects.judgeAbsence(probe.judgement, refusal, 'a refused creation added an animal');
  }
});
