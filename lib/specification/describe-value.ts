import { isLosslessNumber } from 'lossless-json';

/** Longer texts are cut, so that a finding stays readable. */
const longest = 60;

/** A parsed JSON value in a few words for a finding: `"12" (a string)`, `null`, `absent`, `an array of 3`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `${JSON.stringify(cut(value))} (a string)`;
  if (typeof value === 'bigint' || typeof value === 'number') {
    return Number.isFinite(value) || typeof value === 'bigint'
      ? cut(String(value))
      : 'a number beyond the range of a double';
  }
  if (isLosslessNumber(value)) return cut(value.toString());
  return Array.isArray(value) ? `an array of ${value.length}` : 'an object';
}

/** Never cuts between the halves of a surrogate pair. */
function cut(text: string): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
