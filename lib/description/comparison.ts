import { createContext, Script } from 'node:vm';
import type { Finding } from '../evidence/record/requirement-result.js';
import { describeValue } from '../specification/json-value.js';

/** The outcome of one DESC requirement: how many comparisons were made, what differs, and what could not be compared. */
export interface DescriptionResult {
  readonly checks: number;
  readonly findings: readonly Finding[];
  readonly open: readonly string[];
}

/** A value or a schema of the target's description. */
type Place = { readonly pointer: string };

/** What may not end by itself is run in a context of its own, for so many milliseconds. */
const timeout = 2_000;
const context = createContext({});
const script = new Script('compute()');

/** Counts comparisons and keeps each difference once, even if several places share what differs. */
export class Comparison implements DescriptionResult {
  checks = 0;
  readonly findings: Finding[] = [];
  readonly open: string[] = [];
  readonly #known = new Set<string>();

  /**
   * Compares a keyword with what is specified.
   * @param received what the description has; a list of what it has instead
   */
  same(place: Place, subject: string, keyword: string, expected: unknown, received: unknown): void {
    this.checks += 1;
    if (expected === received) return;
    const [wanted, found] = [expected, received].map(shown);
    const isMissing = received === undefined || Array.isArray(received);
    const difference = isMissing ? `${wanted} is missing` : `is ${found}, not ${wanted}`;
    this.fail(place, {
      message: `${subject}: \`${keyword}\` ${difference}`,
      expected: `${keyword}: ${wanted}`,
      received: `${keyword}: ${found}`,
    });
  }

  /** Keeps a difference. @param what those at one place have in common that are one */
  fail({ pointer }: Place, difference: Omit<Finding, 'exchanges' | 'pointer'>, what?: string): void {
    const key = `${pointer} ${what ?? `${difference.expected} ${difference.received}`}`;
    if (!this.#known.has(key)) this.findings.push({ ...difference, exchanges: [], pointer });
    this.#known.add(key);
  }

  /**
   * Runs what uses a schema. One that can't be used is a finding. One that is too deep, or takes longer than anybody waits,
   * as a `pattern` or compositions of compositions may, leaves the rest open.
   */
  within(subject: string, schema: Place, compute: () => void): void {
    // What is too large once would take as long the next time.
    if (this.open.length > 0) return;
    try {
      script.runInContext(Object.assign(context, { compute }), { timeout });
    } catch (error) {
      const [code, message] = ['code', 'message'].map((name): unknown => Reflect.get(Object(error), name));
      if (error instanceof RangeError) this.open.push(`${subject}: it nests too deep`);
      else if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') this.open.push(`${subject}: it takes too long`);
      else
        this.fail(schema, {
          message: `${subject} has an unusable schema`,
          expected: 'a JSON schema',
          received: String(message),
        });
    }
  }
}

/** A value of a description as a finding shows it. Strings are in quotes: the version `1` is not the version `"1"`. */
function shown(value: unknown): string {
  return Array.isArray(value) ? value.map(shown).join(', ') || 'none' : describeValue(value);
}
