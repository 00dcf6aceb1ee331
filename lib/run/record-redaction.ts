import type { Redact, Redaction } from '../evidence/redaction.js';

/** Members that hold words of the user. */
const ofUser: ReadonlySet<string> = new Set(['command', 'baseUrl']);

/** Members that may quote the target; all else are the suite's own words, and may not be changed. */
const ofTarget: ReadonlySet<string> = new Set([
  'reason',
  'message',
  'expected',
  'received',
  'reproduce',
  'pointer',
  'subject',
  'behaviour',
  'value',
  'notes',
  'obstacle',
  'stopped',
  'leftovers',
  'description',
  'rules',
]);

/**
 * A record, or a part of it, without secrets, and without members that are undefined. What was recorded of a target holds none, but a text of it that a probe
 * took apart and put together again might.
 */
export function redacted<Value>(value: Value, redaction: Redaction, redact?: Redact): Value {
  if (typeof value === 'string') return (redact?.(value) ?? value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item, redaction, redact)) as Value;
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const own = ofTarget.has(name) ? redaction : ofUser.has(name) ? redaction.whole : redact;
    return member === undefined ? [] : [[name, redacted(member, redaction, own)]];
  });
  return Object.fromEntries(members) as Value;
}
