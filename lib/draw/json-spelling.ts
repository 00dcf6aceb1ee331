import { writeJson } from '../specification/json-value.js';

/** Writes an object as JSON text. */
export type Spelling = (members: Readonly<Record<string, unknown>>) => string;

/** How a text is put together: what stands between its tokens, and how its strings are written. */
interface Style {
  readonly before?: string;
  readonly colon?: string;
  readonly comma?: string;
  readonly after?: string;
  readonly reversed?: boolean;
  readonly string?: (text: string) => string;
}

function spelling(style: Style): Spelling {
  const { before = '{', colon = ':', comma = ',', after = '}', string = JSON.stringify } = style;
  return (members) => {
    const entries = Object.entries(members).map(
      ([name, value]) =>
        string(name) + colon + (typeof value === 'string' ? string(value) : writeJson(value)),
    );
    return before + (style.reversed ? entries.reverse() : entries).join(comma) + after;
  };
}

/** Every unit of UTF-16 as an escape (RFC 8259 7). */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

/** All of them in one text. */
export const everySpelling: Spelling = spelling({
  before: '\n{\t',
  colon: ': ',
  comma: ', ',
  after: '\r\n}\n',
  reversed: true,
  string: escaped,
});

/** Other spellings of one JSON object, which every reader of JSON takes for the same (RFC 8259 2, 4 and 7). */
export const spellings: ReadonlyArray<readonly [what: string, write: Spelling]> = [
  [
    'with white space between its tokens',
    spelling({ before: ' \r\n{\n\t', colon: ' : ', comma: ' , ', after: '\r\n} \n' }),
  ],
  ['with its members in another order', spelling({ reversed: true })],
  ['with its characters escaped', spelling({ string: escaped })],
];
