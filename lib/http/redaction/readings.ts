/** A text with escapes undone. */
export interface Reading {
  readonly text: string;
  /** Where in the original text each of its characters begins; one more for its end. Only computed if it is needed. */
  readonly starts: () => readonly number[];
}

const json = String.raw`\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[^])`;
const url = '%[0-9a-f]{2}';
const html = String.raw`&(?:#(?:x[0-9a-f]{1,8}|\d{1,8});?|(?:amp|lt|gt|quot|apos);)`;
/** Base64 in lines (RFC 2045 6.8); other text seldom has a line that ends so, which saves its time. */
const lineBreak = String.raw`(?<=[a-z0-9+/]{4})\r?\n(?=[a-z0-9+/=])`;
/** Each kind alone, because a key may look like an escape of another kind, and all of them. */
const kinds = [json, url, html, lineBreak, `${json}|${url}|${html}|${lineBreak}`].map(
  (source) => new RegExp(source, 'gi'),
);
/** A text may be escaped so often: JSON in JSON in a URL. */
const maximumDepth = 3;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const escapes = new RegExp(`[\\\\%&]|${lineBreak}`, 'i');

/** Whether a text may hold escapes. */
export function mayBeEscaped(text: string): boolean {
  return escapes.test(text);
}

/** What a text may mean if escapes in it are undone, in one way up to three times. */
export function* readingsOf(original: string): Generator<Reading> {
  for (const kind of kinds) {
    let text = original;
    for (let depth = 1; depth <= maximumDepth; depth += 1) {
      const next = text.replace(kind, characterOf);
      if (next === text) break;
      text = next;
      yield { text, starts: () => startsIn(original, kind, depth) };
    }
  }
}

function startsIn(original: string, kind: RegExp, depth: number): readonly number[] {
  let text = original;
  let starts = Array.from({ length: text.length + 1 }, (_, index) => index);
  for (let times = 0; times < depth; times += 1) {
    const next: number[] = [];
    let end = 0;
    for (const { 0: escape, index } of text.matchAll(kind)) {
      const undone = characterOf(escape).length;
      for (let at = end; at < index + undone; at += 1) next.push(starts[at] ?? 0);
      end = index + escape.length;
    }
    starts = next.concat(starts.slice(end));
    text = text.replace(kind, characterOf);
  }
  return starts;
}

function characterOf(escape: string): string {
  if (escape.endsWith('\n') && escape !== '\\\n') return '';
  const [, hexadecimal, decimal, entity] =
    /^(?:(?:\\u|\\x|%|&#x)([0-9a-f]+)|&#(\d+)|&(\w+);)/i.exec(escape) ?? [];
  if (hexadecimal !== undefined) return String.fromCharCode(Number.parseInt(hexadecimal, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  if (entity !== undefined) return entities[entity.toLowerCase()] ?? ' ';
  return escape === '\\n' ? '\n' : escape === '\\r' ? '\r' : escape.slice(1);
}
