import { askPage, fullPage } from '../lib/session/side-effects.js';
import { animalOf } from '../lib/session/animal.js';
import { createdAnimal } from '../lib/session/creation.js';
import { judgeUntouched, showSame, type Attempt } from '../lib/session/compare-pets.js';
import { describeListing } from '../lib/session/describe-listing.js';
import type { Probe } from '../lib/session/probe.js';
import { isShownSteadily } from '../lib/session/steady.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import type { ApiResponse } from '../lib/verdict/api-response.js';
import { requirement } from '../lib/requirement/requirement.js';

const refusing: ReadonlySet<number> = new Set([404, 405, 501]);

type Unlisted = readonly [method: string, path: string, sent?: unknown];

function onAnimal(id: string, attempt: Attempt): readonly Unlisted[] {
  const path = `/pets/${id}`;
  return [
    ['POST', path, attempt],
    ['PATCH', path, { name: attempt.name }],
    ['PUT', path, attempt],
    ['DELETE', path],
  ];
}

function onStore(attempt: Attempt): readonly Unlisted[] {
  return [
    ['PATCH', '/pets', { name: attempt.name }],
    ['PUT', '/pets', attempt],
    ['DELETE', '/pets'],
  ];
}

requirement(
  'ROBUST-02',
  { phase: 'unspecified', notInQuick: 'it needs an animal of its own' },
  async (probe) => {
    const { api, store, judgement } = probe;
    const created = await api.createPet(await store.freshBody('ROBUST-02'));
    const victim = createdAnimal(created);
    if (!victim) {
      judgement.leaveOpen(`the animal to be left alone was not created: ${String(created)}`);
      return;
    }
    const before = probe.removalDatePassed ? undefined : await got(probe, victim.id);
    const body = await store.freshBody('ROBUST-02');
    const attempt = { ...body, status: petStatuses.find((other) => other !== body.status) ?? body.status };
    for (const [method, path, sent] of [...onAnimal(victim.id, attempt), ...onStore(attempt)]) {
      const response = await api.unlisted(method, path, sent);
      const shown = path === '/pets' ? path : '/pets/{petId}';
      if (response.status === undefined || response.broken !== undefined) {
        judgement.leaveOpen(`${method} ${shown} was not answered: ${response.broken ?? String(response)}`);
        continue;
      }
      judgement.check(
        refusing.has(response.status),
        {
          message: `${method} ${shown}, which is not listed, is not refused`,
          expected: '404, 405 or 501',
          received: String(response),
        },
        response,
      );
    }
    const page = await askPage(api, attempt.status, fullPage);
    const added = page.animals?.find(({ id, shown }) => shown.name === attempt.name && id !== victim.id);
    judgement.check(
      added === undefined,
      {
        message: 'a method that is not listed added an animal',
        expected: 'no animal of the name that was sent',
        received: added === undefined ? '' : describeListing(added),
      },
      page.response,
    );
    if (!before) return;
    if (before.status !== 200)
      return judgement.leaveOpen(
        `whether the animal is as before: getPet did not serve it, ${String(before)}`,
      );
    if (store.knownPets.isAmbiguous(victim.id))
      return judgement.leaveOpen('two creations gave the `id` of the animal (see CREATE-04)');
    const after = await got(probe, victim.id);
    if (after.status !== 200 && after.status !== 404)
      return judgement.leaveOpen(`whether the animal is as before: ${String(after)}`);
    const change = showSame(before, after) ? undefined : await changeOf(probe, attempt);
    await judgeUntouched(
      judgement,
      { created: victim, before, after, ...change },
      [attempt],
      change?.by ?? 'a method that is not listed',
      () => isShownSteadily(probe),
    );
  },
);

async function got({ api, retryUntil }: Probe, id: string): Promise<ApiResponse> {
  return retryUntil(
    () => api.getPet(id),
    ({ status }) => status !== 404,
  );
}

/** Which method it was that changed the animal, tried on another one; those on the whole store are not sent again. */
async function changeOf(
  probe: Probe,
  attempt: Attempt,
): Promise<{ readonly by: string; readonly reproduce: string } | undefined> {
  const { api, store } = probe;
  for (const index of onAnimal('', attempt).keys()) {
    const created = await api.createPet(await store.freshBody('ROBUST-02'));
    const { id } = createdAnimal(created) ?? {};
    const [method, path, sent] = onAnimal(id ?? '', attempt)[index] ?? [];
    if (id === undefined || method === undefined || path === undefined) return undefined;
    const before = await got(probe, id);
    const response = await api.unlisted(method, path, sent);
    const after = await api.getPet(id);
    if (before.status !== 200 || (after.status === 200 && showSame(before, after))) continue;
    // For who tries it again there is one more, as yet untouched.
    const fresh = animalOf((await api.createPet(await store.freshBody('ROBUST-02'))).json)?.id ?? id;
    const lines = [before, response, after].map(({ exchange }) =>
      (exchange.curl ?? '').replace(`/pets/${id}'`, `/pets/${fresh}'`),
    );
    return { by: `${method} /pets/{petId}, which is not listed,`, reproduce: lines.join('; ') };
  }
  return undefined;
}
