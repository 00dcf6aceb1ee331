/** A text with escapes undone, and where in the original text each of its characters begins; one more for its end. */
export interface Reading {
  readonly text: string;
  readonly starts: readonly number[];
}

const json = String.raw`\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[^])`;
const url = '%[0-9a-f]{2}';
const html = String.raw`&(?:#(?:x[0-9a-f]{1,8}|\d{1,8});?|(?:amp|lt|gt|quot|apos);)`;
/** Each kind alone, because a key may look like an escape of another kind, and all of them. */
const kinds = [json, url, html, `${json}|${url}|${html}`].map((source) => new RegExp(source, 'gi'));
/** A text may be escaped so often: JSON in JSON in a URL. */
const maximumDepth = 3;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Whether a text may hold escapes. */
export function mayBeEscaped(text: string): boolean {
  return /[\\%&]/.test(text);
}

/** What a text may mean if escapes in it are undone, in one way up to three times. */
export function* readingsOf(text: string): Generator<Reading> {
  const original = { text, starts: Array.from({ length: text.length + 1 }, (_, index) => index) };
  for (const kind of kinds) {
    let reading: Reading | undefined = original;
    for (let depth = 0; depth < maximumDepth; depth += 1) {
      reading = unescape(reading, kind);
      if (!reading) break;
      yield reading;
    }
  }
}

/** The text with each escape of a kind replaced by the character that it stands for; undefined if there is none. */
function unescape({ text, starts }: Reading, kind: RegExp): Reading | undefined {
  let result = '';
  let end = 0;
  const resultStarts: number[] = [];
  const copy = (to: number): void => {
    result += text.slice(end, to);
    for (let index = end; index < to; index += 1) resultStarts.push(starts[index] ?? 0);
  };
  for (const { 0: escape, index } of text.matchAll(kind)) {
    copy(index);
    result += characterOf(escape);
    resultStarts.push(starts[index] ?? 0);
    end = index + escape.length;
  }
  if (end === 0) return undefined;
  copy(text.length);
  resultStarts.push(starts[text.length] ?? 0);
  return { text: result, starts: resultStarts };
}

function characterOf(escape: string): string {
  const [, hexadecimal, decimal, entity] =
    /^(?:(?:\\u|\\x|%|&#x)([0-9a-f]+)|&#(\d+)|&(\w+);)/i.exec(escape) ?? [];
  if (hexadecimal !== undefined) return String.fromCharCode(Number.parseInt(hexadecimal, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return entity === undefined ? escape.slice(1) : (entities[entity.toLowerCase()] ?? ' ');
}
