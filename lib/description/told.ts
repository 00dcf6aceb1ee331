import { describeValue } from '../specification/describe-value.js';

/** A value of a description in a few words; a list of plain values is written out. */
export function told(value: unknown): string {
  if (Array.isArray(value) && value.length <= 10) return value.map(describeValue).join(', ') || 'none';
  return describeValue(value);
}

/** Names in code marks: `a`, `b`; `none` where there are none. */
export function named(names: Iterable<unknown>): string {
  return (
    [...names].map((name) => `\`${typeof name === 'string' ? name : describeValue(name)}\``).join(', ') ||
    'none'
  );
}
