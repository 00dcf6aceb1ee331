import { LosslessNumber, parse } from 'lossless-json';
import type { Service } from '../behaviour.js';
import { withBehaviour, withAnimals, withResponses } from '../changes.js';
import { withoutHeader } from '../http-message.js';
import type { NewPet } from '../operations/animal.js';
import { isJsonObject, type JsonObject } from '../operations/pet-body.js';
import { Refusal } from '../operations/refused-request.js';
import { combineOptions } from '../options.js';
import { manyAnimals } from './listing-variants.js';
import type { Variant } from './variant.js';

/** Refuses valid bodies that the specification lets a service refuse. */
function refusing(
  matches: (newPet: NewPet, body: JsonObject, service: Service) => boolean,
  status: 400 | 409 | 422 = 400,
): Variant['options'] {
  return withBehaviour(({ createPet }) => ({
    createPet(request, service) {
      const { behaviour } = service;
      const body = behaviour.parseBody(behaviour.readBodyText(request));
      const newPet = behaviour.readNewPet(body, service);
      if (!isJsonObject(body) || !matches(newPet, body, service)) return createPet(request, service);
      const content = { code: 'not_accepted', message: 'The animal can not be added like that.', status };
      return { status, headers: [], content };
    },
  }));
}

/** Accepts only these categories. */
function knowing(...known: readonly bigint[]): Variant['options'] {
  return refusing(({ categoryId }) => !known.includes(categoryId));
}

/** How creations may differ: what is left open of a body, and what of its values. */
export const creatingVariants: readonly Variant[] = [
  {
    name: 'bytes-that-are-not-utf-8-replaced',
    title: 'Bytes that are not UTF-8 become replacement characters',
    options: withBehaviour(({ readBodyText }) => ({
      readBodyText: (request) =>
        readBodyText({ ...request, body: Buffer.from(Buffer.from(request.body).toString('utf8')) }),
    })),
  },
  {
    name: 'status-absent-when-omitted',
    title: 'An animal that was created without a status has none',
    options: withBehaviour(() => ({ statusWhenOmitted: () => undefined })),
  },
  {
    name: 'status-pending-when-omitted',
    title: 'An animal that was created without a status is pending',
    options: withBehaviour(() => ({ statusWhenOmitted: () => 'pending' })),
  },
  {
    name: 'status-when-omitted-shown-later',
    title: 'A status that was omitted is absent from the creation, and available in listings and getPet',
    options: combineOptions(
      withBehaviour(() => ({ statusWhenOmitted: () => undefined })),
      withAnimals(['listed', 'got'], (animal) => ({ ...animal, status: animal.status ?? 'available' })),
    ),
  },
  {
    name: 'more-fields-in-pets',
    title: 'Animals are shown with fields that the specification does not name',
    options: withAnimals(['created', 'listed', 'got'], (animal) => ({
      ...animal,
      createdAt: '2026-01-01T00:00:00Z',
      tags: [],
      _links: { self: { href: `/v1/pets/${String(animal.id)}` } },
    })),
  },
  {
    name: 'unknown-fields-refused',
    title: 'A body with fields that the specification does not name is refused',
    options: refusing(
      (_newPet, { name: _name, categoryId: _category, status: _status, ...others }) =>
        Object.keys(others).length > 0,
    ),
  },
  {
    name: 'unknown-fields-kept',
    title: 'Fields that the specification does not name are kept and shown',
    options: withBehaviour(({ readNewPet }) => ({
      readNewPet(body, service) {
        const newPet = readNewPet(body, service);
        const additional = Object.entries(isJsonObject(body) ? body : {}).filter(([name]) => name !== 'id');
        return { ...newPet, additional: Object.fromEntries(additional) };
      },
    })),
  },
  {
    name: 'known-categories-only',
    title: 'Categories are foreign keys, and the store holds animals of those that exist',
    leavesOpen: ['CREATE-12'],
    options: { animals: manyAnimals(12), ...knowing(1n, 2n, 3n, 4n, 5n, 6n, 7n) },
  },
  {
    name: 'known-categories-only-in-an-empty-store',
    title: 'Categories are foreign keys, and no animal shows which exist',
    leavesOpen: ['CREATE-12'],
    options: knowing(1n, 2n, 3n),
  },
  {
    name: 'given-up-categories-listed',
    title: 'Categories are foreign keys, and the animals listed first have categories that no longer exist',
    leavesOpen: ['CREATE-12'],
    options: combineOptions(
      { animals: [900n, 901n, 77n].map((categoryId) => ({ name: 'Resident', categoryId, status: 'sold' })) },
      knowing(77n),
      withBehaviour(() => ({ order: (store) => store.oldestFirst() })),
    ),
  },
  {
    name: 'categories-from-1',
    title: 'Category 0 and negative ones are refused, as no category has such an identifier',
    options: refusing(({ categoryId }) => categoryId < 1n),
  },
  {
    name: 'body-id-refused',
    title: 'A body that brings an id is refused',
    options: refusing((_newPet, body) => 'id' in body),
  },
  {
    name: 'existing-id-refused-with-409',
    title: 'A body that brings the identifier of an animal is refused with 409',
    options: refusing(
      (_newPet, { id }, { store }) => typeof id === 'bigint' && store.find(id) !== undefined,
      409,
    ),
  },
  {
    name: 'long-bodies-refused-with-413',
    title: 'A body of more than 8 KiB is refused with 413',
    options: withBehaviour(({ readBodyText }) => ({
      readBodyText: (request) => readBodyText({ ...request, tooLarge: request.body.byteLength > 8_192 }),
    })),
  },
  {
    name: 'names-up-to-60-bytes',
    title: 'A name of more than 60 bytes is refused',
    options: refusing(({ name }) => Buffer.byteLength(name) > 60),
  },
  {
    name: 'long-names-refused-with-422',
    title: 'A name of more than 128 characters is refused with 422',
    options: refusing(({ name }) => name.length > 128, 422),
  },
  {
    name: 'names-without-control-characters',
    title: 'A name with a control character other than a line break is refused',
    options: refusing(({ name }) => /(?![\n\r\t])\p{Cc}/u.test(name)),
  },
  {
    name: 'names-not-empty',
    title: 'An empty or blank name is refused',
    options: refusing(({ name }) => name.trim() === ''),
  },
  {
    name: 'names-trimmed',
    title: 'Space around a name is trimmed',
    options: withBehaviour(({ checkName }) => ({ checkName: (value) => checkName(value).trim() })),
  },
  {
    name: 'last-of-duplicate-keys-holds',
    title: 'If a body gives a key twice, the last value counts',
    options: withBehaviour(({ parseBody }) => ({
      parseBody(text) {
        try {
          return parse(text, null, {
            parseNumber: (digits) => (/^-?\d+$/.test(digits) ? BigInt(digits) : new LosslessNumber(digits)),
            onDuplicateKey: ({ newValue }) => newValue,
          });
        } catch {
          return parseBody(text);
        }
      },
    })),
  },
  {
    name: 'integers-with-a-zero-fraction-accepted',
    title: 'A category of 7.0 is read as 7',
    options: withBehaviour(({ checkCategoryId }) => ({
      checkCategoryId(value) {
        const whole =
          value instanceof LosslessNumber ? /^(-?\d+)\.0+$/.exec(value.toString())?.[1] : undefined;
        return checkCategoryId(whole === undefined ? value : BigInt(whole));
      },
    })),
  },
  {
    name: 'other-media-refused-with-400',
    title: 'A body of another Content-Type is refused with 400',
    options: withBehaviour(({ refuse }) => ({
      refuse: (refusal, request, service) =>
        refuse(
          refusal.kind === 'unsupported-media' ? new Refusal('invalid-body', refusal.message) : refusal,
          request,
          service,
        ),
    })),
  },
  {
    name: 'content-type-required',
    title: 'A request without Content-Type gets 415, with or without a body',
    options: withBehaviour(({ readBodyText }) => ({
      readBodyText(request) {
        if (request.headers['content-type'] === undefined)
          throw new Refusal('unsupported-media', 'Send application/json.', 'content-type');
        return readBodyText(request);
      },
    })),
  },
  {
    name: 'content-type-ignored',
    title: 'A body is read as JSON whatever its Content-Type',
    options: withBehaviour(({ readBodyText }) => ({
      readBodyText: (request) => readBodyText({ ...request, headers: {} }),
    })),
  },
  {
    name: 'no-location',
    title: 'A creation does not carry Location',
    options: withResponses((response) => withoutHeader(response, 'Location')),
  },
];
