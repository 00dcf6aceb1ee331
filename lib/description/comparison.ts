import type { Finding } from '../record/record.js';
import { describeValue } from '../specification/describe-value.js';

/** The outcome of one DESC requirement: how many comparisons were made, and what differs. */
export interface DescriptionResult {
  readonly checks: number;
  readonly findings: Finding[];
}

/** A value or a schema of the target's description. */
type Place = { readonly pointer: string };

/** `message` is one sentence without its full stop. */
type Difference = Required<Pick<Finding, 'message' | 'expected' | 'received'>>;

/** Counts comparisons and keeps each difference once, even if several places share the schema that differs. */
export class Comparison implements DescriptionResult {
  checks = 0;
  readonly findings: Finding[] = [];
  readonly #known = new Set<string>();

  /** Counts one comparison of what stands at a place, and keeps the difference. Returns whether it holds. */
  expect(holds: boolean, { pointer }: Place, difference: () => Difference): boolean {
    this.checks++;
    if (holds) return true;
    const finding = { ...difference(), exchanges: [], pointer };
    const key = JSON.stringify([pointer, finding.expected, finding.received]);
    if (!this.#known.has(key)) this.findings.push(finding);
    this.#known.add(key);
    return false;
  }
}

/** A value of a description as a finding shows it. Strings are in quotes: the version `1` is not the version `"1"`. */
export function shown(value: unknown): string {
  return describeValue(value).replace(/ \(a string\)$/, '');
}

/** Values in code marks: `a`, `b`; `none` if there are none. */
export function listed(values: Iterable<unknown>): string {
  const texts = [...values].map((value) => (typeof value === 'string' ? value : shown(value)));
  return texts.map((text) => `\`${text}\``).join(', ') || 'none';
}
