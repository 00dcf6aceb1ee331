import type { Exchange } from '../evidence/exchange.js';
import type { EvidenceFacts } from '../evidence/evidence.js';

const longestExcerpt = 160;

/** What gives away how a service is made; each pattern is one that no honest message for a client would hold. */
const patterns: Readonly<Record<string, readonly RegExp[]>> = {
  'a stack trace': [
    // A frame names a file, its line and its column: `at line 1:12` and `at 12:30:45` are no frames.
    /\bat\s+(?:[^\s"\\]+\s+){0,3}\(?[^\s"()]*\.[A-Za-z]\w{0,5}:\d+:\d+\)?/,
    /Traceback \(most recent call last\)|File \\?"[^"]+", line \d+/,
    /\bat\s+[\w$.]+\([\w$]+\.(?:java|kt|scala|groovy|cs):\d+\)|Exception in thread|goroutine \d+ \[/,
    /\.rb:\d+:in\b|\.go:\d+ \+0x|\.php(?::\d+|\(\d+\))|\.exs?:\d+: |\.rs:\d+:\d+\b/,
    /\b(?:java|javax|org\.springframework|System|Microsoft)\.[\w.]+(?:Exception|Error)\b/,
  ],
  'a file path': [
    /(?:^|[\s"'(=:])\/(?:usr|home|var|opt|srv|app|root|etc|tmp|mnt|workspace|Users)\/[\w./@-]+/,
    /\b[A-Za-z]:\\\\?(?:[\w .-]+\\\\?)+[\w.-]+|\bnode_modules\/[\w@./-]+/,
  ],
  'a database query': [
    // In capitals, or with punctuation that no sentence has: `select one of the values from the list` is a sentence.
    /\b(?:SELECT\s+.{1,200}\s+FROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\s+\S+/,
    /\bselect\s+(?:\*|\w+\.\w+).{0,200}\s+from\s+\w+|\binsert\s+into\s+\w+\s*\(/i,
    /\bupdate\s+\w+\s+set\s+\w+\s*=|\bdelete\s+from\s+\w+\s+where\b/i,
  ],
  'a database message': [
    /\bSQLSTATE\b|\bORA-\d{5}\b|syntax error at or near|\bSQLITE_[A-Z]+\b|\bE11000\b/,
    /violates (?:not-null|unique|foreign key|check) constraint/,
  ],
  // A name and a password before the host.
  'a credential': [/\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"']*:[^\s/:@"']+@[\w.-]+/i],
};
/** What redaction puts in the place of a key. */
const credential = /\$\{?[A-Z0-9_]*API_KEY\b/;
/** A key that may be a word of the service's own is one only behind the name of a scheme, or encoded. */
const credentialBesideWords = new RegExp(
  `(?:\\b(?:bearer|basic|token|apikey)\\s+|\\b(?:base64|hexadecimal) of )${credential.source}`,
  'i',
);

/** What an error gives away first: by its body, or the credential in its headers. What the request said is no secret else. */
export function leakIn(
  { request, response }: Exchange,
  { redact, keyMayBeWord }: Pick<EvidenceFacts, 'redact' | 'keyMayBeWord'>,
) {
  const text = redact(response?.body.text ?? '');
  const shown = (what: string, excerpt: string) => ({ what, excerpt: excerpt.slice(0, longestExcerpt) });
  for (const [what, forms] of Object.entries(patterns))
    for (const form of forms) {
      const excerpt = form.exec(text)?.[0];
      const isEchoed = [request.url, request.body].some((sent) => sent?.includes(excerpt?.trim() ?? ''));
      if (excerpt !== undefined && !isEchoed) return shown(what, excerpt);
    }
  const key = keyMayBeWord ? credentialBesideWords : credential;
  const headers = (response?.headers ?? []).map(([name, value]) => `${name}: ${redact(value)}`);
  const excerpt = key.exec(text)?.[0] ?? headers.find((header) => key.test(header));
  return excerpt === undefined ? undefined : shown('the credential', excerpt);
}
