import { stringify } from 'lossless-json';
import { withBehaviour } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, field, send, expectOnWire } from '../wire.js';

/** Keeps another name than the one that was sent. */
function kept(change: (name: string) => string): Fault['options'] {
  return withBehaviour(({ checkName }) => ({ checkName: (value) => change(checkName(value)) }));
}

/** Takes values for names that are none. */
function taken(read: (value: unknown) => string | undefined): Fault['options'] {
  return withBehaviour(({ checkName }) => ({ checkName: (value) => read(value) ?? checkName(value) }));
}

/** A fault of CREATE-13, seen by a name that comes back as another one. */
function renames(
  name: string,
  title: string,
  change: (name: string) => string,
  sent: string,
  back: string,
): Fault {
  return {
    name,
    title,
    breaks: ['CREATE-13'],
    options: kept(change),
    async wire(target) {
      const { json } = await create(target, { name: sent });
      expectOnWire(
        field(json(), 'name') === back,
        `${JSON.stringify(sent)} comes back as ${JSON.stringify(back)}`,
      );
    },
  };
}

/** A fault of CREATE-07, seen by a value that is accepted as a name. */
function accepts(
  name: string,
  title: string,
  read: (value: unknown) => string | undefined,
  sent: unknown,
): Fault {
  return {
    name,
    title,
    breaks: ['CREATE-07'],
    options: taken(read),
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
    options: taken((value) => (value === undefined ? '' : undefined)),
    async wire(target) {
      const { status } = await send(target, { method: 'POST', body: '{"categoryId":7}' });
      expectOnWire(status === 201, 'a body without a name is accepted');
    },
  },
  accepts(
    'name-coerced-to-text',
    'Names of any type are turned into text',
    (value) => (value === undefined ? undefined : inText(value)),
    7,
  ),
  accepts(
    'name-may-be-a-number',
    'A number is accepted as a name',
    (value) => (typeof value === 'bigint' ? String(value) : undefined),
    7,
  ),
  accepts(
    'name-may-be-null',
    'null is accepted as a name, and stored as an empty one',
    (value) => (value === null ? '' : undefined),
    null,
  ),
  accepts(
    'name-may-be-false',
    'A name is told from a missing one by its truth, so that false becomes an empty one',
    (value) => (value === false ? '' : undefined),
    false,
  ),
  accepts(
    'name-may-be-a-list',
    'A list of names is joined into one',
    (value) => (Array.isArray(value) ? value.join(' ') : undefined),
    ['Rex'],
  ),
  renames(
    'name-in-latin-1',
    'Names are stored in Latin-1, other characters as question marks',
    (name) => Array.from(name, (character) => (character > 'ÿ' ? '?' : character)).join(''),
    '猫',
    '?',
  ),
  renames(
    'name-without-astral-characters',
    'Characters of four bytes are replaced, as by a database that knows three',
    (name) => Array.from(name, (character) => (character.length > 1 ? '?' : character)).join(''),
    'Rex 😀',
    'Rex ?',
  ),
  renames(
    'name-misread-as-latin-1',
    'Names are read in Latin-1 though they are sent in UTF-8',
    (name) => Buffer.from(name, 'utf8').toString('latin1'),
    'Zoë',
    'ZoÃ«',
  ),
  renames(
    'name-normalised',
    'Names are normalised to the composed form',
    (name) => name.normalize('NFC'),
    'Zoe\u0308',
    'Zo\u00eb',
  ),
  renames(
    'name-escaped-for-html',
    'Names are escaped for HTML before they are stored',
    (name) => name.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    'Salt & "Pepper"',
    'Salt &#38; &#34;Pepper&#34;',
  ),
  renames(
    'name-with-single-spaces',
    'Spaces that follow each other become one',
    (name) => name.replace(/ {2,}/g, ' '),
    'Rex  Max',
    'Rex Max',
  ),
  renames(
    'name-loses-backslashes',
    'Backslashes are stripped from names',
    (name) => name.replaceAll('\\', ''),
    'Rex\\Max',
    'RexMax',
  ),
  renames(
    'name-doubles-quotes',
    'Single quotes are doubled, for a database that no longer asks for it',
    (name) => name.replaceAll("'", "''"),
    "O'Malley",
    "O''Malley",
  ),
  renames(
    'name-on-one-line',
    'White space within names is folded into single spaces',
    (name) => name.replace(/\s+/g, ' '),
    'Rex\nMax',
    'Rex Max',
  ),
];

function inText(value: unknown): string {
  return typeof value === 'string' ? value : (stringify(value) ?? '');
}
