/** Replaces the keys in a text: they are written nowhere, not in evidence, reports, errors or on the terminal. */
export type Redact = (text: string) => string;

export type Redaction = ReturnType<typeof redactionOf>;

/** A secret, and what replaces it: `$PETSTORE_API_KEY`. */
export type Secret = readonly [text: string, display: string];

/** Characters of the shortest key that can be told from other text, and of the shortest part that is replaced. */
export const shortestKey = 8;

/** Words of the specification, which every conforming response may hold: a part of a key that is one tells nothing. */
const vocabulary =
  'business enterprise available categoryid application/json authorization www-authenticate location deprecation ' +
  'x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset retry-after connection keep-alive transfer-encoding ' +
  'content-type content-length content-encoding';

/** Replaces each whole secret as it is, URL-encoded, as a JSON string and in base64, and parts of it as above. */
export function redactionOf(secrets: readonly Secret[]) {
  let known = patternsOf(secrets);
  const seen = new Set<string>();
  const whole: Redact = (text) =>
    known.spellings.reduce((rest, [spelling, display]) => rest.replace(spelling, () => display), text);
  const withoutParts = (text: string, isReceived: boolean): string =>
    whole(text).replace(known.runs, (all, escape: string | undefined, found: string) => {
      const run = found.toLowerCase();
      const first = run.slice(0, shortestKey);
      if (known.words.includes(run) || !(isReceived || seen.has(first))) return all;
      if (isReceived) for (const part of eightsIn(run)) seen.add(part);
      return `${escape?.slice(1) ?? ''}[part of ${known.parts.get(first) ?? ''}]`;
    });
  /** For the suite's own sentences, which may quote what was received: parts of a key that stood there are replaced, too. */
  const inSentences: Redact = (text) => withoutParts(text, false);
  return Object.assign(inSentences, {
    /** For what the user wrote, such as a command: each whole key is replaced, and no part of one. */
    whole,
    /** For what a target sent: eight or more consecutive characters of a key are replaced too, in any case. */
    received: (text: string) => withoutParts(text, true),
    /** Keys that came to be known later are replaced from now on. */
    add: (more: readonly Secret[]) => {
      known = patternsOf([...known.secrets, ...more]);
    },
  });
}

/** What is looked for: the spellings of secrets, their parts and runs of those; and the words in which no part counts. */
function patternsOf(secrets: readonly Secret[]) {
  const keys = secrets
    .filter(([text]) => text !== '')
    .toSorted(([one], [other]) => other.length - one.length);
  const parts = new Map(
    keys.flatMap(([text, display]) =>
      eightsIn(text.toLowerCase()).map((part) => [part, display.replace(/^\$|[()]/g, '')] as const),
    ),
  );
  const words = [vocabulary, ...keys.map(([, display]) => display)].join(' ').toLowerCase();
  return { secrets, spellings: keys.flatMap(spellingsOf), parts, runs: runsOf([...parts.keys()]), words };
}

/** Each way in which a service or a report may write a secret, the longest first, with what replaces it. */
function spellingsOf([text, display]: Secret): Array<readonly [RegExp, display: string]> {
  const url = encodeURIComponent(text);
  const lowerCased = url.replace(/%../g, (code) => code.toLowerCase());
  const plain = [text, url, lowerCased, JSON.stringify(text).slice(1, -1)];
  const base64 = Buffer.from(text).toString('base64');
  const encoded = [base64, base64.replace(/=+$/, ''), Buffer.from(text).toString('base64url')];
  return [...new Set([...encoded, ...plain])]
    .toSorted((one, other) => other.length - one.length)
    .map((spelling) => {
      const pattern = Array.from(spelling, patternOf).join('');
      const by = plain.includes(spelling) ? display : `[base64 of ${display}]`;
      // `test` stands in `latest` by chance.
      return spelling.length >= shortestKey
        ? [new RegExp(pattern, 'g'), by]
        : [new RegExp(`(?<![a-z0-9])${pattern}(?![a-z0-9])`, 'gi'), by];
    });
}

/** A character as it is, or as an escape of JSON. */
function patternOf(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const literal = character.replace(/\W/gu, '\\$&');
  return `(?:${character === '/' ? String.raw`\\?` : ''}${literal}|\\\\u${code})`;
}

function eightsIn(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - shortestKey + 1) }, (_, at) =>
    text.slice(at, at + shortestKey),
  );
}

/** Where parts stand one behind the other: from where the first begins to where the last ends. */
function runsOf(parts: readonly string[]): RegExp {
  if (parts.length === 0) return /(?!)/g;
  const begins = `(?=${parts.map((part) => part.replace(/\W/gu, '\\$&')).join('|')})[^]`;
  // An escape before them goes whole, so that JSON stays JSON.
  return new RegExp(`((?<!\\\\)(?:\\\\\\\\)*\\\\)?((?:${begins})+[^]{${shortestKey - 1}})`, 'gi');
}

/** Whether a key is a plain word or a plain number, which other text may well hold by chance. */
export function mayBeWord(key: string): boolean {
  return /^\P{L}*$|^\P{N}*$/u.test(key);
}
