import * as fc from 'fast-check';
import { int64Examples, int64Value } from '../lib/draw/integers.js';
import { nameExamples, petNameText } from '../lib/draw/names.js';
import { smallestCounterexample } from '../lib/draw/search.js';
import { animalOf, valueText } from '../lib/session/animal.js';
import { createdAnimal, isTaken, successStatuses } from '../lib/session/creation.js';
import type { Probe } from '../lib/session/probe.js';
import type { Answer } from '../lib/verdict/answer.js';
import { requirement } from '../lib/requirement/requirement.js';

type Sent = Readonly<Record<string, unknown>>;

requirement('CREATE-12', async (probe) => {
  const { judgement, store, api, draw, depth } = probe;
  const success = successStatuses((await store.accepted()).answer);
  const answers = new Map<string, Answer>();
  const refused: Answer[] = [];
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
      const answer = await api.createPet({ ...(await store.plainBody('CREATE-12')), categoryId });
      answers.set(String(categoryId), answer);
      if (answer.status === 400) refused.push(answer);
      const animal = createdAnimal(answer);
      return !animal || digits(animal.shown.categoryId) === String(categoryId);
    },
  );
  if (found) {
    const answer = answers.get(String(found.value));
    const received = answer && animalOf(answer.json)?.shown.categoryId;
    judgement.check(
      false,
      {
        message: '`categoryId` is not kept exactly',
        expected: String(found.value),
        received: valueText(received),
        pointer: '/categoryId',
      },
      ...(answer ? [answer] : []),
    );
    return;
  }
  for (const answer of answers.values()) {
    if (answer.status !== 400 && judgement.status(answer, success, 'an int64 `categoryId`'))
      judgement.check(
        animalOf(answer.json) !== undefined,
        { message: 'the created Pet has no `id`' },
        answer,
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
async function judgeRefusedCategories(probe: Probe, refused: readonly Answer[]): Promise<void> {
  const { judgement } = probe;
  const control = await unheardOf(probe);
  if (!isTaken(control.status)) return judgement.leaveOpen(knowsItsCategories);
  for (const answer of refused) {
    judgement.check(
      false,
      {
        message: 'an int64 `categoryId` is refused',
        expected: '201',
        received: String(answer),
        pointer: '/categoryId',
      },
      control,
      answer,
    );
  }
}

const knowsItsCategories =
  'the target refuses categories that it does not know, so that no other value of int64 can be tried';

/** A creation with a small `categoryId` that it is unlikely to have heard of, where it knows its categories. */
async function unheardOf({ store, api, draw }: Probe): Promise<Answer> {
  return store.once('unheard-of category', async () => {
    const categoryId = draw.one(fc.bigInt({ min: 20_000n, max: 2_000_000n }));
    return api.createPet({ ...(await store.plainBody('CREATE-12')), categoryId });
  });
}

requirement('CREATE-13', async (probe) => {
  const { judgement, store, api, draw, depth } = probe;
  const success = successStatuses((await store.accepted()).answer);
  const answers = new Map<string, Answer>();
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
      const answer = await api.createPet({ ...body, name: `${body.name} ${text}` });
      answers.set(text, answer);
      const { name: sent } = answer.sent as Sent;
      const animal = createdAnimal(answer);
      if (answer.broken !== undefined) return true;
      return answer.status === 401 || (animal !== undefined && animal.shown.name === sent);
    },
  );
  if (!found) {
    for (const answer of answers.values()) judgement.status(answer, success, 'a name of Unicode text');
    return;
  }
  const answer = answers.get(found.value);
  if (!answer) throw new Error('a counterexample was asked');
  const animal = createdAnimal(answer);
  const control = animal ? undefined : await plainControl(probe);
  if (control && !isTaken(control.status)) {
    judgement.leaveOpen(`the same body with a plain name was not taken either: ${String(control)}`);
    return;
  }
  judgement.check(
    false,
    {
      message: animal ? '`name` is not kept exactly' : 'a `name` of Unicode text is refused',
      expected: valueText((answer.sent as Sent).name),
      received: animal ? valueText(animal.shown.name) : String(answer),
      pointer: '/name',
    },
    ...(control ? [control] : []),
    answer,
  );
});

/** The body of these rows as it is, under a name that nobody refuses. */
async function plainControl({ store, api }: Probe): Promise<Answer> {
  return store.once('plain body', async () => api.createPet(await store.plainBody('CREATE-13')));
}
