import type { RecordedExchange, ExchangeResponse } from './recorded-exchange.js';
/** Replaces the keys in a text: they are written nowhere, not in evidence, reports, errors or on the terminal. */
export type Redact = (text: string) => string;

/** For the suite's own sentences, which may quote the target: no word of the specification is damaged because a key contains it. */
export interface Redaction extends Redact {
  /** For what the user wrote, such as a command: each whole key is replaced, and no part of one. */
  readonly whole: Redact;
  /** For what a target sent: eight or more consecutive characters of a key are replaced too, in any case. */
  readonly received: Redact;
}

/** A secret, and what replaces it: `$PETSTORE_API_KEY`. */
export type Secret = readonly [text: string, display: string];

/** Characters of the shortest key that can be told from other text, and of the shortest part that is replaced. */
export const shortestKey = 8;

/** Words of the specification, which every conforming response may hold: a part of a key that is one tells nothing. */
const vocabulary =
  'business enterprise available categoryid application/json authorization www-authenticate location deprecation ' +
  'x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset retry-after connection keep-alive transfer-encoding ' +
  'content-type content-length content-encoding';

/**
 * Replaces each whole secret as it is, URL-encoded, as a JSON string and in base64. Parts of a secret are replaced in
 * what was received, and from then on in sentences, which may quote it.
 */
export function redactionOf(secrets: readonly Secret[]): Redaction {
  const keys = secrets
    .filter(([text]) => text !== '')
    .toSorted(([one], [other]) => other.length - one.length);
  const spellings = keys.flatMap(spellingsOf);
  const words = [vocabulary, ...keys.map(([, display]) => display.toLowerCase())].join(' ');
  const parts = partsOf(keys);
  const pairs = new Set([...parts.keys()].flatMap((part) => consecutive(2, part)));
  const seen: Parts = new Map();
  const whole: Redact = (text) => spellings.reduce((rest, replaceIn) => replaceIn(rest), text);
  const isTold = (run: string): boolean => !words.includes(run);
  const received: Redact = (text) =>
    replaceParts(whole(text), parts, pairs, (run, display) => {
      if (!isTold(run)) return false;
      for (const part of consecutive(shortestKey, run)) seen.set(part, display);
      return true;
    });
  const sentence: Redact = (text) => replaceParts(whole(text), seen, pairs, isTold);
  return Object.assign(sentence, { whole, received });
}

/** What replaces a secret in each of the ways in which a service or a report may write it, the longest first. */
function spellingsOf([text, display]: Secret): Redact[] {
  const bytes = Buffer.from(text);
  const url = encodeURIComponent(text);
  const plain = [
    text,
    url,
    url.replace(/%../g, (code) => code.toLowerCase()),
    JSON.stringify(text).slice(1, -1),
  ];
  const base64 = bytes.toString('base64');
  const encoded = [base64, base64.replace(/=+$/, ''), bytes.toString('base64url')];
  const shown = new Map([
    ...encoded.map((spelling) => [spelling, `[base64 of ${display}]`] as const),
    ...plain.map((spelling) => [spelling, display] as const),
  ]);
  return [...shown]
    .flatMap(([spelling, by]) => [[spelling, by] as const, [spelling.replaceAll('/', '\\/'), by] as const])
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([spelling, by]) => replacing(spelling, by));
}

function replacing(spelling: string, display: string): Redact {
  if (spelling.length >= shortestKey) return (text) => text.replaceAll(spelling, () => display);
  // `test` stands in `latest` by chance.
  const alone = new RegExp(`(?<![a-z0-9])${spelling.replace(/\W/g, '\\$&')}(?![a-z0-9])`, 'gi');
  return (text) => text.replace(alone, () => display);
}

/** Eight consecutive characters of a secret, in lower case, and what replaces them. */
type Parts = Map<string, string>;

function partsOf(secrets: readonly Secret[]): Parts {
  return new Map(
    secrets.flatMap(([text, display]) => {
      const shown = `[part of ${display.replace(/^\$|[()]/g, '')}]`;
      return consecutive(shortestKey, inLowerCase(text)).map((part) => [part, shown] as const);
    }),
  );
}

function consecutive(length: number, text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) =>
    text.slice(at, at + length),
  );
}

/** Replaces the longest runs of parts that `isTold` does not let pass. */
function replaceParts(
  text: string,
  parts: Parts,
  pairs: ReadonlySet<string>,
  isTold: (run: string, display: string) => boolean,
): string {
  if (parts.size === 0) return text;
  const lower = inLowerCase(text);
  let result = '';
  let end = 0;
  for (let at = 0; at + shortestKey <= lower.length; at += 1) {
    // Most pairs of characters stand in no key, and no part begins at one of the characters before.
    if (!pairs.has(lower.slice(at + shortestKey - 2, at + shortestKey))) {
      at += shortestKey - 2;
      continue;
    }
    const display = parts.get(lower.slice(at, at + shortestKey));
    if (display === undefined) continue;
    const from = at;
    while (parts.has(lower.slice(at + 1, at + 1 + shortestKey))) at += 1;
    const to = at + shortestKey;
    if (!isTold(lower.slice(from, to), display)) continue;
    // An escape (`\/`) goes whole, so that JSON stays JSON.
    const begin = from - (/(?<!\\)(?:\\\\)*\\$/.test(text.slice(end, from)) ? 1 : 0);
    if (from >= end) result += text.slice(end, begin) + display;
    end = to;
  }
  return result + text.slice(end);
}

/** A text of the same length: some letters beyond ASCII become two in lower case. */
function inLowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether a key is a plain word or a plain number, which other text may well hold by chance. */
export function mayBeWord(key: string): boolean {
  return /^\P{L}*$|^\P{N}*$/u.test(key);
}

/** An exchange as it may be written: without keys, wherever the target or the user has put one. */
export function redactedExchange(exchange: RecordedExchange, redact: Redaction): RecordedExchange {
  const { request, response, failure } = exchange;
  const sent: RecordedExchange['request'] = {
    ...request,
    url: redact(request.url),
    // The Authorization header shows the name of the key's variable already.
    headers: request.headers.map(([name, value]) => [name, name === 'Authorization' ? value : redact(value)]),
    ...(request.body === undefined ? {} : { body: redact(request.body) }),
  };
  return {
    ...exchange,
    request: sent,
    ...(response && {
      response: {
        ...response,
        headers: response.headers.map(([name, value]) => [redact.received(name), redact.received(value)]),
        body: redactedBody(response.body, redact.received),
      },
    }),
    ...(failure && { failure: { ...failure, message: redact(failure.message) } }),
  };
}

function redactedBody(body: ExchangeResponse['body'], redact: Redact): ExchangeResponse['body'] {
  if (body.text !== undefined) return { ...body, text: redact(body.text) };
  if (body.base64 === undefined) return body;
  // Latin-1 maps each byte to one character, so that a key inside is found and the rest is kept byte for byte.
  const bytes = redact(Buffer.from(body.base64, 'base64').toString('latin1'));
  return { ...body, base64: Buffer.from(bytes, 'latin1').toString('base64') };
}
