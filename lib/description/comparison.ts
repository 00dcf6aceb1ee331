import type { Finding } from '../record/record.js';

/** What one DESC requirement found: how much was compared, and what differs. */
export interface DescriptionResult {
  readonly checks: number;
  readonly findings: Finding[];
}

export interface Difference {
  /** One sentence without its full stop; the section is put behind it. */
  readonly message: string;
  /** The section of the specification: `4.1`. */
  readonly section: string;
  readonly expected: string;
  readonly received: string;
  readonly pointer: string;
}

/** Counts comparisons and keeps the differences, each once though shared schemas are met at several places. */
export class Comparison implements DescriptionResult {
  checks = 0;
  readonly findings: Finding[] = [];
  readonly #told = new Set<string>();

  /** Counts one comparison; tells of the difference where it does not hold. Returns whether it holds. */
  expect(holds: boolean, difference: () => Difference): boolean {
    this.checks++;
    if (holds) return true;
    const { message, section, expected, received, pointer } = difference();
    const key = JSON.stringify([pointer, expected, received]);
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    const sections = section.includes(',') ? 'sections' : 'section';
    this.findings.push({
      message: `${message} (${sections} ${section})`,
      expected,
      received,
      exchanges: [],
      pointer,
    });
    return false;
  }
}
