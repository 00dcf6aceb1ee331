import type { RequirementId } from '../../specification/catalogue.js';
import { withHeader } from '../../reference/http-message.js';
import { fails, type HostileFixture, type Serve } from '../fixture.js';
import { pour } from '../server.js';
import { changed, head, referenceWith, whole, written } from '../write-response.js';

const notJson: readonly RequirementId[] = ['LIST-01', 'MEDIA-01'];
const withoutService: readonly RequirementId[] = [
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
];
const noInteger: readonly RequirementId[] = ['LIST-08', 'PET-01'];

/** Bodies of every listing, and what fails then. */
const listings: ReadonlyArray<
  readonly [name: string, title: string, body: string | Uint8Array, failing: readonly RequirementId[]]
> = [
  [
    'json-nested-100000-deep',
    'Arrays nested 100,000 deep',
    '['.repeat(100_000) + ']'.repeat(100_000),
    ['LIST-01'],
  ],
  ['json-nan', 'A number is NaN', '[{"id":NaN,"name":"a","categoryId":1}]', notJson],
  [
    'json-cut-off',
    'The JSON is cut off, though Content-Length is right',
    '[{"id":1,"name":"a","cat',
    notJson,
  ],
  ['json-with-bom', 'A byte order mark comes before the JSON (RFC 8259 8.1)', '\ufeff[]', notJson],
  ['json-utf-16', 'The JSON is in UTF-16', Buffer.from('\ufeff[]', 'utf16le'), notJson],
  ['json-latin-1', 'The JSON is in Latin-1', Buffer.from('[{"name":"Bärbel"}]', 'latin1'), notJson],
  ['json-number-1e400', 'An identifier is 1e400', '[{"id":1e400,"name":"a","categoryId":1}]', noInteger],
  [
    'json-number-of-a-million-decimals',
    'An identifier has a million decimals',
    `[{"id":1.${'0'.repeat(1_000_000)}1,"name":"a","categoryId":1}]`,
    noInteger,
  ],
  ['json-string', 'The listing is a string of JSON', JSON.stringify('[]'), ['LIST-01']],
  [
    'json-nulls',
    'The listing holds nothing but nulls',
    // Not a round number: a page of 20 may be full.
    `[${Array(17).fill('null').join(',')}]`,
    ['LIST-01', 'LIST-02', 'LIST-07', ...noInteger],
  ],
  ['empty-200', 'A listing is a 200 with no body at all', '', ['LIST-01']],
  [
    'ten-thousand-animals',
    'Every listing holds 10,000 animals, within the limit on bodies',
    `[${animals(1, 10_000)}]`,
    // They are not those that were created, ignore limit and status, and have the identifiers of later creations.
    ['CREATE-04', 'LIST-02', 'LIST-03', 'LIST-06', 'LIST-07'],
  ],
];

/** Members of an animal of another client, who may name it as they like. */
const conformingAnimals: ReadonlyArray<readonly [name: string, title: string, members: string]> = [
  [
    'json-duplicate-keys',
    'An animal has its name twice, with different values (RFC 8259 4: not interoperable)',
    '"name":"Animal 24","name":"Animal 25","categoryId":1,"status":"available"',
  ],
  [
    'json-lone-surrogates',
    'A name is half of a surrogate pair, escaped',
    String.raw`"name":"\ud83d and \udc36","categoryId":1,"status":"available"`,
  ],
  [
    'json-proto-keys',
    'An animal has keys named __proto__ and constructor',
    '"name":"Animal 25","categoryId":1,"status":"available","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}',
  ],
  [
    'name-of-a-megabyte',
    'An animal of another client has a name of a megabyte',
    `"name":"${'x'.repeat(1024 ** 2)}","categoryId":1,"status":"available"`,
  ],
];

/** Texts that have an effect when they are shown unescaped. */
const attacks = {
  /** Clears the screen, colours, sets the window's title, writes the clipboard, links; the same in the C1 range. */
  escapes:
    '\u001b[2J\u001b[31mred\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b]8;;http://evil.example\u001b\\link' +
    '\u009b2J\u009b31mred\u009d0;owned\u009cFAIL\rPASS\b\b\b\bPASS\0\u007f',
  /** Right-to-left override and isolates, which change the order, characters without width, and heaps of accents. */
  unicode: `annexe\u202etxt.exe\u2066\u2069\u200fa\u200b\u200c\u200d\u2060\ufeffb\u00adcZ${'\u0315\u0361\u0489'.repeat(500)}`,
  markup: '<script>alert(1)</script><img src=x onerror=alert(1)>]]></testcase><!--"\'&',
  /** Commands of CI logs, a formula of a spreadsheet, templates and a shell. */
  commands:
    '::error::owned\n##vso[task.complete]\n=HYPERLINK("http://evil.example"){{7*7}}%s$(reboot)`reboot`',
} as const;

/** Targets whose bodies are unusual JSON, nearly JSON, or hold values that attack whoever shows them. */
export const json: readonly HostileFixture[] = [
  ...listings.map(([name, title, raw, failing]): HostileFixture => ({
    name,
    title,
    serve: changed((response, { operation }) =>
      operation === 'listPets' && response.status === 200 ? { ...response, raw } : response,
    ),
    failing,
  })),
  ...conformingAnimals.map(([name, title, members]): HostileFixture => ({
    name,
    title,
    serve: withNewestAnimal(members),
  })),
  ...Object.entries(attacks).map(([kind, text]): HostileFixture => ({
    name: `status-with-${kind}`,
    title: `An animal of another client has a name and a status of ${kind}, which a finding must quote`,
    serve: withNewestAnimal(`"name":${JSON.stringify(text)},"categoryId":1,"status":${JSON.stringify(text)}`),
    // Listings of another status show it too, beside a limit as well.
    failing: ['LIST-06', 'LIST-07', 'PET-02'],
  })),
  {
    name: 'errors-with-escapes',
    title: 'Every Error has terminal escapes for its code and markup for its message',
    serve: changed((response) => {
      const { status } = response;
      const content = { code: attacks.escapes + status, message: attacks.markup, status };
      return status < 400 ? response : { ...response, content };
    }),
  },
  {
    name: 'echoes-the-key',
    title: 'Every response repeats the credential of the request, in a header and in errors',
    serve: changed((response, request) => {
      const credential = request.headers.authorization ?? 'none';
      const { status } = response;
      const content = { code: `E${status}`, message: `refused ${credential}`, status };
      return withHeader(status < 400 ? response : { ...response, content }, 'X-Debug', credential);
    }),
  },
  {
    name: 'captive-portal',
    title: 'Every response is a page that asks to log in, with status 200',
    serve: written(() =>
      whole({
        status: 200,
        headers: [
          ['Content-Type', 'text/html'],
          ['Connection', 'close'],
        ],
        body: Buffer.from('<!doctype html><title>Log in</title><p>Accept the conditions to go online.</p>'),
      }),
    ),
    failing: withoutService,
    // A response there does not mean that the operations exist.
    findings: /whether the operations are served under it: 200 <!doctype html>/,
  },
  {
    name: 'a-million-animals',
    title: 'Every response holds a million animals, ended by the end of the connection',
    serve: written((wire, socket) => {
      socket.write(head(wire, ['Connection', 'close']));
      pour(socket, pages());
    }),
    ...fails('too-large', /longer than \d+ bytes/, 200),
  },
];

/** The newest animal as the reference service writes it, without its identifier. */
const newestAnimal = '"name":"Animal 25","categoryId":1,"status":"available"';

/**
 * The reference service with another JSON text for the newest animal: `members` follows its identifier. The animal
 * exists before the run, and is listed as available whatever its members say.
 */
function withNewestAnimal(members: string): Serve {
  return referenceWith((behaviour) => ({
    write: (content) => behaviour.write(content).replaceAll(newestAnimal, () => members),
  }));
}

/** Animals as JSON, numbered, with commas between them. */
function animals(from: number, to: number): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return numbers.map((id) => `{"id":${id},"name":"a","categoryId":1}`).join(',');
}

function* pages(): Generator<string> {
  yield '[';
  for (let from = 1; from <= 1_000_000; from += 1_000)
    yield `${from === 1 ? '' : ','}${animals(from, from + 999)}`;
  yield ']';
}
