import { normalised, sieveFor } from './sieve.js';
import { asWritten, mayBeEscaped, unescaped, type Escaping, type Reading } from './unescaped.js';

/**
 * The key is written nowhere: not in evidence, reports, errors or on the terminal. Everything that was sent or came
 * back passes through here before it is kept; a target may well echo what it was sent, and spell it another way.
 */
export type Redact = (text: string) => string;

/** A secret, and what stands in its place. */
export type Secret = readonly [text: string, display: string];

/** Shorter ones may be innocent words, `test` in `latest`: they are known for secrets behind the name of a scheme alone. */
const shortestOnItsOwn = 8;
/** As often a text may have been escaped: JSON in JSON in an address. */
const mostEscapings = 3;
/** Characters that one may take when it is escaped as often: `&amp;amp;#x00000041;`, and more. */
const longestSpelling = 40;
/** Characters that are read at a time. */
const portion = 32 * 1024;
const escapings: readonly Escaping[] = ['html', 'address', 'json'];

/**
 * A function that replaces each secret in any case, what differs from it at its ends alone, its hexadecimal, and its
 * base64 at each of the three alignments, also if characters of it are escaped for JSON, an address or HTML.
 */
export function redactionOf(secrets: readonly Secret[]): Redact {
  const displays = new Map<string, string>();
  const cores = secrets
    .map(([secret, display]): Secret => [secret.slice(1, -1), display])
    .filter(standsOnItsOwn);
  // A core may be a secret of its own: that is what it is shown as.
  for (const [text, display] of [...secrets, ...cores].flatMap(spellingsOf)) {
    if (text !== '' && !displays.has(text)) displays.set(text, display);
  }
  if (displays.size === 0) return (text) => text;
  // Longest first: a near miss may contain the key, and the key a shortened one.
  const texts = [...displays.keys()].sort((a, b) => b.length - a.length);
  const longest = texts[0]?.length ?? 0;
  const search = searchFor(texts);
  const inAnyCase = new Map(texts.toReversed().map((text) => [normalised(text), displays.get(text) ?? '']));
  const withoutBeginning = cutOffFrom(secrets);
  const displayOf = (match: string): string => displays.get(match) ?? inAnyCase.get(normalised(match)) ?? '';
  return (text) => {
    const whole = /[\\%&]/.test(text)
      ? replaceEscaped(text, search, displayOf, longest)
      : replaceFound(text, foundIn(asWritten(text), search, displayOf));
    return withoutBeginning(whole);
  };
}

type Search = (text: string) => Iterable<RegExpExecArray>;

/** The places of these in a text, in any case; of two at one place the first. */
function searchFor(texts: readonly string[]): Search {
  const pattern = new RegExp(texts.map(patternOf).join('|'), 'gi');
  const mayHold = sieveFor(texts);
  return (text) => (mayHold(text) ? text.matchAll(pattern) : []);
}

/** A text that was cut off may end within a secret: half of one, or more, is replaced too. */
function cutOffFrom(secrets: readonly Secret[]): Redact {
  const beginnings = secrets.flatMap(([secret, display]) => {
    const least = Math.max(shortestOnItsOwn, Math.ceil(secret.length / 2));
    const beginning = secret.slice(0, -1).toLowerCase();
    // Every beginning that is long enough begins with the shortest: it is looked for, and not each length in turn.
    return beginning.length < least ? [] : [{ beginning, shortest: beginning.slice(0, least), display }];
  });
  const longest = Math.max(0, ...beginnings.map(({ beginning }) => beginning.length));
  return (text) => {
    const end = text.slice(text.length - Math.min(longest, text.length)).toLowerCase();
    for (const { beginning, shortest, display } of beginnings) {
      const from = Math.max(0, end.length - beginning.length);
      for (let at = end.indexOf(shortest, from); at !== -1; at = end.indexOf(shortest, at + 1)) {
        if (beginning.startsWith(end.slice(at))) return text.slice(0, at - end.length) + display;
      }
    }
    return text;
  };
}

function standsOnItsOwn([text]: Secret): boolean {
  return text.length >= shortestOnItsOwn;
}

/** A text as it is, in UTF-16 (a zero byte beside every character), in base64 and in hexadecimal. */
function spellingsOf([text, display]: Secret): Secret[] {
  const encoded = base64Forms(text).map((form): Secret => [form, `[base64 of ${display}]`]);
  const hexadecimal: Secret = [Buffer.from(text, 'utf8').toString('hex'), `[hexadecimal of ${display}]`];
  const others: Secret[] = [[Array.from(text).join('\u0000'), display], ...encoded, hexadecimal];
  return [[text, display], ...others.filter(standsOnItsOwn)];
}

interface Found {
  readonly from: number;
  readonly to: number;
  readonly display: string;
}

/**
 * Replaces what is a secret as the text stands or when it is read, from its first character to its last. A long text is
 * read in portions that overlap by the longest that a secret can be, so that it takes no more memory than a short one.
 */
function replaceEscaped(
  text: string,
  search: Search,
  displayOf: (match: string) => string,
  longest: number,
): string {
  const found: Found[] = [];
  const overlap = longest * longestSpelling;
  const step = Math.max(portion, overlap);
  for (let start = 0; start === 0 || start + overlap < text.length; start += step) {
    const part = text.slice(start, start + step + overlap);
    const readings = /[\\%&]/.test(part) ? readingsOf(part) : [asWritten(part)];
    for (const { from, to, display } of readings.flatMap((reading) => foundIn(reading, search, displayOf)))
      found.push({ from: start + from, to: start + to, display });
  }
  return replaceFound(text, found);
}

function replaceFound(text: string, found: Found[]): string {
  if (found.length === 0) return text;
  let result = '';
  let end = 0;
  for (const { from, to, display } of found.sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= end) result += text.slice(end, from) + display;
    end = Math.max(end, to);
  }
  return result + text.slice(end);
}

function foundIn({ text, offsetOf }: Reading, search: Search, displayOf: (match: string) => string): Found[] {
  return Array.from(search(text), ({ 0: match, index }) => ({
    from: offsetOf(index),
    to: offsetOf(index + match.length),
    display: displayOf(match),
  }));
}

/** What a text may say: as it stands, escaped in one way several times, or in one way within another. */
function readingsOf(text: string): Reading[] {
  const whole = asWritten(text);
  const read = (ways: readonly Escaping[]): Reading[] => {
    const readings: Reading[] = [];
    for (let last = whole, times = 0; times < mostEscapings; times += 1) {
      const next = ways.reduce(unescaped, last);
      if (next === last) break;
      readings.push(next);
      last = next;
    }
    return readings;
  };
  const alone = [whole, ...escapings.flatMap((escaping) => read([escaping]))];
  const ways = escapings.filter((escaping) => alone.some((reading) => mayBeEscaped(reading, escaping)));
  return ways.length > 1 ? [...alone, ...read(escapings)] : alone;
}

/** A text's base64: of it alone, and the part that does not depend on what stands beside it, at each alignment. */
function base64Forms(text: string): string[] {
  const whole = Buffer.from(text, 'utf8').toString('base64').replace(/=+$/, '');
  const forms = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text, 'utf8')]);
    const wholeGroups = Math.floor(bytes.length / 3) * 3;
    return bytes
      .subarray(0, wholeGroups)
      .toString('base64')
      .slice(offset === 0 ? 0 : 4);
  });
  return [whole, ...forms];
}

/** A text, in either alphabet of base64 (RFC 4648 5): a key that differs only there is hardly another's. */
function patternOf(text: string): string {
  const pattern = text.replace(
    /[.*+?^${}()|[\]\\/_-]/g,
    (character) => alphabets[character] ?? `\\${character}`,
  );
  return text.length < shortestOnItsOwn
    ? `(?<=\\b(?:bearer|basic|token)\\s{1,3})${pattern}(?![\\w=])`
    : pattern;
}

const alphabets: Readonly<Record<string, string>> = { '+': '[+-]', '-': '[+-]', '/': '[/_]', _: '[/_]' };
