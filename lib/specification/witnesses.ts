import type { z } from 'zod';
import { describeValue } from './describe-value.js';
import { jsonPointer } from './json-pointer.js';
import { documentProblems } from './second-witness.js';
import { bodySchemas, integer, type BodyKind } from './schemas.js';

export interface BodyProblem {
  /** Where in the body: a JSON pointer (RFC 6901), empty for the body itself. */
  readonly pointer: string;
  /** The property at fault, empty where it is the body or an item as a whole. */
  readonly property: string;
  readonly expected: string;
  readonly received: string;
}

export type BodyJudgement =
  | { readonly ok: true }
  | { readonly ok: false; readonly problems: readonly BodyProblem[] }
  /** The witnesses contradict each other: an error of this suite, never the target's. */
  | { readonly disagreement: string };

/** A listing with more faults than this is told by its first ones. */
const mostProblems = 20;

/** The second witness sees all items of a listing up to this length, of a longer one a sample. */
const sampleSize = 200;

/**
 * Judges a body, parsed by `parseJson`, by both witnesses: the schemas and the OpenAPI document (section 2). The
 * problems are the schemas', at most about twenty, in the order of the body. An integer beyond 64 bits is told by the
 * schemas alone, since OpenAPI validators do not check `format: int64`. Linear in the size of the body; never throws.
 */
export function judgeBody(kind: BodyKind, value: unknown): BodyJudgement {
  const isLong = Array.isArray(value) && value.length > sampleSize;
  const { problems, disagreement } =
    kind === 'Pets' && isLong ? judgeLongListing(value) : judgeWhole(kind, value);
  if (disagreement !== undefined) return { disagreement };
  return problems.length === 0 ? { ok: true } : { ok: false, problems };
}

interface BothWitnesses {
  readonly problems: readonly BodyProblem[];
  readonly disagreement: string | undefined;
}

function judgeWhole(kind: BodyKind, value: unknown): BothWitnesses {
  const issues = issuesOf(kind, value);
  const problems = issues.slice(0, mostProblems).map((issue) => problemOf(issue, value, []));
  return { problems, disagreement: compareWitnesses(kind, value, issues) };
}

/** Item by item, so that a million faulty animals do not become a million issues. */
function judgeLongListing(value: readonly unknown[]): BothWitnesses {
  const problems: BodyProblem[] = [];
  for (let index = 0; index < value.length && problems.length < mostProblems; index++) {
    const item = value[index];
    problems.push(...issuesOf('Pet', item).map((issue) => problemOf(issue, item, [index])));
  }
  const sample = sampleOf(value, problems);
  return { problems, disagreement: compareWitnesses('Pets', sample, issuesOf('Pets', sample)) };
}

function issuesOf(kind: BodyKind, value: unknown): readonly z.core.$ZodIssue[] {
  return bodySchemas[kind].safeParse(value).error?.issues ?? [];
}

function problemOf(issue: z.core.$ZodIssue, value: unknown, within: readonly PropertyKey[]): BodyProblem {
  const path = [...within, ...issue.path];
  const last = path.at(-1);
  return {
    pointer: jsonPointer(path),
    property: typeof last === 'string' ? last : '',
    expected: issue.message,
    received: describeValue(valueAt(value, issue.path)),
  };
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

/** The items at fault, and others spread evenly over the listing. */
function sampleOf(value: readonly unknown[], problems: readonly BodyProblem[]): readonly unknown[] {
  const indices = new Set(problems.map(({ pointer }) => Number(pointer.split('/')[1])));
  const stride = Math.ceil(value.length / (sampleSize - indices.size));
  for (let index = 0; index < value.length; index += stride) indices.add(index);
  indices.add(value.length - 1);
  return [...indices].map((index): unknown => value[index]);
}

function compareWitnesses(
  kind: BodyKind,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): string | undefined {
  const schemaPointers = new Set(
    issues
      .filter((issue) => !isBeyondInt64(valueAt(value, issue.path), issue.path.at(-1)))
      .map((issue) => jsonPointer(issue.path)),
  );
  const documentPointers = new Set(documentProblems(kind, value));
  const onlySchemas = [...schemaPointers].filter((pointer) => !documentPointers.has(pointer));
  const onlyDocument = [...documentPointers].filter((pointer) => !schemaPointers.has(pointer));
  if (onlySchemas.length === 0 && onlyDocument.length === 0) return undefined;
  const told = (pointers: string[]) =>
    pointers.length === 0
      ? 'nothing'
      : pointers
          .slice(0, 5)
          .map((pointer) => `"${pointer}"`)
          .join(', ');
  return `the schemas alone find fault with ${told(onlySchemas)}, the OpenAPI document alone with ${told(onlyDocument)} of a ${kind}`;
}

/** Of an integer in place of an int64 the schemas refuse nothing but its size. */
function isBeyondInt64(value: unknown, property: PropertyKey | undefined): boolean {
  return (property === 'id' || property === 'categoryId') && integer.safeParse(value).success;
}
