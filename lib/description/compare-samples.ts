import { nameExamples } from '../draw/name-values.js';
import { passed, type Check } from '../verdict/check.js';
import { isObject, itemsOf, placeOf, type Part } from './description.js';
import { specification } from './operations.js';
import { SchemaValidator, type Purpose, type Refusal } from './schema-validator.js';

export interface Sample {
  /** What it is; a finding begins with it. */
  readonly subject: string;
  readonly purpose: Purpose;
  /** A value that both schemas accept; the others are made from it. */
  readonly valid: unknown;
}

/** A parameter, or the JSON of a body, whose schemas must accept and refuse the same. */
export interface SchemaPair extends Sample {
  readonly specified: Part;
  readonly described: Part;
}

const longestJson = 160;
const ours = new SchemaValidator(specification);

/** The double next to the end of int64, for which it stands here; the next ones beyond it are 2,048 apart. */
const greatInt64 = 2 ** 63 - 1_024;
const numbers = [0, -1, 101, 1_000, 1.5, 2 ** 63 + 2_048, -(2 ** 63) - 2_048];
const texts = ['', '7', 'sleeping', 'Available', 'available ', ' sold', 'sold\n'];
/** Values that no target may exclude, and others. Which of them a field accepts, the specification says. */
const usual = [7, 1, 20, 100, greatInt64, 'Luna', ...nameExamples, 'available', 'pending', 'sold', []];
const unusual = [null, true, false, ...numbers, ...texts, ['available'], {}, { id: 7 }];
/** Of an error the target may exclude more: it lists its own codes, for example. */
const ownOfErrors = /^\/(?:code|message)$/;

/** Tries two schemas by the same samples: a valid value, and the same with another value at each of its places. */
export function* compareSamples(target: SchemaValidator, pair: SchemaPair): Generator<Check> {
  const { subject, specified, described, purpose, valid } = pair;
  const schema = described?.schema;
  const isError = isObject(valid) && 'code' in valid;
  // A response may promise more than the specification does: undefined stands for a member that is left out.
  const mustAccept = new Set<unknown>(isError ? [] : purpose === 'request' ? [...usual, undefined] : usual);
  const others = new Set([...usual, ...unusual, ...enumeratedIn(schema), undefined]);
  for (const [value, other] of [[valid, valid], ...changesOf(valid, others)]) {
    // A parameter can't be null: a schema that accepts it only says that the parameter is optional.
    if (value === null && !isObject(valid)) continue;
    const wanted = ours.refusal(specified?.schema, purpose, value);
    if (!wanted && value !== valid && !mustAccept.has(other)) continue;
    const found = target.refusal(schema, purpose, value);
    const isSame = !wanted === !found || (found && isError && ownOfErrors.test(found.path));
    const message = `${subject} ${found ? 'refuses' : 'accepts'} ${jsonText(value)}`;
    const [expected, received] = [wanted, found].map(treatment);
    const pointer = placeOf(schema ?? described);
    yield isSame ? passed : { finding: { message, expected, received, exchanges: [], pointer } };
    // What refuses a valid value says nothing by refusing others.
    if (!isSame && value === valid) return;
  }
}

function treatment(refusal: Refusal | undefined): string {
  return refusal ? `refused, because ${refusal.path || 'it'} ${refusal.message}` : 'accepted';
}

/** What a schema and those below it enumerate: the specification may know less. */
function enumeratedIn(schema: Part, seen = new Set<unknown>()): unknown[] {
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const own: unknown[] = [schema.enum ?? schema.const ?? []].flat();
  return [...own, ...itemsOf(schema).flatMap((child) => enumeratedIn(child, seen))];
}

/** A value with each of the others in the place of the whole, and of what it holds; undefined is only left out of objects. */
function* changesOf(
  value: unknown,
  others: ReadonlySet<unknown>,
): Generator<readonly [changed: unknown, other: unknown]> {
  for (const other of others) if (other !== undefined) yield [other, other];
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const changes = [...changesOf(member, others), ...(Array.isArray(value) ? [] : [[undefined, undefined]])];
    for (const [changed, other] of changes)
      yield [Array.isArray(value) ? [changed] : { ...value, [key]: changed }, other];
  }
}

/** A sample as JSON, with the digits of its integers. */
function jsonText(value: unknown): string {
  const text = JSON.stringify(value).replaceAll(/\b\d{17,}\b/g, (digits) => String(BigInt(Number(digits))));
  return text.slice(0, longestJson);
}
