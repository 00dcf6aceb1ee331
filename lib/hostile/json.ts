import type { RequirementId } from '../specification/catalogue.js';
import { brokenAnswer, type Expectation, type HostileFixture, type HostileTarget } from './fixture.js';
import { pour } from './connection-target.js';
import { head, listing, retold, rewritten } from './write-response.js';

const notJson = failing('LIST-01', 'MEDIA-01');

/** No listing shows what was created, or keeps to a limit. */
const noAnimals = failing('LIST-01', 'LIST-02', 'LIST-08', 'PET-01');
const noInteger = failing('LIST-08', 'PET-01');

/** Targets whose listings are JSON at its worst, or nearly JSON, or something else. */
export const json: readonly HostileFixture[] = [
  listed(
    'json-nested-100000-deep',
    'Arrays within arrays, 100,000 deep',
    nested(100_000),
    failing('LIST-01'),
  ),
  listed(
    'json-object-nested-100000-deep',
    'Objects within objects, 100,000 deep',
    `[${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}]`,
    failing('LIST-01'),
  ),
  listed('json-nan', 'A number is NaN', '[{"id":NaN,"name":"a","categoryId":1}]', notJson),
  listed('json-infinity', 'A number is Infinity', '[{"id":Infinity,"name":"a","categoryId":1}]', notJson),
  listed(
    'json-single-quotes',
    'JavaScript rather than JSON: single quotes, a trailing comma, a comment',
    "[{'id':1,'name':'a','categoryId':1,}] // pets",
    notJson,
  ),
  listed(
    'json-cut-off',
    'The JSON is cut off, though Content-Length is right',
    '[{"id":1,"name":"a","cat',
    notJson,
  ),
  listed('json-twice', 'Two JSON texts follow one another', '[][]', notJson),
  listed('json-with-bom', 'A byte order mark comes before the JSON (RFC 8259 8.1)', '\ufeff[]', notJson),
  listed(
    'json-utf-16',
    'The JSON is in UTF-16',
    Buffer.from('\ufeff[{"id":1,"name":"a","categoryId":1}]', 'utf16le'),
    notJson,
  ),
  listed(
    'json-latin-1',
    'The JSON is in Latin-1',
    Buffer.from('[{"id":1,"name":"Bärbel","categoryId":1}]', 'latin1'),
    notJson,
  ),
  listed(
    'json-overlong-utf-8',
    'The JSON holds overlong and cut-off UTF-8',
    Buffer.from([0x5b, 0x22, 0xc0, 0xaf, 0xf0, 0x9f, 0x22, 0x5d]),
    notJson,
  ),
  listed(
    'json-number-of-10000-digits',
    'An identifier has 10,000 digits',
    `[{"id":${'9'.repeat(10_000)},"name":"a","categoryId":1}]`,
    noInteger,
  ),
  listed(
    'json-number-1e400',
    'An identifier is 1e400',
    '[{"id":1e400,"name":"a","categoryId":1}]',
    noInteger,
  ),
  listed(
    'json-number-of-a-million-decimals',
    'An identifier has a million decimals',
    `[{"id":1.${'0'.repeat(1_000_000)}1,"name":"a","categoryId":1}]`,
    noInteger,
  ),
  listed('json-null', 'The listing is null', 'null', failing('LIST-01')),
  listed('json-string', 'The listing is a string of JSON', JSON.stringify('[]'), failing('LIST-01')),
  listed(
    'json-nulls',
    'The listing holds nothing but nulls',
    `[${Array(20).fill('null').join(',')}]`,
    noAnimals,
  ),
  listed('json-array-of-arrays', 'The animals are arrays', '[[1,"a",1],[2,"b",1]]', noAnimals),
  stocked(
    'json-duplicate-keys',
    'An animal has its name twice, with different values (RFC 8259 4: interoperable it is not)',
    '"name":"Animal 24","name":"Animal 25","categoryId":1,"status":"available"',
  ),
  stocked(
    'json-lone-surrogates',
    'A name is half of a surrogate pair, escaped',
    String.raw`"name":"\ud83d and \udc36","categoryId":1,"status":"available"`,
  ),
  stocked(
    'json-proto-keys',
    'An animal has keys named __proto__ and constructor',
    '"name":"Animal 25","categoryId":1,"status":"available","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}',
  ),
  stocked(
    'json-ten-thousand-keys',
    'An animal has 10,000 more fields',
    `"name":"Animal 25","categoryId":1,"status":"available"${Array.from({ length: 10_000 }, (_, index) => `,"k${index}":0`).join('')}`,
  ),
  listed('empty-200', 'A listing is a 200 with no body at all', '', failing('LIST-01')),
  listed('white-space-only', 'A listing is a megabyte of white space', ' '.repeat(1024 ** 2), notJson),
  {
    name: 'captive-portal',
    title: 'Every answer is a page that asks to log in, with status 200',
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
      // That it answers is no sign of the operations.
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
    // They are not those that were created, nor kept to any limit or status.
    expects: failing('LIST-02', 'LIST-03', 'LIST-06', 'LIST-07', 'LIST-10'),
    wire: { status: 200 },
  },
];

function listed(
  name: string,
  title: string,
  body: string | Uint8Array,
  expects: Expectation,
): HostileFixture {
  return { name, title, serve: listing(body), expects, wire: { status: 200 } };
}

/** Nothing that the specification forbids: others may name and furnish their animals as they like. */
function stocked(name: string, title: string, members: string): HostileFixture {
  return { name, title, serve: retold(members), expects: { exit: 0 }, wire: { status: 200 } };
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
