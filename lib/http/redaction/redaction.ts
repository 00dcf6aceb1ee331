import { mayBeEscaped, readingsOf } from './readings.js';

/**
 * The key is written nowhere: not in evidence, reports, errors or on the terminal. Everything that was sent or received
 * passes through here before it is kept. A target may repeat what it was sent, and spell it another way.
 */
export type Redact = (text: string) => string;

/** A secret, and what replaces it. */
export type Secret = readonly [text: string, display: string];

/** Characters of the shortest secret that is looked for everywhere: `test` in `latest` is one behind a scheme alone. */
export const shortestKey = 8;
/** Characters that one may take if it is escaped three times: `&amp;amp;#x00000041;`, and more. */
const longestEscape = 40;
/** Characters that are read at a time. */
const portion = 32 * 1024;
/** Characters of a secret that are looked for before the exact search: few texts hold so many of one by chance. */
const pieceLength = shortestKey;

interface Found {
  readonly from: number;
  readonly to: number;
  readonly display: string;
}

type Search = (text: string) => readonly Found[];

/**
 * Replaces each secret in any case, with a character more or less at its ends, eight or more of its first or last
 * characters, in hexadecimal, and in base64 at each of the three alignments, also if characters of it are escaped for JSON,
 * a URL or HTML, or if the base64 is broken into lines (RFC 2045 6.8).
 */
export function redactionOf(secrets: readonly Secret[]): Redact {
  const displays = new Map<string, string>();
  const cores = secrets
    .map(([secret, display]): Secret => [secret.slice(1, -1), display])
    .filter(standsAlone);
  // A core may be a secret itself: then it is shown as that.
  for (const [text, display] of [...secrets, ...cores].flatMap(spellingsOf))
    if (text !== '' && !displays.has(text)) displays.set(text, display);
  if (displays.size === 0) return (text) => text;
  const [whole, parts] = [searchFor(displays), searchForParts(secrets)];
  const search: Search = (text) => [...whole(text), ...parts(text)];
  const overlap = Math.max(...[...displays.keys()].map(({ length }) => length)) * longestEscape;
  return (text) => replace(text, mayBeEscaped(text) ? searchEscaped(text, search, overlap) : search(text));
}

/** Finds spellings in any case; the longest one if several begin at one place. */
function searchFor(displays: ReadonlyMap<string, string>): Search {
  const spellings = [...displays.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(spellings.map(patternOf).join('|'), 'gi');
  const inAnyCase = new Map(spellings.toReversed().map((text) => [normalised(text), displays.get(text)]));
  const pieces = piecesOf(spellings);
  return (text) => {
    const whole = normalised(text);
    if (!pieces.some((piece) => whole.includes(piece))) return [];
    return Array.from(text.matchAll(pattern), ({ 0: match, index }) => {
      const display = displays.get(match) ?? inAnyCase.get(normalised(match)) ?? '';
      return { from: index, to: index + match.length, display };
    });
  };
}

/** The middle of each spelling, one for all that contain it. The exact search takes ten times as long. */
function piecesOf(spellings: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const text of spellings.toReversed().map(normalised)) {
    // Outside ASCII, lower case differs between patterns and texts: every text contains the empty piece.
    const isAscii = /^[\0-\x7f]*$/.test(text);
    const from = Math.max(0, Math.floor((text.length - pieceLength) / 2));
    if (!pieces.some((piece) => text.includes(piece)))
      pieces.push(isAscii ? text.slice(from, from + pieceLength) : '');
  }
  return pieces;
}

/** Searches a text as it is and with escapes undone, in portions that overlap by the longest that a secret can be. */
function searchEscaped(text: string, search: Search, overlap: number): Found[] {
  const found: Found[] = [];
  const step = Math.max(portion, overlap);
  for (let start = 0; start === 0 || start + overlap < text.length; start += step) {
    const part = text.slice(start, start + step + overlap);
    for (const { from, to, display } of search(part))
      found.push({ from: start + from, to: start + to, display });
    if (!mayBeEscaped(part)) continue;
    for (const reading of readingsOf(part)) {
      const inReading = search(reading.text);
      const starts = inReading.length === 0 ? [] : reading.starts();
      for (const { from, to, display } of inReading)
        found.push({ from: start + (starts[from] ?? 0), to: start + (starts[to] ?? 0), display });
    }
  }
  return found;
}

function replace(text: string, found: readonly Found[]): string {
  let result = '';
  let end = 0;
  for (const { from, to, display } of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= end) result += text.slice(end, from) + display;
    end = Math.max(end, to);
  }
  return result + text.slice(end);
}

/**
 * Finds the first or the last characters of a secret, eight or more: services print a key as `pets_live_Q7…`, and a body
 * that was cut off ends within one.
 */
function searchForParts(secrets: readonly Secret[]): Search {
  const parts = secrets.filter(standsAlone).flatMap(([secret, display]) => {
    const variable = /^\$(\w+)$/.exec(display)?.[1];
    // Near misses and encoded keys have the parts of the key itself.
    return variable === undefined ? [] : [{ whole: secret.toLowerCase(), display: `[part of ${variable}]` }];
  });
  const ends = [
    ...new Map(parts.map((part) => [part.whole.slice(0, pieceLength), { ...part, step: 1 }])),
    ...new Map(parts.map((part) => [part.whole.slice(-pieceLength), { ...part, step: -1 }])),
  ].map(([piece, part]) => ({ ...part, piece, pattern: new RegExp(patternOf(piece), 'gi') }));
  return (text) => {
    const lower = text.toLowerCase();
    return ends
      .filter(({ piece }) => lower.includes(piece))
      .flatMap(({ whole, display, pattern, step }) =>
        Array.from(text.matchAll(pattern), ({ index }) => {
          let [from, to] = [index, index + pieceLength];
          if (step === 1) while (to < text.length && text[to]?.toLowerCase() === whole[to - from]) to += 1;
          else while (from > 0 && text[from - 1]?.toLowerCase() === whole.at(from - to - 1)) from -= 1;
          return { from, to, display };
        }),
      );
  };
}

function standsAlone([text]: Secret): boolean {
  return text.length >= shortestKey;
}

/** A text as it is, in UTF-16 (every character with a zero byte beside it), in base64 and in hexadecimal. */
function spellingsOf([text, display]: Secret): Secret[] {
  const encoded = base64Forms(text).map((form): Secret => [form, `[base64 of ${display}]`]);
  const hexadecimal: Secret = [Buffer.from(text, 'utf8').toString('hex'), `[hexadecimal of ${display}]`];
  const others: Secret[] = [[Array.from(text).join('\u0000'), display], ...encoded, hexadecimal];
  return [[text, display], ...others.filter(standsAlone)];
}

/** The base64 of a text alone, and the part of it that does not depend on its surroundings, at each alignment. */
function base64Forms(text: string): string[] {
  const forms = [0, 1, 2].map((offset) => {
    const bytes = Buffer.from('\0'.repeat(offset) + text, 'utf8');
    const wholeGroups = bytes.subarray(0, bytes.length - (bytes.length % 3));
    return wholeGroups.toString('base64').slice(offset === 0 ? 0 : 4);
  });
  return [Buffer.from(text, 'utf8').toString('base64').replace(/=+$/, ''), ...forms];
}

/** Whether a key is a plain word or a plain number, which other text may well hold by chance. */
export function mayBeWord(key: string): boolean {
  return /^\P{L}*$|^\P{N}*$/u.test(key);
}

/** A pattern for a text, in either alphabet of base64 (RFC 4648 5). */
function patternOf(text: string): string {
  const pattern = text.replace(/[.*+?^${}()|[\]\\/_-]/g, (one) => alphabets[one] ?? `\\${one}`);
  if (text.length >= shortestKey) return pattern;
  return `(?<=\\b(?:bearer|basic|token)\\s{1,3})${pattern}(?![\\w=])`;
}

const alphabets: Readonly<Record<string, string>> = { '+': '[+-]', '-': '[+-]', '/': '[/_]', _: '[/_]' };

/** A text in lower case and in one alphabet of base64 (RFC 4648 4). */
function normalised(text: string): string {
  return text.toLowerCase().replaceAll('-', '+').replaceAll('_', '/');
}
