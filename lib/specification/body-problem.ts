import type { z } from 'zod';
import { describeValue } from './describe-value.js';
import { jsonPointer } from './json-value.js';
import { bodySchemas, type BodyKind } from './body-schema.js';

export interface BodyProblem {
  /** A JSON pointer into the body (RFC 6901); empty for the body itself. */
  readonly pointer: string;
  /** The property with the problem; empty if it is the body or an item as a whole. */
  readonly property: string;
  readonly expected: string;
  readonly received: string;
}

/** Of a listing with more problems than this only the first ones are listed. */
const mostProblems = 20;

/**
 * What is wrong with a body that `parseJson` read, in the order of the body; empty if the body is as section 2
 * specifies it. Lists about twenty problems at most. Linear in the size of the body; never throws.
 */
export function bodyProblems(kind: BodyKind, value: unknown): readonly BodyProblem[] {
  if (kind !== 'Pets' || !Array.isArray(value)) return problemsOf(kind, value).slice(0, mostProblems);
  // Item by item, so that a million invalid animals do not become a million issues.
  const problems: BodyProblem[] = [];
  for (let index = 0; index < value.length && problems.length < mostProblems; index++) {
    problems.push(...problemsOf('Pet', value[index], [index]));
  }
  return problems;
}

function problemsOf(kind: BodyKind, value: unknown, within: readonly PropertyKey[] = []): BodyProblem[] {
  const issues: readonly z.core.$ZodIssue[] = bodySchemas[kind].safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => {
    const last = path.at(-1);
    return {
      pointer: jsonPointer([...within, ...path]),
      property: typeof last === 'string' ? last : '',
      expected: message,
      received: describeValue(valueAt(value, path)),
    };
  });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (within, step) =>
      typeof within === 'object' && within !== null && Object.hasOwn(within, step)
        ? (within as Record<PropertyKey, unknown>)[step]
        : undefined,
    value,
  );
}
