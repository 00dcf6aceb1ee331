import type { InvalidValues } from '../lib/draw/refused-values.js';
import { notAnInt64, notAnObject, notAPetStatus, notAString } from '../lib/draw/refused-values.js';
import { sideEffects } from '../lib/session/side-effects.js';
import type { Probe } from '../lib/session/probe.js';
import { valueText } from '../lib/session/animal.js';
import { writeJson } from '../lib/specification/json-value.js';
import { requirement } from '../lib/requirement/requirement.js';

/** A body that the target has accepted but for its name is sent without one of its fields. */
async function isRefusedWithout(
  { api, store, judgement }: Probe,
  field: 'name' | 'categoryId',
): Promise<void> {
  const body: Record<string, unknown> = { ...(await store.freshBody(judgement.id)) };
  delete body[field];
  judgement.refusal(await api.createPet(body), 400, `a body without \`${field}\``);
}

/** A body that the target has accepted but for its name is sent with one field of another sort. */
async function isRefusedWithEach(
  probe: Probe,
  field: string,
  invalidValues: InvalidValues,
  inQuick: number,
): Promise<void> {
  const { api, store, judgement, draw, depth } = probe;
  const rounds = depth({ quick: 1, standard: 1, thorough: 4 });
  const chosen = probe.profile === 'quick' ? invalidValues.slice(0, inQuick) : invalidValues;
  await Promise.all(
    chosen.flatMap(([sort, arbitrary]) =>
      draw.some(arbitrary, rounds).map(async (value) => {
        const body = { ...(await store.freshBody(judgement.id)), [field]: value };
        judgement.refusal(
          await api.createPet(body),
          400,
          `\`${field}\` that is ${sort} (${valueText(value)})`,
        );
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

requirement('CREATE-10', async ({ api, store, judgement, profile }) => {
  const { body } = await store.accepted();
  const sorts = notAnObject(writeJson(body)).slice(0, profile === 'quick' ? 2 : undefined);
  await Promise.all(
    sorts.map(async ([sort], index) => {
      // A name of its own for each, so that one that was taken is not mistaken for another.
      const [, text] = notAnObject(writeJson(await store.freshBody(judgement.id)))[index] ?? [];
      const response = await api.createPetFrom({ text }, text === undefined ? { contentType: null } : {});
      judgement.refusal(response, 400, `a body that is ${sort}`);
    }),
  );
});

requirement('CREATE-11', { phase: 'side effects' }, async (probe) => {
  const { store, judgement } = probe;
  const seen = await sideEffects(probe);
  for (const refusal of store.knownPets.refused()) {
    seen.judgeAbsence(judgement, refusal, 'a creation that was refused added an animal');
  }
});
