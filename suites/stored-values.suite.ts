import { int64Examples, int64Value } from '../lib/draw/id-values.js';
import { nameExamples, nameLengths, nameOfLength, petNameText } from '../lib/draw/name-values.js';
import { smallestCounterexample } from '../lib/draw/search.js';
import type { OperationName } from '../lib/evidence/recorded-exchange.js';
import { requirement, type Probe } from '../lib/verdict/requirement.js';
import { alterationOf } from '../lib/verdict/alteration.js';
import { valueText } from '../lib/evidence/animal.js';
import { createdAnimal, isAccepted, type Exchange } from '../lib/evidence/exchange.js';
import { getCreated } from '../lib/session/creation.js';
import { fullPage } from '../lib/specification/page-size.js';
import { count } from '../lib/explain/count.js';
import { check, failed, left, note, open, passed, type Checks } from '../lib/verdict/check.js';
import { created, kept } from '../lib/verdict/creation-checks.js';
import { NotApplicable } from '../lib/verdict/outcome.js';

/** Whether a service keeps the values in a body exactly. */

/** Examples, drawn values, and requests that may make a counterexample small. */
interface ValuesRoom {
  readonly examples: number;
  readonly drawn: number;
  readonly shrinks: number;
}

/** The first integer that a double does not hold. */
const beyondDoubles = 2n ** 53n + 1n;

/** Creations with categories over the whole range. */
async function sendCategories(probe: Probe, { examples, drawn, shrinks }: ValuesRoom): Promise<unknown> {
  const { store, api, draw } = probe;
  return store.once('categories', async () => {
    const isChecked = (await store.unknownCategory()).status === 400;
    // Of a target that checks categories only those can be tried that it shows.
    const listed = (await store.categories())
      .filter((one) => one >= beyondDoubles || one <= -beyondDoubles)
      .slice(0, 2);
    const search = {
      seed: draw.seed(),
      runs: isChecked ? 0 : drawn,
      examples: isChecked ? [...listed, beyondDoubles] : int64Examples.slice(0, examples),
      shrinkBudget: () => probe.shrinkBudget(shrinks),
    };
    return smallestCounterexample(int64Value, search, async (categoryId) => {
      const response = await api.createPet({ ...(await probe.newPetOfOtherStatus()), categoryId });
      return !createdAnimal(response) || keepsCategory(response);
    });
  });
}

/** Digits in quotes are the same value in another type, which is for others to judge. */
function keepsCategory({ members, animal }: Exchange): boolean {
  const shown = animal?.shown.categoryId;
  return (typeof shown === 'string' ? shown : valueText(shown)) === valueText(members.categoryId);
}

const noneAccepted = 'no valid body was accepted in this run';
const unreadable = { 'MEDIA-01': 'the response is not JSON in UTF-8' } as const;

requirement('CREATE-12', {
  phase: 'whole run',
  sends: sendCategories,
  leavesTo: unreadable,
  room: {
    quick: { examples: 2, drawn: 0, shrinks: 0 },
    standard: { examples: 5, drawn: 6, shrinks: 40 },
    thorough: { examples: 5, drawn: 60, shrinks: 40 },
  },
  async probe(probe, room) {
    await sendCategories(probe, room);
    await showAgain(probe);
  },
  *rule(evidence) {
    const { creations } = evidence;
    if (creations.accepted.length === 0) return void (yield open(noneAccepted, 'CREATE-01'));
    const isChecked = creations.checksCategories;
    const categoryOf = ({ members }: Exchange): number => Number(members.categoryId);
    // Of several that are not kept the smallest is shown.
    const size = (one: Exchange): number => Math.abs(categoryOf(one));
    const tried = creations.unusual('categoryId').toSorted((one, other) => size(one) - size(other));
    for (const one of tried) {
      const category = categoryOf(one);
      const what = `\`categoryId\` ${valueText(one.members.categoryId)}`;
      if (one.status === 400 && isChecked) continue;
      if (one.status === 400 && category <= 0)
        yield note(`A \`categoryId\` of ${category === 0 ? '0' : 'less than 0'} is refused with 400.`);
      else {
        yield* createdReadably(one, what, creations.success);
        yield* keptInCreation(one, 'categoryId', keepsCategory(one));
      }
    }
    yield* kept(evidence, 'categoryId', (shown) => ['number', 'bigint'].includes(typeof shown));
    if (creations.accepted.some((one) => size(one) >= Number(beyondDoubles))) return;
    if (isChecked)
      throw new NotApplicable(
        'the target refuses categories that it does not know, and accepts none beyond 2^53 of those that were tried',
      );
    if (tried.length === 0) yield open('no creation gave a category beyond 2^53');
  },
});

/** Checks that a creation succeeded with a body that can be read, which what was sent may prevent. */
function* createdReadably(one: Exchange, what: string, success: readonly number[]): Checks {
  const { status, parsed, response } = one;
  if (isAccepted(status) && !parsed.ok && response?.body.bytes !== 0) yield left('MEDIA-01', what);
  else yield* created(one, what, success);
}

function* keptInCreation(one: Exchange, field: 'name' | 'categoryId', isKept: boolean): Checks {
  const animal = createdAnimal(one);
  if (!animal) return;
  const [sent, shown] = [one.members[field], animal.shown[field]];
  const alteration = alterationOf(sent, shown);
  yield check(isKept, one, () => ({
    message: `\`${field}\` ${alteration === undefined ? 'is not kept exactly' : `comes back ${alteration}`}`,
    expected: valueText(sent),
    received: valueText(shown),
    pointer: `/${field}`,
  }));
}

/** A run of a requirement alone has not requested again what it created. */
async function showAgain(probe: Probe): Promise<void> {
  const { store, exchanges, api, facts } = probe;
  const { animal } = await store.accepted();
  const shows = (operation: OperationName): boolean =>
    exchanges.some((one) => one.operation === operation && one.response?.status === 200);
  if (!shows('getPet') && !facts.removalDatePassed) await getCreated(probe, animal.id);
  if (!shows('listPets') || store.knownPets.countListed() === 0) await api.listPets([['limit', fullPage]]);
}

/** The same of texts, and the lengths that are tried, the longest ones first. */
interface NamesRoom extends ValuesRoom {
  readonly lengths: number;
}

/** Names of each kind of text, and of lengths at which services cut them. */
async function sendNames(probe: Probe, room: NamesRoom): Promise<unknown> {
  const { api, draw } = probe;
  const create = async (nameOf: (own: string) => string, unspecified: boolean): Promise<Exchange> => {
    const plain = await probe.newPetOfOtherStatus();
    return api.createPet({ ...plain, name: nameOf(plain.name) }, { unspecified });
  };
  return probe.store.once('names', async () => {
    const search = {
      seed: draw.seed(),
      runs: room.drawn,
      examples: nameExamples.slice(0, room.examples),
      shrinkBudget: () => probe.shrinkBudget(room.shrinks),
    };
    let refused = 0;
    await Promise.all([
      smallestCounterexample(petNameText, search, async (text) => {
        const response = await create((own) => `${own} ${text}`, false);
        if (response.broken !== undefined || response.status === 401 || !response.parsed.ok) return true;
        if (response.status === 400) refused = Math.max(refused, bytesOf(nameIn(response)));
        // A body that was sent again has another name.
        return createdAnimal(response)?.shown.name === nameIn(response);
      }),
      ...nameLengths.slice(-room.lengths).map((length) => create((own) => nameOfLength(own, length), true)),
    ]);
    // Whether the length in bytes is the reason.
    if (refused > 0) await create((own) => own.padEnd(refused, 'x'), false);
  });
}

function nameIn({ members }: Exchange): string {
  return String(members.name);
}

requirement('CREATE-13', {
  phase: 'whole run',
  sends: sendNames,
  leavesTo: unreadable,
  room: {
    quick: { examples: 1, drawn: 0, shrinks: 0, lengths: 1 },
    standard: { examples: 8, drawn: 6, shrinks: 40, lengths: nameLengths.length },
    thorough: { examples: 8, drawn: 60, shrinks: 40, lengths: nameLengths.length },
  },
  async probe(probe, room) {
    await sendNames(probe, room);
    await showAgain(probe);
  },
  *rule(evidence) {
    const { creations } = evidence;
    if (creations.accepted.length === 0) return void (yield open(noneAccepted, 'CREATE-01'));
    const texts = creations
      .unusual('name')
      .toSorted((one, other) => nameIn(one).length - nameIn(other).length);
    const plain = creations.all.filter((one) => /^[\w -]+$/.test(nameIn(one)));
    for (const one of texts) {
      if (one.status === 400) yield* refusedText(one, plain);
      else {
        yield* createdReadably(one, 'a name of Unicode text', creations.success);
        yield* keptInCreation(one, 'name', createdAnimal(one)?.shown.name === nameIn(one));
      }
    }
    for (const one of creations.longNames) yield* longName(one, creations.success);
    yield* kept(evidence, 'name', (shown) => typeof shown === 'string');
    if (texts.length === 0) yield open('no creation gave a name of Unicode text');
  },
});

/** A text that is refused with 400 may be refused for its length in bytes, as a plain name of that length is, too. */
function* refusedText(one: Exchange, plain: readonly Exchange[]): Checks {
  const size = bytesOf(nameIn(one));
  const tooLong = plain.find((other) => other.status === 400 && nameIn(other).length <= size);
  const control = plain.find((other) => createdAnimal(other) && nameIn(other).length >= size);
  if (tooLong) yield note(`A name of ${sizeOf(nameIn(tooLong))} is refused with 400, too.`);
  else if (!control) yield open('no plain name of as many bytes was accepted', 'CREATE-01');
  else
    yield failed([control, one], {
      message: 'a `name` of Unicode text is refused',
      expected: '201, as for a plain name of as many bytes',
      received: String(one),
      pointer: '/name',
    });
}

/** A service may refuse a name for its length, and must not change it. */
function* longName(one: Exchange, success: readonly number[]): Checks {
  const { status = 0 } = one;
  const name = nameIn(one);
  const long = `a name of ${sizeOf(name)}`;
  if (status >= 400 && status < 500 && status !== 401)
    return void (yield note(`Refused with ${status}: ${long}.`));
  yield* createdReadably(one, long, success);
  const animal = createdAnimal(one);
  if (!animal) return;
  const shown = animal.shown.name;
  if (shown === name) return void (yield passed);
  yield failed(one, {
    message: `${long} is not kept exactly`,
    expected: ending(name),
    received: typeof shown === 'string' ? `${sizeOf(shown)}, ${ending(shown)}` : valueText(shown),
    pointer: '/name',
  });
}

const bytesOf = (name: string): number => Buffer.byteLength(name);

function sizeOf(name: string): string {
  return `${count(Array.from(name).length, 'character')} (${count(bytesOf(name), 'byte')})`;
}

/** The end of a long name, where it is cut. */
function ending(name: string): string {
  return `ending in ${valueText(Array.from(name).slice(-8).join(''))}`;
}
