import { describeValue } from '../specification/json-value.js';
import { passed, type Check } from '../verdict/check.js';
import type { DescriptionValue } from './description-value.js';

type Id = 'DESC-01' | 'DESC-02' | 'DESC-03' | 'DESC-04' | 'DESC-05';

/** The checks of the requirements. What differs at a place that several share is told once. */
export class Comparison {
  readonly checks: Readonly<Record<Id, Check[]>> = {
    'DESC-01': [],
    'DESC-02': [],
    'DESC-03': [],
    'DESC-04': [],
    'DESC-05': [],
  };
  readonly #known = new Set<string>();

  add(id: Id, checks: Iterable<Check>): void {
    for (const check of checks) {
      const { pointer, expected, received } = check.finding ?? {};
      const difference = `${id} ${pointer} ${expected} ${received}`;
      if (!check.finding || !this.#known.has(difference)) this.checks[id].push(check);
      this.#known.add(difference);
    }
  }

  /**
   * Compares a keyword with what is specified.
   * @param received what the description has; a list of what it has instead
   */
  same(
    id: Id,
    place: DescriptionValue,
    subject: string,
    keyword: string,
    expected: unknown,
    received: unknown,
  ): void {
    const [wanted, found] = [expected, received].map(shown);
    const isMissing = received === undefined || Array.isArray(received);
    const difference = isMissing ? `${wanted} is missing` : `is ${found}, not ${wanted}`;
    const finding = {
      message: `${subject}: \`${keyword}\` ${difference}`,
      expected: `${keyword}: ${wanted}`,
      received: `${keyword}: ${found}`,
      exchanges: [],
      pointer: place.pointer,
    };
    this.add(id, [expected === received ? passed : { finding }]);
  }
}

/** A value of a description as a finding shows it. Strings are in quotes: the version `1` is not the version `"1"`. */
function shown(value: unknown): string {
  return Array.isArray(value) ? value.map(shown).join(', ') || 'none' : describeValue(value);
}
