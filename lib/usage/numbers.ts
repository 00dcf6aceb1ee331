import { UsageProblem } from './usage-problem.js';

/**
 * A whole number of an option or an environment variable.
 * @throws UsageProblem that names what was to be a number, and its range.
 */
export function wholeNumberOf(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text.trim()) && number >= least && number <= most) return number;
  throw new UsageProblem(
    `${name} is to be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`,
  );
}

/** @throws UsageProblem where the text is none of the names. */
export function oneOf<Name extends string>(name: string, text: string, names: readonly Name[]): Name {
  const found = names.find((known) => known === text.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageProblem(`${name} is to be one of ${names.join(', ')}, not ${JSON.stringify(text)}`);
}
