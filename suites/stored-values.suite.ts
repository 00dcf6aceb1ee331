import { int64Examples, int64Value } from '../lib/draw/id-values.js';
import { nameExamples, nameLengths, nameOfLength, petNameText } from '../lib/draw/name-values.js';
import { smallestCounterexample } from '../lib/draw/search.js';
import type { OperationName } from '../lib/http/exchange/exchange.js';
import { requirement, type Probe } from '../lib/requirement/requirement.js';
import { alterationOf } from '../lib/session/alteration.js';
import { valueText } from '../lib/session/animal.js';
import type { ApiResponse } from '../lib/session/api-response.js';
import { bodySent, judgeKept } from '../lib/session/compare-pets.js';
import {
  createdAnimal,
  getCreated,
  isAccepted,
  judgeCreated,
  successStatuses,
} from '../lib/session/creation.js';
import type { NewPet } from '../lib/session/control-search.js';
import { fullPage } from '../lib/session/store.js';
import { count } from '../lib/usage/count.js';
import type { Judgement } from '../lib/verdict/judgement.js';
import { NotApplicable } from '../lib/verdict/outcome.js';

/** Whether a service keeps the values in a body exactly. */

/** The first integer that a double does not hold. */
const beyondDoubles = 2n ** 53n + 1n;
const isBeyondDoubles = (value: bigint): boolean => value >= beyondDoubles || value <= -beyondDoubles;

/** Creations with categories over the whole range, by the category. */
interface SentCategories {
  readonly responses: ReadonlyMap<bigint, ApiResponse>;
  /** The smallest one that came back as another one. */
  readonly counterexample: bigint | undefined;
  /** Whether the target refuses a small identifier that it is unlikely to know: it checks categories. */
  readonly checked: boolean;
}

/** Examples, drawn values, and requests that may make a counterexample small. */
interface ValuesRoom {
  readonly examples: number;
  readonly drawn: number;
  readonly shrinks: number;
}

async function sendCategories(probe: Probe, room: ValuesRoom): Promise<SentCategories> {
  return probe.store.once('categories', () => createCategories(probe, room));
}

async function createCategories(
  probe: Probe,
  { examples, drawn, shrinks }: ValuesRoom,
): Promise<SentCategories> {
  const { store, api, draw } = probe;
  const unknown = await store.unknownCategory();
  const checked = unknown.status === 400;
  const responses = new Map<bigint, ApiResponse>();
  // Of a target that checks categories only those can be tried that it shows.
  const listed = (await store.categories()).filter(isBeyondDoubles).slice(0, 2);
  const search = {
    seed: draw.seed(),
    runs: checked ? 0 : drawn,
    examples: checked ? [...listed, beyondDoubles] : int64Examples.slice(0, examples),
    shrinkBudget: () => probe.shrinkBudget(shrinks),
  };
  const found = await smallestCounterexample(int64Value, search, async (categoryId) => {
    const response = await api.createPet({ ...(await probe.newPetOfOtherStatus()), categoryId });
    responses.set(categoryId, response);
    const animal = createdAnimal(response);
    return !animal || digits(animal.shown.categoryId) === String(categoryId);
  });
  return { responses, counterexample: found?.value, checked };
}

const leftByCreate12 = {
  'PET-01': 'a string of digits is not an integer',
  'MEDIA-01': 'the response is not JSON in UTF-8',
} as const;
const create12 = {
  phase: 'whole run' as const,
  sends: sendCategories,
  leavesTo: leftByCreate12,
  room: {
    quick: { examples: 2, drawn: 0, shrinks: 0 },
    standard: { examples: 5, drawn: 6, shrinks: 40 },
    thorough: { examples: 5, drawn: 60, shrinks: 40 },
  },
};

requirement('CREATE-12', create12, async (probe, room) => {
  const { judgement, store } = probe;
  const control = await store.accepted();
  const success = successStatuses(control.response);
  const { responses, counterexample, checked } = await sendCategories(probe, room);
  if (!checked) judgement.status(await store.unknownCategory(), success, 'a small `categoryId`');
  const wrong = counterexample === undefined ? undefined : responses.get(counterexample);
  if (wrong)
    judgement.fail(wrong, {
      message: notKept('categoryId', counterexample, wrong.animal?.shown.categoryId),
      expected: String(counterexample),
      received: valueText(wrong.animal?.shown.categoryId),
      pointer: '/categoryId',
    });
  const accepted = [...responses].filter(([, { status }]) => isAccepted(status)).map(([value]) => value);
  for (const [value, response] of responses) {
    if (wrong || (checked && response.status === 400)) continue;
    if (response.status === 400 && value <= 0n)
      judgement.note(`A \`categoryId\` of ${value === 0n ? '0' : 'less than 0'} is refused with 400.`);
    else if (isUnreadable(response)) judgement.leaveTo('MEDIA-01', `\`categoryId\` ${value}`);
    else judgeCreated(judgement, response, `\`categoryId\` ${value}`, success);
  }
  await showAgain(probe, ({ categoryId }) => typeof categoryId === 'bigint');
  judgeKept(probe, 'categoryId', (shown) => ['number', 'bigint'].includes(typeof shown));
  if (
    checked &&
    judgement.findings.length === 0 &&
    ![control.body.categoryId, ...accepted].some(isBeyondDoubles)
  )
    throw new NotApplicable(
      'the target refuses categories that it does not know, and accepts none beyond 2^53 of those that were tried',
    );
});

function digits(value: unknown): string {
  return typeof value === 'string' ? value : valueText(value);
}

/** A run of a requirement alone has not requested again what it created. */
async function showAgain(
  probe: Probe,
  fits: (sent: Readonly<Record<string, unknown>>) => boolean,
): Promise<void> {
  const { store, exchanges, api, facts } = probe;
  const own = store.knownPets.listable().find(({ exchange }) => fits(bodySent(exchange)));
  if (!own) return;
  const shows = (operation: OperationName): boolean =>
    exchanges.some((one) => one.operation === operation && one.response?.status === 200);
  if (!shows('getPet') && !facts.removalDatePassed) await getCreated(probe, own.animal.id);
  if (!shows('listPets') || store.knownPets.countListed() === 0) await api.listPets([['limit', fullPage]]);
}

/** A name that was sent, and the response to its creation. */
interface SentName {
  readonly name: string;
  readonly response: ApiResponse;
}

interface SentNames {
  /** Text of each kind, and the smallest one that did not come back. */
  readonly texts: readonly SentName[];
  readonly counterexample: SentName | undefined;
  /** Names of lengths at which services cut them; a service may refuse them. */
  readonly lengths: readonly SentName[];
}

/** The same of texts, and the lengths that are tried, the longest ones first. */
interface NamesRoom extends ValuesRoom {
  readonly lengths: number;
}

async function sendNames(probe: Probe, room: NamesRoom): Promise<SentNames> {
  return probe.store.once('names', () => createNames(probe, room));
}

async function createNames(
  probe: Probe,
  { examples, drawn, shrinks, lengths: mostLengths }: NamesRoom,
): Promise<SentNames> {
  const { api, draw } = probe;
  const create = async (nameOf: (own: string) => string, unspecified: boolean): Promise<SentName> => {
    const plain = await probe.newPetOfOtherStatus();
    const response = await api.createPet({ ...plain, name: nameOf(plain.name) }, { unspecified });
    // A body that was sent again has another name.
    return { name: (response.sent as NewPet).name, response };
  };
  const sent = new Map<string, SentName>();
  const search = {
    seed: draw.seed(),
    runs: drawn,
    examples: nameExamples.slice(0, examples),
    shrinkBudget: () => probe.shrinkBudget(shrinks),
  };
  const [found, lengths] = await Promise.all([
    smallestCounterexample(petNameText, search, async (text) => {
      const attempt = await create((own) => `${own} ${text}`, false);
      sent.set(text, attempt);
      const { name, response } = attempt;
      if (response.broken !== undefined || response.status === 401 || !response.parsed.ok) return true;
      return createdAnimal(response)?.shown.name === name;
    }),
    Promise.all(
      nameLengths.slice(-mostLengths).map((length) => create((own) => nameOfLength(own, length), true)),
    ),
  ]);
  return { texts: [...sent.values()], counterexample: found && sent.get(found.value), lengths };
}

const leftByCreate13 = { 'MEDIA-01': 'the response is not JSON in UTF-8' } as const;
const create13 = {
  phase: 'whole run' as const,
  sends: sendNames,
  leavesTo: leftByCreate13,
  room: {
    quick: { examples: 1, drawn: 0, shrinks: 0, lengths: 1 },
    standard: { examples: 8, drawn: 6, shrinks: 40, lengths: nameLengths.length },
    thorough: { examples: 8, drawn: 60, shrinks: 40, lengths: nameLengths.length },
  },
};

requirement('CREATE-13', create13, async (probe, room) => {
  const { judgement, store } = probe;
  const success = successStatuses((await store.accepted()).response);
  const { texts, counterexample, lengths } = await sendNames(probe, room);
  await judgeTexts(probe, texts, counterexample);
  for (const { name, response } of lengths) {
    const { status = 0 } = response;
    const long = `a name of ${sizeOf(name)}`;
    if (status >= 400 && status < 500 && status !== 401) {
      judgement.note(`Refused with ${status}: ${long}.`);
      continue;
    }
    if (!isCreated(judgement, response, long, success)) continue;
    const received = response.animal?.shown.name;
    judgement.check(received === name, response, () => ({
      message: `${long} is not kept exactly`,
      expected: ending(name),
      received:
        typeof received === 'string' ? `${sizeOf(received)}, ${ending(received)}` : valueText(received),
      pointer: '/name',
    }));
  }
  await showAgain(probe, ({ name }) => typeof name === 'string');
  judgeKept(probe, 'name', (shown) => typeof shown === 'string');
});

/** Whether a creation succeeded with a body that is not JSON in UTF-8, as its name may bring about. */
function isUnreadable({ status, parsed, exchange }: ApiResponse): boolean {
  return isAccepted(status) && !parsed.ok && exchange.response?.body.bytes !== 0;
}

/** Checks that a creation succeeded with a body that can be read. */
function isCreated(
  judgement: Judgement,
  response: ApiResponse,
  what: string,
  success: readonly number[],
): boolean {
  if (!judgement.status(response, success, what)) return false;
  if (isUnreadable(response)) judgement.leaveTo('MEDIA-01', what);
  return response.animal !== undefined;
}

/** Checks that each text comes back. One that is refused with 400 may be refused for its length in bytes. */
async function judgeTexts(
  probe: Probe,
  texts: readonly SentName[],
  counterexample: SentName | undefined,
): Promise<void> {
  const { judgement, store, api } = probe;
  const success = successStatuses((await store.accepted()).response);
  const created = texts.filter(
    ({ response }) =>
      response.status === 400 || isCreated(judgement, response, 'a name of Unicode text', success),
  );
  const changed = created.filter(({ name, response: { animal } }) => animal && animal.shown.name !== name);
  const first = changed.find((one) => one === counterexample) ?? changed[0];
  if (first)
    judgement.fail(first.response, {
      message: notKept('name', first.name, first.response.animal?.shown.name),
      expected: valueText(first.name),
      received: valueText(first.response.animal?.shown.name),
      pointer: '/name',
    });
  const [refused] = created
    .filter(({ response }) => response.status === 400)
    .sort((a, b) => Buffer.byteLength(a.name) - Buffer.byteLength(b.name));
  if (!refused) return;
  const body = await probe.newPetOfOtherStatus();
  const plain = body.name.padEnd(Buffer.byteLength(refused.name), 'x');
  const control = await api.createPet({ ...body, name: plain });
  if (control.status === 400) return judgement.note(`A name of ${sizeOf(plain)} is refused with 400, too.`);
  judgement.check(!isAccepted(control.status), [control, refused.response], () => ({
    message: 'a `name` of Unicode text is refused',
    expected: '201, as for a plain name of as many bytes',
    received: String(refused.response),
    pointer: '/name',
  }));
}

function notKept(field: string, sent: unknown, shown: unknown): string {
  const alteration = alterationOf(sent, shown);
  return `\`${field}\` ${alteration === undefined ? 'is not kept exactly' : `comes back ${alteration}`}`;
}

function sizeOf(name: string): string {
  return `${count(Array.from(name).length, 'character')} (${count(Buffer.byteLength(name), 'byte')})`;
}

/** The end of a long name, where it is cut. */
function ending(name: string): string {
  return `ending in ${valueText(Array.from(name).slice(-8).join(''))}`;
}
