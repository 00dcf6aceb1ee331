import { stringify } from 'lossless-json';
import { withBehaviour } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, field, send, expectOnWire } from '../wire.js';

/** Stores another name than the one that was sent. */
function storing(change: (name: string) => string): Fault['options'] {
  return withBehaviour(({ checkName }) => ({ checkName: (value) => change(checkName(value)) }));
}

/** Accepts values as names that are not names. */
function reading(read: (value: unknown) => string | undefined): Fault['options'] {
  return withBehaviour(({ checkName }) => ({ checkName: (value) => read(value) ?? checkName(value) }));
}

interface ChangedName extends Pick<Fault, 'name' | 'title'> {
  readonly change: (name: string) => string;
  readonly sent: string;
  readonly back: string;
}

/** Breaks CREATE-13. The wire look creates an animal whose name comes back changed. */
function changesName({ name, title, change, sent, back }: ChangedName): Fault {
  return {
    name,
    title,
    breaks: ['CREATE-13'],
    options: storing(change),
    async wire(target) {
      const { json } = await create(target, { name: sent });
      expectOnWire(
        field(json(), 'name') === back,
        `${JSON.stringify(sent)} comes back as ${JSON.stringify(back)}`,
      );
    },
  };
}

interface AcceptedName extends Pick<Fault, 'name' | 'title'> {
  readonly read: (value: unknown) => string | undefined;
  readonly sent: unknown;
}

/** Breaks CREATE-07. The wire look creates an animal with a value that is not a name. */
function acceptsName({ name, title, read, sent }: AcceptedName): Fault {
  return {
    name,
    title,
    breaks: ['CREATE-07'],
    options: reading(read),
    async wire(target) {
      expectOnWire(
        (await create(target, { name: sent })).status === 201,
        `the name ${JSON.stringify(sent)} is accepted`,
      );
    },
  };
}

export const creatingNameFaults: readonly Fault[] = [
  {
    name: 'name-optional',
    title: 'An animal without a name is stored under an empty one',
    breaks: ['CREATE-05'],
    options: reading((value) => (value === undefined ? '' : undefined)),
    async wire(target) {
      const { status } = await send(target, { method: 'POST', body: '{"categoryId":7}' });
      expectOnWire(status === 201, 'a body without a name is accepted');
    },
  },
  acceptsName({
    name: 'name-coerced-to-text',
    title: 'Names of any type are turned into text',
    read: (value) => (value === undefined ? undefined : inText(value)),
    sent: 7,
  }),
  acceptsName({
    name: 'name-may-be-a-number',
    title: 'A number is accepted as a name',
    read: (value) => (typeof value === 'bigint' ? String(value) : undefined),
    sent: 7,
  }),
  acceptsName({
    name: 'name-may-be-null',
    title: 'null is accepted as a name, and stored as an empty one',
    read: (value) => (value === null ? '' : undefined),
    sent: null,
  }),
  acceptsName({
    name: 'name-may-be-false',
    title: 'A falsy name is taken for a missing one, so that false becomes an empty name',
    read: (value) => (value === false ? '' : undefined),
    sent: false,
  }),
  acceptsName({
    name: 'name-may-be-a-list',
    title: 'A list of names is joined into one',
    read: (value) => (Array.isArray(value) ? value.join(' ') : undefined),
    sent: ['Rex'],
  }),
  changesName({
    name: 'name-in-latin-1',
    title: 'Names are stored in Latin-1, other characters as question marks',
    change: (name) => Array.from(name, (character) => (character > 'ÿ' ? '?' : character)).join(''),
    sent: '猫',
    back: '?',
  }),
  changesName({
    name: 'name-without-astral-characters',
    title: 'Characters of four bytes are replaced, as by a database with three-byte UTF-8',
    change: (name) => Array.from(name, (character) => (character.length > 1 ? '?' : character)).join(''),
    sent: 'Rex 😀',
    back: 'Rex ?',
  }),
  changesName({
    name: 'name-misread-as-latin-1',
    title: 'Names are read in Latin-1 though they are sent in UTF-8',
    change: (name) => Buffer.from(name, 'utf8').toString('latin1'),
    sent: 'Zoë',
    back: 'ZoÃ«',
  }),
  changesName({
    name: 'name-normalised',
    title: 'Names are normalised to the composed form',
    change: (name) => name.normalize('NFC'),
    sent: 'Zoe\u0308',
    back: 'Zo\u00eb',
  }),
  changesName({
    name: 'name-escaped-for-html',
    title: 'Names are escaped for HTML before they are stored',
    change: (name) => name.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    sent: 'Salt & "Pepper"',
    back: 'Salt &#38; &#34;Pepper&#34;',
  }),
  changesName({
    name: 'name-with-single-spaces',
    title: 'Consecutive spaces become one',
    change: (name) => name.replace(/ {2,}/g, ' '),
    sent: 'Rex  Max',
    back: 'Rex Max',
  }),
  changesName({
    name: 'name-loses-backslashes',
    title: 'Backslashes are stripped from names',
    change: (name) => name.replaceAll('\\', ''),
    sent: 'Rex\\Max',
    back: 'RexMax',
  }),
  changesName({
    name: 'name-doubles-quotes',
    title: 'Single quotes are doubled, as for a database query',
    change: (name) => name.replaceAll("'", "''"),
    sent: "O'Malley",
    back: "O''Malley",
  }),
  changesName({
    name: 'name-on-one-line',
    title: 'White space within names is folded into single spaces',
    change: (name) => name.replace(/\s+/g, ' '),
    sent: 'Rex\nMax',
    back: 'Rex Max',
  }),
  changesName({
    name: 'name-cut-at-120-characters',
    title: 'Names are cut at 120 characters',
    change: (name) => Array.from(name).slice(0, 120).join(''),
    sent: 'x'.repeat(121),
    back: 'x'.repeat(120),
  }),
  changesName({
    name: 'name-cut-at-127-bytes',
    title: 'Names are cut at 127 bytes, if need be in the middle of a character',
    change: (name) => Buffer.from(name).subarray(0, 127).toString(),
    sent: 'ÿ'.repeat(64),
    back: `${'ÿ'.repeat(63)}\ufffd`,
  }),
  changesName({
    name: 'name-cut-at-256-units',
    title: 'Names are cut at 256 units of UTF-16',
    change: (name) => name.slice(0, 256),
    sent: `a${'🐶'.repeat(128)}`,
    back: `a${'🐶'.repeat(127)}\ud83d`,
  }),
  changesName({
    name: 'name-cut-at-255-bytes-between-characters',
    title: 'Names are cut at 255 bytes, never within a character',
    change: (name) =>
      Buffer.from(name)
        .subarray(0, 255)
        .toString()
        .replace(/\ufffd+$/, ''),
    sent: '爱'.repeat(86),
    back: '爱'.repeat(85),
  }),
  {
    name: 'names-of-many-bytes-break-the-service',
    title: 'A name of more than 768 bytes gets 500, though it has fewer than 256 characters',
    breaks: ['CREATE-13', 'ROBUST-01'],
    options: storing((name) => {
      if (Buffer.byteLength(name) > 768 && Array.from(name).length < 256)
        throw new RangeError('Data too long for column');
      return name;
    }),
    async wire(target) {
      expectOnWire((await create(target, { name: '🐶'.repeat(200) })).status === 500, 'a name breaks it');
    },
  },
  {
    name: 'names-of-200-bytes-break-the-service',
    title: 'A name of more than 200 bytes gets 500, if characters beyond ASCII make it so long',
    breaks: ['CREATE-13', 'ROBUST-01'],
    options: storing((name) => {
      if (Buffer.byteLength(name) > 200 && name.length <= 200)
        throw new RangeError('Data too long for column');
      return name;
    }),
    async wire(target) {
      expectOnWire((await create(target, { name: '爱'.repeat(100) })).status === 500, 'a name breaks it');
    },
  },
];

function inText(value: unknown): string {
  return typeof value === 'string' ? value : (stringify(value) ?? '');
}
