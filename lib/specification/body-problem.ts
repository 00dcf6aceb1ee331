import { createRequire } from 'node:module';
import type ajvModule from 'ajv';
import { isLosslessNumber } from 'lossless-json';
import type responseValidatorModule from 'openapi-response-validator';
import { isInt64, type BodyKind } from './body-schema.js';
import { describeValue, jsonPointer } from './json-value.js';
import openApiDocument from './openapi.json' with { type: 'json' };

export type BodyProblem = ReturnType<typeof problemsOf>[number];

const int64 = 'an integer of 64 bits (-2^63 to 2^63 - 1)';
/** What each property has to be, in words, and the schema that has it, below `components/schemas`. */
const properties: Readonly<Record<BodyKind, Record<string, readonly [expected: string, schema: string]>>> = {
  Pet: {
    name: ['a string', 'NewPet'],
    categoryId: [int64, 'NewPet'],
    status: ['one of `available`, `pending`, `sold`', 'NewPet'],
    id: [int64, 'Pet/allOf/1'],
  },
  Pets: {},
  Error: { code: ['a string', 'Error'], message: ['a string', 'Error'], status: ['an integer', 'Error'] },
};

/** Of a listing with more problems than this only the first ones are listed. */
const mostProblems = 20;
/** Several requirements judge the same body. */
const known = { Pet: new WeakMap(), Pets: new WeakMap(), Error: new WeakMap() } as const satisfies Record<
  BodyKind,
  WeakMap<object, readonly BodyProblem[]>
>;

/**
 * What is wrong with a body that `parseJson` read, in the order of the interface description; empty if the body is as
 * section 2 specifies it. Lists about twenty problems at most. Linear in the size of the body; never throws.
 */
export function bodyProblems(kind: BodyKind, value: unknown): readonly BodyProblem[] {
  if (typeof value !== 'object' || value === null) return problemsOf(kind, value);
  const problems = known[kind].get(value) ?? problemsIn(kind, value);
  known[kind].set(value, problems);
  return problems;
}

function problemsIn(kind: BodyKind, value: object): readonly BodyProblem[] {
  if (kind !== 'Pets' || !Array.isArray(value)) return problemsOf(kind, value);
  // Item by item, so that a million invalid animals do not become a million issues.
  const problems: BodyProblem[] = [];
  for (let index = 0; index < value.length && problems.length < mostProblems; index++)
    problems.push(...problemsOf('Pet', value[index], [index]));
  return problems;
}

function problemsOf(kind: BodyKind, value: unknown, within: readonly number[] = []) {
  const refused = refusedPointers(kind, value);
  if (refused.size === 0) return [];
  const problem = (path: readonly PropertyKey[], expected: string, received: unknown, place: string) => ({
    pointer: jsonPointer([...within, ...path]),
    /** Empty if the problem is the body or an item as a whole. */
    property: path.join(''),
    expected,
    received: describeValue(received),
    /** Where the published interface description says so. */
    described: `openapi.json#/components/schemas/${place}`,
  });
  if (refused.has('')) return [problem([], kind === 'Pets' ? 'a JSON array' : 'a JSON object', value, kind)];
  const members = new Map<string, unknown>(Object.entries(Object(value)));
  return Object.entries(properties[kind]).flatMap(([name, [expected, schema]]) => {
    if (!refused.has(`/${name}`)) return [];
    const place = members.has(name) ? `properties/${name}` : 'required';
    return problem([name], expected, members.get(name), `${schema}/${place}`);
  });
}

/** An error as Ajv reports it. A missing property has the path of its parent. */
interface AjvError {
  readonly instancePath: string;
  readonly params: { readonly missingProperty?: string };
}

type Validate = (status: string, body: unknown) => { readonly errors: readonly AjvError[] } | undefined;

/**
 * openapi-response-validator on the interface description. It reads a `$ref` in place of a response as "no body", so each
 * kind is written out as a response of its own. Loading it and compiling the schemas takes longer than judging a run: it
 * waits until a body is judged.
 */
const statuses = { Pet: 200, Pets: 201, Error: 202 } as const satisfies Record<BodyKind, number>;
let validate: Validate | undefined;

function loaded(): Validate {
  // What is published has them in its own code, where a bundler finds them by these calls; Node's own `require` is for sources.
  const [{ default: ResponseValidator }, { Ajv }] = (
    typeof require === 'function'
      ? [require('openapi-response-validator'), require('ajv')]
      : ['openapi-response-validator', 'ajv'].map(createRequire(import.meta.url))
  ) as [typeof responseValidatorModule, typeof ajvModule];
  const responses = Object.entries(statuses).map(([kind, status]) => {
    return [status, { schema: { $ref: `#/components/schemas/${kind}` } }] as const;
  });
  // Our own document is valid; to compile the schema of schemas takes twice as long as to compile all of it.
  Ajv.prototype.validateSchema = () => true;
  const validator = new ResponseValidator({
    components: structuredClone({ schemas: openApiDocument.components.schemas }) as never,
    responses: Object.fromEntries(responses),
    errorTransformer: (_error, ajvError) => ajvError,
  });
  Reflect.deleteProperty(Ajv.prototype, 'validateSchema');
  return (status, body) => validator.validateResponse(status, body);
}

/** The pointers at which the interface description refuses a body, each once. */
function refusedPointers(kind: BodyKind, value: unknown): ReadonlySet<string> {
  validate ??= loaded();
  const { errors = [] } = validate(String(statuses[kind]), comparable(value)) ?? {};
  return new Set(
    errors.map(({ instancePath, params: { missingProperty: missing } }) =>
      `${instancePath}${missing === undefined ? '' : jsonPointer([missing])}`.replace(/^\/response/, ''),
    ),
  );
}

/**
 * A copy for the validator, which writes defaults into what it gets, knows no bigint, no range of an int64, and takes
 * Infinity for an integer: doubles in place of bigints, and null, which no schema accepts, in place of what is not an int64.
 * `Object.fromEntries` keeps a `__proto__` key an ordinary one.
 */
function comparable(value: unknown, name = ''): unknown {
  const isBeyond = (name === 'id' || name === 'categoryId') && value !== undefined && !isInt64(value);
  if (isBeyond || (typeof value === 'number' && !Number.isFinite(value))) return null;
  if (typeof value === 'bigint') return comparable(Number(value));
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return value;
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, comparable(child, key)]));
}
