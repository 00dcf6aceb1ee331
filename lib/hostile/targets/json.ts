import type { RequirementId } from '../../specification/catalogue.js';
import { brokenAnswer, type Expectation, type HostileFixture, type HostileTarget } from '../fixture.js';
import { pour } from '../connection-target.js';
import { head, listing, withNewestAnimal, rewritten } from '../write-response.js';

const notJson = failing('LIST-01', 'MEDIA-01');

/** The ids that fail if no listing shows what was created, or respects a limit. */
const noAnimals = failing('LIST-01', 'LIST-02', 'LIST-07', 'LIST-08', 'PET-01');
const noInteger = failing('LIST-08', 'PET-01');

/** Targets whose listings are unusual JSON, nearly JSON, or something else. */
export const json: readonly HostileFixture[] = [
  listingOf({
    name: 'json-nested-100000-deep',
    title: 'Arrays nested 100,000 deep',
    body: nested(100_000),
    expects: failing('LIST-01'),
  }),
  listingOf({
    name: 'json-object-nested-100000-deep',
    title: 'Objects nested 100,000 deep',
    body: `[${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}]`,
    expects: failing('LIST-01'),
  }),
  listingOf({
    name: 'json-nan',
    title: 'A number is NaN',
    body: '[{"id":NaN,"name":"a","categoryId":1}]',
    expects: notJson,
  }),
  listingOf({
    name: 'json-infinity',
    title: 'A number is Infinity',
    body: '[{"id":Infinity,"name":"a","categoryId":1}]',
    expects: notJson,
  }),
  listingOf({
    name: 'json-single-quotes',
    title: 'JavaScript rather than JSON: single quotes, a trailing comma, a comment',
    body: "[{'id':1,'name':'a','categoryId':1,}] // pets",
    expects: notJson,
  }),
  listingOf({
    name: 'json-cut-off',
    title: 'The JSON is cut off, though Content-Length is right',
    body: '[{"id":1,"name":"a","cat',
    expects: notJson,
  }),
  listingOf({
    name: 'json-twice',
    title: 'Two JSON texts follow one another',
    body: '[][]',
    expects: notJson,
  }),
  listingOf({
    name: 'json-with-bom',
    title: 'A byte order mark comes before the JSON (RFC 8259 8.1)',
    body: '\ufeff[]',
    expects: notJson,
  }),
  listingOf({
    name: 'json-utf-16',
    title: 'The JSON is in UTF-16',
    body: Buffer.from('\ufeff[{"id":1,"name":"a","categoryId":1}]', 'utf16le'),
    expects: notJson,
  }),
  listingOf({
    name: 'json-latin-1',
    title: 'The JSON is in Latin-1',
    body: Buffer.from('[{"id":1,"name":"Bärbel","categoryId":1}]', 'latin1'),
    expects: notJson,
  }),
  listingOf({
    name: 'json-overlong-utf-8',
    title: 'The JSON holds overlong and cut-off UTF-8',
    body: Buffer.from([0x5b, 0x22, 0xc0, 0xaf, 0xf0, 0x9f, 0x22, 0x5d]),
    expects: notJson,
  }),
  listingOf({
    name: 'json-number-of-10000-digits',
    title: 'An identifier has 10,000 digits',
    body: `[{"id":${'9'.repeat(10_000)},"name":"a","categoryId":1}]`,
    expects: noInteger,
  }),
  listingOf({
    name: 'json-number-1e400',
    title: 'An identifier is 1e400',
    body: '[{"id":1e400,"name":"a","categoryId":1}]',
    expects: noInteger,
  }),
  listingOf({
    name: 'json-number-of-a-million-decimals',
    title: 'An identifier has a million decimals',
    body: `[{"id":1.${'0'.repeat(1_000_000)}1,"name":"a","categoryId":1}]`,
    expects: noInteger,
  }),
  listingOf({ name: 'json-null', title: 'The listing is null', body: 'null', expects: failing('LIST-01') }),
  listingOf({
    name: 'json-string',
    title: 'The listing is a string of JSON',
    body: JSON.stringify('[]'),
    expects: failing('LIST-01'),
  }),
  listingOf({
    name: 'json-nulls',
    title: 'The listing holds nothing but nulls',
    // Not a round number: a page of 20 may be full.
    body: `[${Array(17).fill('null').join(',')}]`,
    expects: noAnimals,
  }),
  listingOf({
    name: 'json-array-of-arrays',
    title: 'The animals are arrays',
    body: '[[1,"a",1],[2,"b",1]]',
    expects: noAnimals,
  }),
  animalOf({
    name: 'json-duplicate-keys',
    title: 'An animal has its name twice, with different values (RFC 8259 4: not interoperable)',
    members: '"name":"Animal 24","name":"Animal 25","categoryId":1,"status":"available"',
  }),
  animalOf({
    name: 'json-lone-surrogates',
    title: 'A name is half of a surrogate pair, escaped',
    members: String.raw`"name":"\ud83d and \udc36","categoryId":1,"status":"available"`,
  }),
  animalOf({
    name: 'json-proto-keys',
    title: 'An animal has keys named __proto__ and constructor',
    members:
      '"name":"Animal 25","categoryId":1,"status":"available","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}',
  }),
  animalOf({
    name: 'json-ten-thousand-keys',
    title: 'An animal has 10,000 more fields',
    members: `"name":"Animal 25","categoryId":1,"status":"available"${Array.from({ length: 10_000 }, (_, index) => `,"k${index}":0`).join('')}`,
  }),
  listingOf({
    name: 'empty-200',
    title: 'A listing is a 200 with no body at all',
    body: '',
    expects: failing('LIST-01'),
  }),
  listingOf({
    name: 'white-space-only',
    title: 'A listing is a megabyte of white space',
    body: ' '.repeat(1024 ** 2),
    expects: notJson,
  }),
  {
    name: 'captive-portal',
    title: 'Every response is a page that asks to log in, with status 200',
    serve: rewritten((_wire, socket) => {
      const page = '<!doctype html><title>Log in</title><p>Accept the conditions to go online.</p>';
      const wire = {
        status: 200,
        headers: [
          ['Content-Type', 'text/html'],
          ['Connection', 'close'],
        ] as const,
        body: Buffer.from(page),
      };
      socket.end(Buffer.concat([head(wire, ['Content-Length', String(page.length)]), wire.body]));
    }),
    expects: {
      ...failing(
        'AUTH-01',
        'AUTH-02',
        'AUTH-03',
        'AUTH-05',
        'LIST-01',
        'CREATE-01',
        'MEDIA-01',
        'ROBUST-01',
        'RATE-01',
        'RATE-02',
        'RATE-03',
      ),
      // A response there does not mean that the operations exist.
      findings: /whether the operations are served under it: 200 <!doctype html>/,
    },
    wire: { status: 200 },
  },
  {
    name: 'a-million-animals',
    title: 'Every listing holds a million animals',
    serve: millionAnimals,
    expects: brokenAnswer,
    wire: { status: 200, failure: { kind: 'too-large', message: /longer than \d+ bytes/ } },
  },
  {
    name: 'ten-thousand-animals',
    title: 'Every listing holds 10,000 animals, within the limit on bodies',
    serve: listing(`[${animals(1, 10_000)}]`),
    // They are not those that were created, ignore limit and status, and have the identifiers of later creations.
    expects: failing('CREATE-04', 'LIST-02', 'LIST-03', 'LIST-06', 'LIST-07', 'LIST-10'),
    wire: { status: 200 },
  },
];

interface ListingBody extends Pick<HostileFixture, 'name' | 'title' | 'expects'> {
  readonly body: string | Uint8Array;
}

function listingOf({ name, title, body, expects }: ListingBody): HostileFixture {
  return { name, title, serve: listing(body), expects, wire: { status: 200 } };
}

interface AnimalMembers extends Pick<HostileFixture, 'name' | 'title'> {
  readonly members: string;
}

/** The specification does not forbid it: other clients may name their animals as they like. */
function animalOf({ name, title, members }: AnimalMembers): HostileFixture {
  return { name, title, serve: withNewestAnimal(members), expects: { exit: 0 }, wire: { status: 200 } };
}

function failing(...ids: readonly RequirementId[]): Expectation {
  return { exit: 1, failing: ids };
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

/** Animals as JSON, numbered, with commas between them. */
function animals(from: number, to: number): string {
  return Array.from(
    { length: to - from + 1 },
    (_, index) => `{"id":${from + index},"name":"a","categoryId":1}`,
  ).join(',');
}

function millionAnimals(): Promise<HostileTarget> {
  return rewritten(
    (wire, socket) => {
      socket.write(head(wire, ['Connection', 'close']));
      pour(socket, pages());
    },
    ({ operation }) => operation === 'listPets',
  )();
}

function* pages(): Generator<string> {
  yield '[';
  for (let from = 1; from <= 1_000_000; from += 1_000) {
    yield `${from === 1 ? '' : ','}${animals(from, from + 999)}`;
  }
  yield ']';
}
