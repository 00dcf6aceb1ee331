import * as fc from 'fast-check';
import { petNameText } from '../lib/draw/name-values.js';
import { int64Value, mostInt64, unlikelyIdentifier } from '../lib/draw/id-values.js';
import { judgeAsCreated } from '../lib/session/compare-pets.js';
import { animalOf, type Animal } from '../lib/session/animal.js';
import { createdAnimal } from '../lib/session/creation.js';
import type { Probe } from '../lib/session/probe.js';
import { ApiResponse } from '../lib/verdict/api-response.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { NotApplicable } from '../lib/verdict/outcome.js';
import { requirement } from '../lib/requirement/requirement.js';

/** How a target answers for an operation that it does not serve (RFC 9110 15.5.5, 15.5.6, 15.5.11, 15.6.2). */
const notServed: ReadonlySet<number> = new Set([405, 410, 501]);
const removed = 'the operation is past its removal date, 5 December 2030 (see GET-05)';

function unlessRemoved({ removalDatePassed }: Probe): void {
  if (removalDatePassed) throw new NotApplicable(removed);
}

/** An animal as it was created; in a read-only run, as the first listing showed it. */
async function knownAnimals({
  store,
  api,
  draw,
  depth,
}: Probe): Promise<Array<{ animal: Animal; response: ApiResponse }>> {
  if (store.readOnly) return [{ animal: await store.animal(), response: await store.survey() }];
  const { animal, response } = await store.accepted();
  const more = depth({ quick: 0, standard: 3, thorough: 12 });
  const drawn = [
    [9007199254740993n, 'e\u0301 🐶'] as const,
    ...draw.some(fc.tuple(int64Value, petNameText), more),
  ];
  const others = await Promise.all(
    drawn.slice(0, more).map(async ([categoryId, text], index) => {
      // Of each other status in turn, and with none.
      const { status: own, ...body } = await store.freshBody('GET-01');
      const status = [...petStatuses.filter((other) => other !== own), undefined][index % petStatuses.length];
      const name = `${body.name} ${text}`;
      const created = await api.createPet({ name, categoryId, ...(status === undefined ? {} : { status }) });
      const other = createdAnimal(created);
      return other === undefined ? [] : [{ animal: other, response: created }];
    }),
  );
  return [{ animal, response }, ...others.flat()].filter(
    (known) => !store.knownPets.isAmbiguous(known.animal.id),
  );
}

// The control was asked for at the run's beginning: asked again when the store is full, it is the same.
requirement('GET-01', { phase: 'unspecified' }, async (probe) => {
  unlessRemoved(probe);
  const { api, store, judgement, retryUntil } = probe;
  const [first, ...others] = await knownAnimals(probe);
  const judge = async (
    known: { animal: Animal; response: ApiResponse },
    control?: ApiResponse,
  ): Promise<void> => {
    const ask = (): Promise<ApiResponse> => api.getPet(known.animal.id);
    const response =
      control?.status === 200 ? control : await retryUntil(ask, ({ status }) => status !== 404);
    const responses = [response, await ask()];
    if (store.knownPets.isAmbiguous(known.animal.id)) {
      judgement.note('An animal whose `id` another creation gave as well was passed over (see CREATE-04).');
      return;
    }
    for (const got of responses) {
      if (!judgement.status(got, 200, 'an existing animal') || !judgement.whole(got, 'an existing animal'))
        return;
      const shown = animalOf(got.json);
      judgement.check(
        shown === undefined || shown.id === known.animal.id,
        {
          message: 'getPet shows another animal than was asked for',
          expected: `\`id\` ${known.animal.id}`,
          received: `\`id\` ${shown?.id ?? ''}`,
          pointer: '/id',
        },
        got,
      );
      judgement.check(
        shown !== undefined,
        {
          message: 'an existing animal: the answer holds no Pet with an `id`',
          expected: 'the Pet',
          received: String(got),
        },
        got,
      );
      if (shown) judgeAsCreated(judgement, known, { animal: shown, response: got }, 'getPet');
    }
  };
  if (first) await judge(first, await store.got());
  await Promise.all(others.map((known) => judge(known)));
});

requirement('GET-02', async (probe) => {
  unlessRemoved(probe);
  const { api, store, judgement, draw, depth } = probe;
  const got = await store.got();
  if (got.status !== 200) {
    judgement.leaveOpen(`getPet served no existing animal either: ${String(got)}`);
    return;
  }
  // A service may have given the highest of all to an animal.
  const least = store.knownPets.isKnown(String(mostInt64)) ? 1 : 0;
  const drawn = draw.some(unlikelyIdentifier, depth({ quick: least, standard: 3, thorough: 20 }));
  // Every second one is negative: an int64 all the same.
  const signed = drawn.map((id, index) => (index % 2 === 0 ? -id : id));
  const unknown = [mostInt64, ...signed].filter((id) => !store.knownPets.isKnown(String(id)));
  await Promise.all(
    unknown.map(async (id) =>
      judgement.refusal(await api.getPet(id), 404, `\`petId\` ${id}, which no animal has`),
    ),
  );
});

requirement('GET-03', async (probe) => {
  unlessRemoved(probe);
  const { api, store, judgement, profile } = probe;
  const got = await store.got();
  if (got.status !== 200) {
    judgement.leaveOpen(`getPet served no existing animal either: ${String(got)}`);
    return;
  }
  const { id } = await store.animal();
  // 2^64 more than an existing identifier is the same in 64 bits: what wraps around finds the animal.
  const wrapped = String(BigInt(id) + 2n ** 64n);
  const noIntegers = [`${id}abc`, 'abc', wrapped, `${id}.5`, String(mostInt64 + 1n), `${id}e0x`, 'null'];
  await Promise.all(
    (profile === 'quick' ? noIntegers.slice(0, 3) : noIntegers).map(async (petId) => {
      const response = await api.getPet(petId, { silent: true });
      const what = `\`petId\` ${petId}`;
      const { status } = response;
      if (status === 401) return judgement.leaveOpen('the valid key was refused with 401 (see AUTH-04)');
      if (response.broken !== undefined)
        return judgement.leaveOpen(`${what}: no whole answer came, ${response.broken} (see ROBUST-01)`);
      const refused =
        status !== undefined && status >= 400 && status < 500 && response.exchange.failure === undefined;
      judgement.check(
        refused,
        {
          message: `${what}: no 4xx`,
          expected: 'a 4xx status with an Error body',
          received: String(response),
        },
        response,
      );
      return refused && judgement.body('Error', response, what);
    }),
  );
});

requirement('GET-04', { phase: 'whole run' }, async (probe) => {
  if (probe.removalDatePassed) throw new NotApplicable('the run is later than 4 December 2030');
  const { judgement, store, exchanges } = probe;
  const got = await store.got();
  const served = exchanges.find(
    ({ operation, credential, response }) =>
      operation === 'getPet' && credential === 'valid' && response?.status === 200,
  );
  const { status } = got;
  if (
    !served &&
    (status === undefined || got.broken !== undefined || (status !== 404 && !notServed.has(status)))
  ) {
    judgement.leaveOpen(`whether getPet is served: ${String(got)}`);
    return;
  }
  judgement.check(
    served !== undefined,
    {
      message: 'getPet serves no existing animal before 5 December 2030',
      expected: '200',
      received: String(got),
    },
    got,
  );
});

requirement('GET-05', async ({ removalDatePassed, judgement, store, api }) => {
  if (!removalDatePassed) throw new NotApplicable('the run is earlier than 5 December 2030');
  const got = await api.getPet((await store.animal()).id);
  judgement.status(got, [404, 405, 410], 'an existing animal after the removal date');
});

requirement('GET-06', { phase: 'unspecified', notInQuick: 'it observes' }, async (probe) => {
  unlessRemoved(probe);
  const { api, store, judgement } = probe;
  const { id } = await store.animal();
  const sign = id.startsWith('-') ? id : `+${id}`;
  const zero = id.startsWith('-') ? `-0${id.slice(1)}` : `0${id}`;
  await Promise.all(
    [`${id}.0`, `${id}%20`, sign, zero].map(async (petId) => {
      const response = await api.getPet(petId, { silent: true });
      const found = response.status === 200 && animalOf(response.json)?.id === id;
      judgement.observe(
        `\`petId\` ${petId} for ${id}`,
        found
          ? 'finds the animal'
          : response.status === undefined
            ? String(response)
            : `refused with ${response.status}`,
        response,
      );
    }),
  );
});
