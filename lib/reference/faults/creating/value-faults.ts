import { LosslessNumber } from 'lossless-json';
import { isInt64, throughDouble } from '../../operations/integers.js';
import { withBehaviour, withAnimals } from '../../changes.js';
import type { Fault } from '../fault.js';
import { created, send, expectOnWire } from '../wire.js';

/** Stores another category than the one that was sent. */
function storing(change: (category: bigint) => bigint): Fault['options'] {
  return withBehaviour(({ checkCategoryId }) => ({
    checkCategoryId: (value) => change(checkCategoryId(value)),
  }));
}

/** Accepts values as categories that are not categories. */
function reading(read: (value: unknown) => bigint | undefined): Fault['options'] {
  return withBehaviour(({ checkCategoryId }) => ({
    checkCategoryId: (value) => read(value) ?? checkCategoryId(value),
  }));
}

interface AcceptedCategory extends Pick<Fault, 'name' | 'title' | 'breaks'> {
  readonly read: (value: unknown) => bigint | undefined;
  readonly sent: string;
}

/** A value that is not a category is accepted. The wire look sends it as it stands in the body. */
function acceptsCategory({ name, title, breaks, read, sent }: AcceptedCategory): Fault {
  return {
    name,
    title,
    breaks,
    options: reading(read),
    async wire(target) {
      const { status } = await created(target, `{"name":"Rex","categoryId":${sent}}`);
      expectOnWire(status === 201, `the category ${sent} is accepted`);
    },
  };
}

interface ChangedCategory extends Pick<Fault, 'name' | 'title'> {
  readonly change: (category: bigint) => bigint;
  readonly sent: bigint;
  readonly back: bigint;
}

/** A category is changed. The wire look creates an animal whose category comes back changed. */
function changesCategory({ name, title, change, sent, back }: ChangedCategory): Fault {
  return {
    name,
    title,
    breaks: ['CREATE-12'],
    options: storing(change),
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
    options: reading((value) => (value === undefined ? 0n : undefined)),
    async wire(target) {
      const { status } = await send(target, { method: 'POST', body: '{"name":"Rex"}' });
      expectOnWire(status === 201, 'a body without a category is accepted');
    },
  },
  acceptsCategory({
    name: 'category-in-quotes-accepted',
    title: 'Digits in quotes are accepted as a category',
    breaks: ['CREATE-08'],
    read: (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : undefined),
    sent: '"7"',
  }),
  acceptsCategory({
    name: 'category-truncated',
    title: 'The fraction of a category is cut off',
    breaks: ['CREATE-08'],
    read: (value) => (isFraction(value) ? BigInt(Math.trunc(Number(value.toString()))) : undefined),
    sent: '1.5',
  }),
  acceptsCategory({
    name: 'category-wraps-around',
    title: 'A category beyond int64 wraps around',
    breaks: ['CREATE-08'],
    read: (value) => (typeof value === 'bigint' ? BigInt.asIntN(64, value) : undefined),
    sent: '9223372036854775808',
  }),
  acceptsCategory({
    name: 'category-beyond-int64-kept',
    title: 'A category beyond int64 is accepted and kept',
    breaks: ['CREATE-08', 'PET-01'],
    read: (value) => (typeof value === 'bigint' ? value : undefined),
    sent: '9223372036854775808',
  }),
  acceptsCategory({
    name: 'category-null-is-0',
    title: 'null is accepted as category 0',
    breaks: ['CREATE-08'],
    read: (value) => (value === null ? 0n : undefined),
    sent: 'null',
  }),
  acceptsCategory({
    name: 'category-may-be-a-boolean',
    title: 'true and false are accepted as categories 1 and 0',
    breaks: ['CREATE-08'],
    read: (value) => (typeof value === 'boolean' ? BigInt(value) : undefined),
    sent: 'true',
  }),
  acceptsCategory({
    name: 'category-empty-text-is-0',
    title: 'The empty string is accepted as category 0, as by a conversion to a number',
    breaks: ['CREATE-08'],
    read: (value) => (value === '' ? 0n : undefined),
    sent: '""',
  }),
  changesCategory({
    name: 'category-through-a-double',
    title: 'Categories go through a double, which rounds long ones',
    change: throughDouble,
    sent: 9_007_199_254_740_993n,
    back: 9_007_199_254_740_992n,
  }),
  changesCategory({
    name: 'category-in-32-bits',
    title: 'Categories are kept in 32 bits',
    change: (category) => BigInt.asIntN(32, category),
    sent: 4_294_967_303n,
    back: 7n,
  }),
  changesCategory({
    name: 'category-without-sign',
    title: 'Categories lose their sign',
    change: (category) => (category < 0n && isInt64(-category) ? -category : category),
    sent: -7n,
    back: 7n,
  }),
  {
    name: 'category-written-as-a-double',
    title: 'Categories are kept exactly, and written as doubles in every response',
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
