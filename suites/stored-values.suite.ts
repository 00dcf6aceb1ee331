import {
  int64Examples,
  int64Value,
  nameExamples,
  nameLengths,
  nameOfLength,
  petNameText,
} from '../lib/draw/values.js';
import { valueText } from '../lib/evidence/animal.js';
import type { Creations } from '../lib/evidence/requests.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { categoriesIn, unknownCategory } from '../lib/session/control-search.js';
import { count } from '../lib/explain/count.js';
import { NotApplicable } from '../lib/verdict/outcome.js';
import { requirement } from '../lib/verdict/requirement.js';
import { failed, note, open, type Check } from '../lib/verdict/check.js';
import { kept, showsPet } from '../lib/verdict/verbs.js';

/** The first integer that a double does not hold. */
const beyondDoubles = 2n ** 53n + 1n;

function categoryIn({ members }: Exchange): number {
  return Number(members.categoryId);
}

requirement('CREATE-12', {
  needs: 'createPet',
  kinds: ['animal', 'listing'],
  room: {
    quick: { examples: 2, drawn: 0, shrinks: 0 },
    standard: { examples: 5, drawn: 6, shrinks: 40 },
    thorough: { examples: 5, drawn: 60, shrinks: 40 },
  },
  async probe({ api, store, search, newPetOfOtherStatus }, room) {
    const isChecked = !(await unknownCategory(store)).isAccepted;
    // Of a target that checks categories only those can be tried that it shows.
    const listed = categoriesIn(await store.survey()).filter(
      (one) => one >= beyondDoubles || one <= -beyondDoubles,
    );
    const tried = isChecked
      ? { ...room, examples: [...listed.slice(0, 2), beyondDoubles], drawn: 0 }
      : { ...room, examples: int64Examples.slice(0, room.examples) };
    await search(int64Value, tried, async (categoryId) => {
      const { created } = await api.createPet({ ...(await newPetOfOtherStatus()), categoryId });
      return !created || valueText(created.shown.categoryId) === String(categoryId);
    });
  },
  *rule(evidence) {
    const { creations } = evidence;
    const isChecked = creations.checksCategories;
    const size = (one: Exchange): number => Math.abs(categoryIn(one));
    // Of several that are not kept the smallest is shown.
    const tried = creations.unusual('categoryId').toSorted((one, other) => size(one) - size(other));
    for (const one of tried) {
      const category = categoryIn(one);
      if (one.status === 400 && isChecked) continue;
      if (one.status === 400 && category <= 0)
        yield note(`A \`categoryId\` of ${category === 0 ? '0' : 'less than 0'} is refused with 400.`);
      else {
        const what = `\`categoryId\` ${valueText(one.members.categoryId)}`;
        yield* showsPet(one, what, creations.success, ['categoryId']);
      }
    }
    yield* kept(evidence, 'categoryId');
    if (creations.accepted.some((one) => size(one) >= Number(beyondDoubles))) return;
    if (isChecked)
      throw new NotApplicable(
        'the target refuses categories that it does not know, and accepts none beyond 2^53 of those that were tried',
      );
    if (tried.length === 0) yield open('no creation gave a category beyond 2^53');
  },
});

requirement('CREATE-13', {
  needs: 'createPet',
  kinds: ['animal', 'listing'],
  /** Names of each kind of text, and of lengths at which services cut them, the longest ones first. */
  room: {
    quick: { examples: 1, drawn: 0, shrinks: 0, lengths: 1 },
    standard: { examples: 8, drawn: 6, shrinks: 40, lengths: nameLengths.length },
    thorough: { examples: 8, drawn: 60, shrinks: 40, lengths: nameLengths.length },
  },
  async probe({ api, search, newPetOfOtherStatus }, room) {
    const create = async (nameOf: (own: string) => string): Promise<Exchange> => {
      const plain = await newPetOfOtherStatus();
      return api.createPet({ ...plain, name: nameOf(plain.name) });
    };
    let refused = 0;
    const examples = nameExamples.slice(0, room.examples);
    await Promise.all([
      search(petNameText, { ...room, examples }, async (text) => {
        const response = await create((own) => `${own} ${text}`);
        if (response.status === 400) refused = Math.max(refused, bytesIn(response));
        const isJudged = response.status !== 401 && response.parsed.ok;
        return !isJudged || response.created?.shown.name === response.nameSent;
      }),
      ...nameLengths.slice(-room.lengths).map((length) => create((own) => nameOfLength(own, length))),
    ]);
    // Whether the length in bytes is the reason.
    if (refused > 0) await create((own) => own.padEnd(refused, 'x'));
  },
  *rule(evidence) {
    const { creations } = evidence;
    const length = ({ nameSent = '' }: Exchange): number => nameSent.length;
    const texts = creations.unusual('name').toSorted((one, other) => length(one) - length(other));
    for (const one of texts)
      if (one.status === 400) yield refusedText(one, creations);
      else yield* showsPet(one, 'a name of Unicode text', creations.success, ['name']);
    for (const one of creations.longNames) {
      const { status = 0 } = one;
      const what = `a name of ${sizeOf(one)}`;
      // A service may refuse a name for its length, and must not change it.
      if (status >= 400 && status < 500 && status !== 401) yield note(`Refused with ${status}: ${what}.`);
      else yield* showsPet(one, what, creations.success, ['name']);
    }
    yield* kept(evidence, 'name');
    if (texts.length === 0) yield open('no creation gave a name of Unicode text');
  },
});

/** A text that is refused with 400 may be refused for its length in bytes, if no plain name of as many bytes was accepted. */
function refusedText(one: Exchange, creations: Creations): Check {
  const names = [...creations.plain, ...creations.unusual('name'), ...creations.longNames];
  const plain = names.filter(
    (other) => creations.hasKnownCategory(other) && /^[\w -]+$/.test(other.nameSent ?? ''),
  );
  const control = plain.find((other) => other.created && bytesIn(other) >= bytesIn(one));
  const tooLong = plain.find(({ status }) => status === 400);
  if (!control && tooLong) return note(`A name of ${sizeOf(tooLong)} is refused with 400, too.`);
  if (!control) return open('no plain name of as many bytes was accepted', 'CREATE-01');
  return failed([control, one], {
    message: 'a `name` of Unicode text is refused',
    expected: '201, as for a plain name of as many bytes',
    pointer: '/name',
  });
}

function bytesIn({ nameSent = '' }: Exchange): number {
  return Buffer.byteLength(nameSent);
}

function sizeOf(one: Exchange): string {
  return `${count(Array.from(one.nameSent ?? '').length, 'character')} (${count(bytesIn(one), 'byte')})`;
}
