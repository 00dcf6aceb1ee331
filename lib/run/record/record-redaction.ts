import type { Redact } from '../../http/redaction/redaction.js';

/** Members that hold words of the target or of the user; all else are the suite's own words, and may not be changed. */
const redactedMembers: ReadonlySet<string> = new Set([
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
  'command',
  'stopped',
  'baseUrl',
  'leftovers',
]);

/**
 * A record, or a part of it, without secrets. What was recorded of a target holds none, but a text of it that a probe
 * took apart and put together again might.
 */
export function redacted<Value>(value: Value, redact: Redact, within = false): Value {
  if (typeof value === 'string') return (within ? redact(value) : value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item, redact, within)) as Value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => [
    name,
    redacted(member, redact, within || redactedMembers.has(name)),
  ]);
  return Object.fromEntries(members) as Value;
}
