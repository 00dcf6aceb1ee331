import * as fc from 'fast-check';
import { mostInt64, unlikelyIdentifier } from '../lib/draw/id-values.js';
import { hasErrorBody } from '../lib/verdict/body-check.js';
import { answers, failed, note, observed, unanswered } from '../lib/verdict/check.js';
import { notInQuick } from '../lib/verdict/profile.js';
import { beforeRemoval, requirement, type Probe } from '../lib/verdict/requirement.js';

/** Identifiers that no animal has, or that are none. */

/** Identifiers that no animal of the run has, and that services confuse with existing ones, or with none: the likeliest first. */
function unknownIdentifiers({ store: { pets }, draw }: Probe, id: string, most: number): bigint[] {
  const existing = BigInt(id);
  // In 32 bits the same as an existing one.
  const truncated = existing + 2n ** 32n > mostInt64 ? existing - 2n ** 32n : existing + 2n ** 32n;
  const small = draw.one(fc.bigInt({ min: 1_000n, max: 99_999n }));
  // Every second one is negative: an int64 all the same. A service may have given the highest to an animal.
  const drawn = draw.some(unlikelyIdentifier, most).map((one, index) => (index % 2 === 0 ? -one : one));
  const unknown = [mostInt64, truncated, ...drawn.slice(0, 1), 0n, -1n, small, ...drawn.slice(1)];
  return unknown.filter((one) => !pets.ids.has(String(one))).slice(0, most);
}

requirement('GET-02', {
  needs: 'getPet',
  exempt: beforeRemoval,
  room: { quick: 2, standard: 6, thorough: 25 },
  async probe(probe, most) {
    const { api, store } = probe;
    const unknown = unknownIdentifiers(probe, (await store.animal()).id, most);
    await Promise.all(unknown.map(async (id) => api.getPet(id)));
  },
  *rule({ fetches, pets }) {
    const unknown = fetches.specified.filter(({ petId }) => !pets.ids.has(petId));
    const found = unknown.filter(({ status, animal, petId }) => status === 200 && animal?.id === petId);
    // Somebody else's animal may have one of the identifiers, but hardly each.
    const isMade = found.length > 1 && found.length === unknown.length;
    for (const one of unknown) {
      const { petId } = one;
      const what = `\`petId\` ${petId}, which no animal has`;
      if (!isMade && found.includes(one))
        yield note(`There is an animal ${petId}, which this run has not created: it was passed over.`);
      else yield answers(one, 404, what);
    }
  },
});

/** Texts that are not integers, the likeliest to be taken for one first. */
function notIntegers(id: string): string[] {
  // In 64 bits, 2^64 more than an existing identifier is the same: arithmetic that overflows finds the animal.
  const overflowing = String(BigInt(id) + 2n ** 64n);
  const likely = [
    `${id}abc`,
    'abc',
    overflowing,
    'constructor',
    '__proto__',
    `${id}.5`,
    String(mostInt64 + 1n),
  ];
  return [...likely, `${id}e0x`, 'null', 'toString', 'NaN', 'Infinity'];
}

requirement('GET-03', {
  needs: 'getPet',
  exempt: beforeRemoval,
  room: { quick: 1, standard: 7, thorough: 12 },
  async probe({ api, store }, most) {
    const texts = notIntegers((await store.animal()).id).slice(0, most);
    await Promise.all(texts.map((petId) => api.getPet(petId)));
  },
  *rule({ fetches }) {
    for (const one of fetches.faultyOnlyBy('petId')) {
      const what = `\`petId\` ${one.petId}`;
      const { status = 0, failure } = one;
      const isRefused = status >= 400 && status < 500 && failure === undefined;
      const finding = isRefused
        ? hasErrorBody(one)
        : failed(one, {
            message: `${what} is not refused with a 4xx`,
            expected: 'a 4xx status with an Error body',
            fact: { kind: 'status', expected: [400, 404] },
          });
      yield unanswered(one, what) ?? finding;
    }
  },
});

requirement('GET-06', {
  phase: 'unspecified',
  room: notInQuick('it observes'),
  exempt: beforeRemoval,
  async probe({ api, store }) {
    // A leading zero that makes an identifier octal names another one, or none.
    const ids = [...store.pets.created.keys()];
    const isOctal = (one: string): boolean => /^[1-7][0-7]+$/.test(one);
    const id = ids.find(isOctal) ?? ids.find((one) => /[89]/.test(one)) ?? (await store.animal()).id;
    const [sign, digits] = id.startsWith('-') ? ['-', id.slice(1)] : ['', id];
    const spellings = [`${id}.0`, `${id}%20`, sign === '' ? `+${id}` : id, `${sign}0${digits}`];
    await Promise.all(spellings.map((petId) => api.getPet(petId)));
  },
  *rule({ fetches, pets }) {
    for (const one of fetches.unspecifiedOnlyBy('petId spelling')) {
      const { petId, animal, status, refusal } = one;
      const id = String(BigInt(/[+-]?\d+/.exec(petId.replaceAll(/%20|\+/g, ''))?.[0] ?? 0));
      if (!pets.ids.has(id)) continue;
      const other = animal ? `finds another animal, ${animal.id}` : `${status ?? ''} without a Pet`;
      const found = animal?.id === id ? 'finds the animal' : other;
      yield observed(`\`petId\` ${petId} for ${id}`, refusal ?? found, one);
    }
  },
});
