import { LosslessNumber } from 'lossless-json';
import type { RequirementId } from '../../../specification/catalogue.js';
import { isInt64, throughDouble } from '../../operations/integers.js';
import { withBehaviour, withAnimals } from '../../changes.js';
import type { Fault } from '../fault.js';
import { created, send, expectOnWire } from '../wire.js';

/** Keeps another category than the one that was sent. */
function kept(change: (category: bigint) => bigint): Fault['options'] {
  return withBehaviour(({ checkCategoryId }) => ({
    checkCategoryId: (value) => change(checkCategoryId(value)),
  }));
}

/** Takes values for categories that are none. */
function taken(read: (value: unknown) => bigint | undefined): Fault['options'] {
  return withBehaviour(({ checkCategoryId }) => ({
    checkCategoryId: (value) => read(value) ?? checkCategoryId(value),
  }));
}

/** A fault seen by a category, as it is written in the body, that is accepted. */
function accepts(
  name: string,
  title: string,
  breaks: readonly RequirementId[],
  read: (value: unknown) => bigint | undefined,
  sent: string,
): Fault {
  return {
    name,
    title,
    breaks,
    options: taken(read),
    async wire(target) {
      const { status } = await created(target, `{"name":"Rex","categoryId":${sent}}`);
      expectOnWire(status === 201, `the category ${sent} is accepted`);
    },
  };
}

/** A fault seen by a category that comes back as another one. */
function changes(
  name: string,
  title: string,
  change: (category: bigint) => bigint,
  sent: bigint,
  back: bigint,
): Fault {
  return {
    name,
    title,
    breaks: ['CREATE-12'],
    options: kept(change),
    async wire(target) {
      const { text } = await created(target, `{"name":"Rex","categoryId":${sent}}`);
      expectOnWire(text.includes(`"categoryId":${back},`), `${sent} comes back as ${back}`);
    },
  };
}

export const creatingCategoryFaults: readonly Fault[] = [
  {
    name: 'category-optional',
    title: 'An animal without a category is stored under category 0',
    breaks: ['CREATE-06'],
    options: taken((value) => (value === undefined ? 0n : undefined)),
    async wire(target) {
      const { status } = await send(target, { method: 'POST', body: '{"name":"Rex"}' });
      expectOnWire(status === 201, 'a body without a category is accepted');
    },
  },
  accepts(
    'category-in-quotes-accepted',
    'Digits in quotes are accepted as a category',
    ['CREATE-08'],
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : undefined),
    '"7"',
  ),
  accepts(
    'category-truncated',
    'The fraction of a category is cut off',
    ['CREATE-08'],
    (value) => (isFraction(value) ? BigInt(Math.trunc(Number(value.toString()))) : undefined),
    '1.5',
  ),
  accepts(
    'category-wraps-around',
    'A category beyond int64 wraps around',
    ['CREATE-08'],
    (value) => (typeof value === 'bigint' ? BigInt.asIntN(64, value) : undefined),
    '9223372036854775808',
  ),
  accepts(
    'category-beyond-int64-kept',
    'A category beyond int64 is accepted and kept',
    ['CREATE-08', 'PET-01'],
    (value) => (typeof value === 'bigint' ? value : undefined),
    '9223372036854775808',
  ),
  accepts(
    'category-null-is-0',
    'null is accepted as category 0',
    ['CREATE-08'],
    (value) => (value === null ? 0n : undefined),
    'null',
  ),
  accepts(
    'category-may-be-a-boolean',
    'true and false are accepted as categories 1 and 0',
    ['CREATE-08'],
    (value) => (typeof value === 'boolean' ? BigInt(value) : undefined),
    'true',
  ),
  accepts(
    'category-empty-text-is-0',
    'The empty text is accepted as category 0, as a conversion to a number makes it',
    ['CREATE-08'],
    (value) => (value === '' ? 0n : undefined),
    '""',
  ),
  changes(
    'category-through-a-double',
    'Categories go through a double, which rounds long ones',
    throughDouble,
    9_007_199_254_740_993n,
    9_007_199_254_740_992n,
  ),
  changes(
    'category-in-32-bits',
    'Categories are kept in 32 bits',
    (category) => BigInt.asIntN(32, category),
    4_294_967_303n,
    7n,
  ),
  changes(
    'category-without-sign',
    'Categories lose their sign',
    (category) => (category < 0n && isInt64(-category) ? -category : category),
    -7n,
    7n,
  ),
  {
    name: 'category-written-as-a-double',
    title: 'Categories are kept exactly, and written as doubles in every answer',
    breaks: ['CREATE-12'],
    options: withAnimals(['created', 'listed', 'got'], (animal) => ({
      ...animal,
      categoryId: throughDouble(BigInt(String(animal.categoryId))),
    })),
    async wire(target) {
      const { text } = await created(target, '{"name":"Rex","categoryId":9007199254740993}');
      expectOnWire(text.includes('9007199254740992'), 'a category is written rounded');
    },
  },
];

function isFraction(value: unknown): value is LosslessNumber {
  return value instanceof LosslessNumber && /^-?\d+\.\d+$/.test(value.toString());
}
