/** A text as it reads, and where in the text as it was written each of its characters begins. */
export interface Reading {
  readonly text: string;
  /** For an index up to the text's length. */
  readonly offsetOf: (index: number) => number;
}

/** What an escape stands for, and how many characters it takes. */
type Escape = readonly [character: string, length: number];

/** How a character is written where it can't stand for itself: what an escape begins with, and how it goes on. */
const escapes = {
  json: {
    beginning: '\\',
    read: (text, at) => {
      const next = text[at + 1] ?? '';
      if (next !== 'u' && next !== 'x') return next === '' ? undefined : [next, 2];
      const length = next === 'u' ? 4 : 2;
      return ofCode(text.slice(at + 2, at + 2 + length), length, 2) ?? [next, 2];
    },
  },
  address: {
    beginning: '%',
    read: (text, at) => ofCode(text.slice(at + 1, at + 3), 2, 1),
  },
  html: {
    beginning: '&',
    read: (text, at) => {
      const [whole, hexadecimal, decimal, name] = reference.exec(text.slice(at, at + longestReference)) ?? [];
      if (whole === undefined) return undefined;
      if (name !== undefined) return [entities[name.toLowerCase()] ?? '', whole.length];
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
      return [String.fromCharCode(code), whole.length];
    },
  },
} as const satisfies Record<
  string,
  { beginning: string; read: (text: string, at: number) => Escape | undefined }
>;

export type Escaping = keyof typeof escapes;

const reference = /^&(?:#(?:x([0-9a-f]{1,8})|([0-9]{1,8}));?|(amp|lt|gt|quot|apos);)/i;
const longestReference = 12;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function ofCode(digits: string, length: number, before: number): Escape | undefined {
  if (digits.length < length || !/^[0-9a-f]+$/i.test(digits)) return undefined;
  return [String.fromCharCode(Number.parseInt(digits, 16)), before + length];
}

/** The text as it was written, read character by character. */
export function asWritten(text: string): Reading {
  return { text, offsetOf: (index) => index };
}

/** Whether a reading holds what escapes of this kind begin with. */
export function mayBeEscaped({ text }: Reading, escaping: Escaping): boolean {
  return text.includes(escapes[escaping].beginning);
}

/** The reading with each escape of one kind taken for the character that it stands for; the same where there is none. */
export function unescaped(reading: Reading, escaping: Escaping): Reading {
  const { text, offsetOf } = reading;
  let result = '';
  let end = 0;
  for (const { from, to, character } of escapesIn(text, escaping)) {
    result += text.slice(end, from) + character;
    end = to;
  }
  if (end === 0) return reading;
  result += text.slice(end);
  let offsets: ((index: number) => number) | undefined;
  return {
    text: result,
    // Most texts hold nothing whose place is asked for.
    offsetOf: (index) => offsetOf((offsets ??= offsetsIn(text, escaping))(index)),
  };
}

function* escapesIn(
  text: string,
  escaping: Escaping,
): Generator<{ from: number; to: number; character: string }> {
  const { beginning, read } = escapes[escaping];
  for (let at = text.indexOf(beginning); at !== -1;) {
    const escape = read(text, at);
    const to = at + (escape?.[1] ?? 1);
    if (escape) yield { from: at, to, character: escape[0] };
    at = text.indexOf(beginning, to);
  }
}

/** Where in the text each character of what it reads as begins. */
function offsetsIn(text: string, escaping: Escaping): (index: number) => number {
  /** Where escapes have ended, in the new text and in the old one. */
  const now: number[] = [0];
  const before: number[] = [0];
  let shorter = 0;
  for (const { from, to, character } of escapesIn(text, escaping)) {
    shorter += to - from - character.length;
    now.push(to - shorter);
    before.push(to);
  }
  return (index) => {
    let [low, high] = [0, now.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((now[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return (before[low] ?? 0) + index - (now[low] ?? 0);
  };
}
