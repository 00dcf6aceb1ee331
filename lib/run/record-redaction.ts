import type { Redact, Redaction } from '../evidence/redaction.js';

/** Members that hold words of the user. */
const ofUser: ReadonlySet<string> = new Set(['command', 'baseUrl']);

/** Members that may quote the target; all else are the suite's own words, and may not be changed. */
// `request` and `failure` are of an exchange.
const ofTarget: ReadonlySet<string> = new Set(
  (
    'reason message expected received reproduce pointer subject behaviour value notes obstacle stopped leftovers ' +
    'description rules request failure'
  ).split(' '),
);

/**
 * A record or an exchange, or a part of one, without secrets, and without members that are undefined. What was recorded of
 * a target holds none, but a text of it that a probe took apart and put together again might.
 */
export function redacted<Value>(value: Value, redaction: Redaction, redact?: Redact): Value {
  if (typeof value === 'string') return (redact?.(value) ?? value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item, redaction, redact)) as Value;
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (member === undefined) return [];
    const ofMember = ofTarget.has(name) ? redaction : ofUser.has(name) ? redaction.whole : redact;
    const own = name === 'response' ? redaction.received : ofMember;
    if (name !== 'base64' || typeof member !== 'string') return [[name, redacted(member, redaction, own)]];
    // Latin-1 maps each byte to one character, so that a key inside is found and the rest is kept byte for byte.
    const bytes = redacted(Buffer.from(member, 'base64').toString('latin1'), redaction, own);
    return [[name, Buffer.from(bytes, 'latin1').toString('base64')]];
  });
  return Object.fromEntries(members) as Value;
}
