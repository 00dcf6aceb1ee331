import type { Finding } from '../record/record.js';
import { describeValue } from '../specification/describe-value.js';

/** The outcome of one DESC requirement: how many comparisons were made, what differs, and what could not be compared. */
export interface DescriptionResult {
  readonly checks: number;
  readonly findings: readonly Finding[];
  readonly open: readonly string[];
}

type Difference = Omit<Finding, 'exchanges' | 'pointer'>;

/** A value or a schema of the target's description. */
type Place = { readonly pointer: string };

/** Counts comparisons and keeps each difference once, even if several places share what differs. */
export class Comparison implements DescriptionResult {
  checks = 0;
  readonly findings: Finding[] = [];
  readonly open: string[] = [];
  readonly #known = new Set<string>();

  /**
   * Compares a keyword with what is specified. Returns whether it is the same.
   * @param received what the description has; a list of what it has instead
   */
  same(place: Place, subject: string, keyword: string, expected: unknown, received: unknown): boolean {
    this.checks += 1;
    if (expected === received) return true;
    const [wanted, found] = [expected, received].map(shown);
    const isMissing = received === undefined || Array.isArray(received);
    const difference = isMissing ? `${wanted} is missing` : `is ${found}, not ${wanted}`;
    this.fail(place, {
      message: `${subject}: \`${keyword}\` ${difference}`,
      expected: `${keyword}: ${wanted}`,
      received: `${keyword}: ${found}`,
    });
    return false;
  }

  /** Keeps a difference. @param kind what differences at one place have in common, if they are one */
  fail({ pointer }: Place, difference: Difference, kind?: string): void {
    const key = JSON.stringify([pointer, kind ?? [difference.expected, difference.received]]);
    if (!this.#known.has(key)) this.findings.push({ ...difference, exchanges: [], pointer });
    this.#known.add(key);
  }
}

/** A value of a description as a finding shows it. Strings are in quotes: the version `1` is not the version `"1"`. */
function shown(value: unknown): string {
  return Array.isArray(value)
    ? value.map(shown).join(', ') || 'none'
    : describeValue(value).replace(/ \(a string\)$/, '');
}
