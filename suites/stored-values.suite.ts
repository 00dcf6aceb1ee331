import * as fc from 'fast-check';
import { int64Examples, int64Value, unlikelyIdentifier } from '../lib/draw/id-values.js';
import { nameExamples, petNameText } from '../lib/draw/name-values.js';
import { smallestCounterexample } from '../lib/draw/search.js';
import { requirement, type Probe } from '../lib/requirement/requirement.js';
import { valueText } from '../lib/session/animal.js';
import type { CreateOptions } from '../lib/session/api.js';
import type { ApiResponse } from '../lib/session/api-response.js';
import { judgeUntouched, type Attempt } from '../lib/session/compare-pets.js';
import { createdAnimal, isAccepted, judgeCreated, successStatuses } from '../lib/session/creation.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { writeJson } from '../lib/specification/json-value.js';
import { petStatuses } from '../lib/specification/body-schema.js';

/** What a service makes of the values in a body: kept exactly, assigned by itself, or not specified. */

const leftByCreate12 = { 'PET-01': 'a string of digits is not an integer' } as const;

requirement('CREATE-12', { leavesTo: leftByCreate12 }, async (probe) => {
  const { judgement, store, api, draw, depth } = probe;
  const success = successStatuses((await store.accepted()).response);
  const responses = new Map<string, ApiResponse>();
  const refused: ApiResponse[] = [];
  // Quick spends no more requests on a target that checks categories. The animals that any other target creates here help
  // to fill the store.
  if (probe.profile === 'quick' && (await unknownCategory(probe)).status === 400)
    return judgement.leaveOpen(checksCategories);
  const found = await smallestCounterexample(
    int64Value,
    {
      seed: draw.seed(),
      runs: depth({ quick: 0, standard: 6, thorough: 60 }),
      examples: int64Examples.slice(0, depth({ quick: 4, standard: 5, thorough: 5 })),
      shrinkBudget: probe.shrinkBudget,
    },
    async (categoryId) => {
      const response = await api.createPet({ ...(await probe.newPetOfOtherStatus()), categoryId });
      responses.set(String(categoryId), response);
      if (response.status === 400) refused.push(response);
      const animal = createdAnimal(response);
      return !animal || digits(animal.shown.categoryId) === String(categoryId);
    },
  );
  const counterexample = found && responses.get(String(found.value));
  if (counterexample) {
    judgement.fail(counterexample, {
      message: '`categoryId` is not kept exactly',
      expected: String(found.value),
      received: valueText(counterexample.animal?.shown.categoryId),
      pointer: '/categoryId',
    });
    return;
  }
  for (const response of responses.values()) {
    if (response.status !== 400) judgeCreated(judgement, response, 'an int64 `categoryId`', success);
  }
  if (refused.length > 0) await judgeRefusedCategories(probe, refused);
});

function digits(value: unknown): string {
  return typeof value === 'string' ? value : valueText(value);
}

/**
 * A target that checks categories may refuse unknown ones with 400. Whether it does shows in a small identifier that it
 * is unlikely to know: if it accepts that one, refusing large ones is a loss of range.
 */
async function judgeRefusedCategories(probe: Probe, refused: readonly ApiResponse[]): Promise<void> {
  const { judgement } = probe;
  const control = await unknownCategory(probe);
  if (!isAccepted(control.status)) return judgement.leaveOpen(checksCategories);
  for (const response of refused) {
    judgement.fail([control, response], {
      message: 'an int64 `categoryId` is refused',
      expected: '201',
      received: String(response),
      fact: { kind: 'status', expected: [201] },
      pointer: '/categoryId',
    });
  }
}

const checksCategories = 'the target refuses unknown categories, so that no other int64 can be tried';

/** A creation with a small `categoryId` that a target that checks categories is unlikely to know. */
async function unknownCategory({ store, api, draw, newPetOfOtherStatus }: Probe): Promise<ApiResponse> {
  return store.once('unknown category', async () => {
    const categoryId = draw.one(fc.bigInt({ min: 20_000n, max: 2_000_000n }));
    return api.createPet({ ...(await newPetOfOtherStatus()), categoryId });
  });
}

requirement('CREATE-13', async (probe) => {
  const { judgement, store, api, draw, depth } = probe;
  const success = successStatuses((await store.accepted()).response);
  const attempts = new Map<string, { name: string; response: ApiResponse }>();
  const found = await smallestCounterexample(
    petNameText,
    {
      seed: draw.seed(),
      runs: depth({ quick: 0, standard: 6, thorough: 60 }),
      examples: nameExamples.slice(0, depth({ quick: 4, standard: 6, thorough: 6 })),
      shrinkBudget: probe.shrinkBudget,
    },
    async (text) => {
      const body = await probe.newPetOfOtherStatus();
      const sent = `${body.name} ${text}`;
      const response = await api.createPet({ ...body, name: sent });
      // A body that was sent again has another name.
      const { name } = response.sent as { readonly name: string };
      attempts.set(text, { name, response });
      if (response.broken !== undefined || response.status === 401) return true;
      return createdAnimal(response)?.shown.name === name;
    },
  );
  const counterexample = found && attempts.get(found.value);
  if (!counterexample) {
    for (const { response } of attempts.values())
      judgement.status(response, success, 'a name of Unicode text');
    return;
  }
  const { name, response } = counterexample;
  const animal = createdAnimal(response);
  const control = animal ? undefined : await plainControl(probe);
  if (control && !isAccepted(control.status)) {
    judgement.leaveOpen(`the same body with a plain name was refused too: ${String(control)}`);
    return;
  }
  judgement.fail([...(control ? [control] : []), response], {
    message: animal ? '`name` is not kept exactly' : 'a `name` of Unicode text is refused',
    expected: valueText(name),
    received: animal ? valueText(animal.shown.name) : String(response),
    pointer: '/name',
    fact: animal ? { kind: 'value', field: 'name' } : { kind: 'status', expected: [201] },
  });
});

/** A body with nothing unusual about it. */
async function plainControl({ store, api, newPetOfOtherStatus }: Probe): Promise<ApiResponse> {
  return store.once('plain body', async () => api.createPet(await newPetOfOtherStatus()));
}

const leftByCreate14 = {
  'CREATE-04': 'two creations returned the `id` of the existing animal',
  'GET-01': 'getPet does not show an unchanged animal the same way twice',
  'GET-04': 'getPet serves no animal',
} as const;

requirement('CREATE-14', { changesAnimals: true, leavesTo: leftByCreate14 }, async (probe) => {
  const { judgement, store, api, draw, profile } = probe;
  const body = await probe.newPetOfOtherStatus();
  const victimResponse = await api.createPet(body);
  const victim = createdAnimal(victimResponse);
  if (!victim) {
    judgement.leaveOpen(
      new Inconclusive(
        `the animal to be overwritten was not created: ${String(victimResponse)}`,
        'CREATE-01',
      ),
    );
    return;
  }
  const success = successStatuses(victimResponse);
  // Quick has no request for it: there, only the values that were sent tell a change.
  const before =
    probe.removalDatePassed || profile === 'quick' ? undefined : await probe.getCreated(victim.id);
  const brought = [BigInt(victim.id), ...(profile === 'quick' ? [] : [draw.one(unlikelyIdentifier)])];
  const kept = (await store.accepted()).body.status;
  const status = petStatuses.find((other) => other !== body.status && other !== kept) ?? kept;
  const attempts: Attempt[] = [];
  for (const id of brought) {
    const existing = String(id) === victim.id;
    const attempt = { ...(await probe.newPetOfOtherStatus()), ...(existing && { status }) };
    if (existing) attempts.push(attempt);
    const response = await api.createPet({ ...attempt, id }, { unspecified: true });
    const what = existing ? 'the identifier of an existing animal' : 'a new identifier';
    if (response.status === 401) judgement.leaveTo('AUTH-04', `a body with ${what}`);
    else if (response.status !== undefined && response.status >= 400 && response.status < 500)
      judgement.held();
    else {
      const animal = judgeCreated(judgement, response, `a body with ${what}`, success);
      if (!animal) continue;
      judgement.check(animal.id !== String(id), response, () => ({
        message: `the target took ${what} from the body`,
        expected: 'an `id` that the service assigns',
        received: `\`id\` ${animal.id}`,
        pointer: '/id',
        // A new identifier is in use from now on.
        reproduce: existing ? undefined : response.exchange.curl?.replace(String(id), String(id + 1n)),
      }));
    }
  }
  if (probe.removalDatePassed) return;
  if (store.knownPets.isAmbiguous(victim.id)) return judgement.leaveTo('CREATE-04');
  const subject = 'whether the existing animal is untouched';
  if ((await store.got()).status !== 200) return judgement.leaveTo('GET-04', subject);
  const after = await probe.getCreated(victim.id);
  if (after.status !== 200 && after.status !== 404)
    return judgement.leaveOpen(`${subject}: getPet responded ${String(after)}`);
  await judgeUntouched(probe, { created: victim, before, after, by: 'a body with its `id`' }, attempts);
});

requirement('CREATE-15', { phase: 'last', notInQuick: 'it observes' }, async (probe) => {
  const { store, judgement, api, name } = probe;
  const { response: control } = await store.accepted();
  const { categoryId, status } = await probe.newPetOfOtherStatus();
  judgement.observe('`Location` on creation', control.header('Location') ?? 'none', control);
  const object = (own: string): object => ({ name: own, categoryId, status });
  const text = (names: string): string => `{${names},"categoryId":${categoryId},"status":"${status}"}`;
  const cases: Array<[subject: string, body: (name: string) => unknown, options?: CreateOptions]> = [
    ['`status` left out', (own) => ({ name: own, categoryId })],
    ['an additional property', (own) => ({ ...object(own), colour: 'brown' })],
    ['an empty name', () => object('')],
    ['a name of 300 characters', (own) => object(`${own} `.padEnd(300, 'x'))],
    ['a name of 10,000 characters', (own) => object(`${own} `.padEnd(10_000, 'x'))],
    ['a name with control characters', (own) => object(`${own} \u0007\u001b[1m\u0000`)],
    ['a name with a lone surrogate', (own) => text(`"name":"${own} \\ud800"`)],
    ['a name with outer space', (own) => object(` ${own} `)],
    ['a duplicate key', (own) => text(`"name":"${own} first","name":"${own} second"`)],
    ['no Content-Type', object, { contentType: null }],
    ['Content-Type text/plain', object, { contentType: 'text/plain' }],
    [
      'Content-Type application/json; charset=utf-8',
      object,
      { contentType: 'application/json; charset=utf-8' },
    ],
  ];
  await Promise.all(
    cases.map(async ([subject, bodyOf, options]) => {
      const own = name();
      const textOf = (as: string): string => {
        const sent = bodyOf(as);
        return typeof sent === 'string' ? sent : writeJson(sent);
      };
      const again = (): string => textOf(`${own} again`);
      const response = await api.createPetFrom(
        { text: textOf(own), again },
        { ...options, unspecified: true },
      );
      judgement.observe(subject, response.refusal ?? treatmentOf(subject, response), response);
    }),
  );
});

/** What the target made of a body that it accepted, as far as the case is about it. */
function treatmentOf(subject: string, { status, animal }: ApiResponse): string {
  if (!animal) return `${status ?? ''} without a Pet`;
  const { shown } = animal;
  if (subject.startsWith('`status`')) return `created with \`status\` ${valueText(shown.status)}`;
  if (subject.startsWith('an additional'))
    return 'colour' in shown ? 'created, the property is returned' : 'created, the property is dropped';
  const text = valueText(shown.name);
  return `created with \`name\` ${text.length > 60 ? `of ${text.length - 2} characters` : text}`;
}
