import * as fc from 'fast-check';
import { int64Examples, int64Value } from '../lib/draw/id-values.js';
import { nameExamples, petNameText } from '../lib/draw/name-values.js';
import { smallestCounterexample } from '../lib/draw/search.js';
import { animalOf, valueText } from '../lib/session/animal.js';
import { createdAnimal, isTaken, successStatuses } from '../lib/session/creation.js';
import type { Probe } from '../lib/session/probe.js';
import type { ApiResponse } from '../lib/verdict/api-response.js';
import { requirement } from '../lib/requirement/requirement.js';

type Sent = Readonly<Record<string, unknown>>;

requirement('CREATE-12', async (probe) => {
  const { judgement, store, api, draw, depth } = probe;
  const success = successStatuses((await store.accepted()).response);
  const responses = new Map<string, ApiResponse>();
  const refused: ApiResponse[] = [];
  // Quick spends no more on a target that knows its categories. What a target without such a rule takes here fills a
  // store that is to be filled anyway.
  if (probe.profile === 'quick' && (await unheardOf(probe)).status === 400)
    return judgement.leaveOpen(knowsItsCategories);
  const found = await smallestCounterexample(
    int64Value,
    {
      seed: draw.seed(),
      runs: depth({ quick: 0, standard: 6, thorough: 60 }),
      examples: int64Examples.slice(0, depth({ quick: 4, standard: 5, thorough: 5 })),
      shrinkBudget: probe.shrinkBudget,
    },
    async (categoryId) => {
      const response = await api.createPet({ ...(await store.plainBody('CREATE-12')), categoryId });
      responses.set(String(categoryId), response);
      if (response.status === 400) refused.push(response);
      const animal = createdAnimal(response);
      return !animal || digits(animal.shown.categoryId) === String(categoryId);
    },
  );
  if (found) {
    const response = responses.get(String(found.value));
    const received = response && animalOf(response.json)?.shown.categoryId;
    judgement.check(
      false,
      {
        message: '`categoryId` is not kept exactly',
        expected: String(found.value),
        received: valueText(received),
        pointer: '/categoryId',
      },
      ...(response ? [response] : []),
    );
    return;
  }
  for (const response of responses.values()) {
    if (response.status !== 400 && judgement.status(response, success, 'an int64 `categoryId`'))
      judgement.check(
        animalOf(response.json) !== undefined,
        { message: 'the created Pet has no `id`' },
        response,
      );
  }
  if (refused.length > 0) await judgeRefusedCategories(probe, refused);
});

/** The digits of an integer; a string of digits is no integer, which is PET-01's to say, but has them too. */
function digits(value: unknown): string {
  return typeof value === 'string' ? value : valueText(value);
}

/**
 * A target that knows its categories may refuse others with 400. Whether it does is told by a small identifier that
 * nothing sets apart: taken, it knows no such rule, and refusing large ones is a loss of range.
 */
async function judgeRefusedCategories(probe: Probe, refused: readonly ApiResponse[]): Promise<void> {
  const { judgement } = probe;
  const control = await unheardOf(probe);
  if (!isTaken(control.status)) return judgement.leaveOpen(knowsItsCategories);
  for (const response of refused) {
    judgement.check(
      false,
      {
        message: 'an int64 `categoryId` is refused',
        expected: '201',
        received: String(response),
        pointer: '/categoryId',
      },
      control,
      response,
    );
  }
}

const knowsItsCategories =
  'the target refuses categories that it does not know, so that no other value of int64 can be tried';

/** A creation with a small `categoryId` that it is unlikely to have heard of, where it knows its categories. */
async function unheardOf({ store, api, draw }: Probe): Promise<ApiResponse> {
  return store.once('unheard-of category', async () => {
    const categoryId = draw.one(fc.bigInt({ min: 20_000n, max: 2_000_000n }));
    return api.createPet({ ...(await store.plainBody('CREATE-12')), categoryId });
  });
}

requirement('CREATE-13', async (probe) => {
  const { judgement, store, api, draw, depth } = probe;
  const success = successStatuses((await store.accepted()).response);
  const responses = new Map<string, ApiResponse>();
  const found = await smallestCounterexample(
    petNameText,
    {
      seed: draw.seed(),
      runs: depth({ quick: 0, standard: 6, thorough: 60 }),
      examples: nameExamples.slice(0, depth({ quick: 4, standard: 6, thorough: 6 })),
      shrinkBudget: probe.shrinkBudget,
    },
    async (text) => {
      const body = await store.plainBody('CREATE-13');
      const response = await api.createPet({ ...body, name: `${body.name} ${text}` });
      responses.set(text, response);
      const { name: sent } = response.sent as Sent;
      const animal = createdAnimal(response);
      if (response.broken !== undefined) return true;
      return response.status === 401 || (animal !== undefined && animal.shown.name === sent);
    },
  );
  if (!found) {
    for (const response of responses.values()) judgement.status(response, success, 'a name of Unicode text');
    return;
  }
  const response = responses.get(found.value);
  if (!response) throw new Error('a counterexample was asked');
  const animal = createdAnimal(response);
  const control = animal ? undefined : await plainControl(probe);
  if (control && !isTaken(control.status)) {
    judgement.leaveOpen(`the same body with a plain name was not taken either: ${String(control)}`);
    return;
  }
  judgement.check(
    false,
    {
      message: animal ? '`name` is not kept exactly' : 'a `name` of Unicode text is refused',
      expected: valueText((response.sent as Sent).name),
      received: animal ? valueText(animal.shown.name) : String(response),
      pointer: '/name',
    },
    ...(control ? [control] : []),
    response,
  );
});

/** The body of these rows as it is, under a name that nobody refuses. */
async function plainControl({ store, api }: Probe): Promise<ApiResponse> {
  return store.once('plain body', async () => api.createPet(await store.plainBody('CREATE-13')));
}
