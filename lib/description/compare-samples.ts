import { nameExamples } from '../draw/values.js';
import { passed, type Checks } from '../verdict/check.js';
import { isObject, placeOf, type Description, type Part } from './description.js';
import { specification } from './operations.js';
import { validatorOf, type Validator } from './schema-validator.js';

/** The double next to the end of int64; the next ones beyond it are 2,048 apart. */
const greatInt64 = 2 ** 63 - 1_024;
const numbers = [0, -1, 101, 1_000, 1.5, 2 ** 63 + 2_048, -(2 ** 63) - 2_048];
const texts = ['', '7', 'sleeping', 'Available', 'available ', ' sold', 'sold\n'];
/** Values that no target may exclude, and others. Which of them a field accepts, the specification says. */
const usual = [7, 1, 20, 100, greatInt64, 'Luna', ...nameExamples, 'available', 'pending', 'sold', []];
const unusual = [null, true, false, ...numbers, ...texts, ['available'], {}, { id: 7 }];

/** Of an error the target may exclude more: it lists its own codes, for example. */
const ownOfErrors = /^\/(?:code|message) /;

type Use = 'request' | 'sample';
const ours = validatorsOf(specification);

/**
 * Tries the schemas of a target by samples: a valid value, and the same with another value at each of its places. What the
 * schema of the specified parameter or body accepts and refuses, that of the described one must accept and refuse.
 */
export function samplesOf(target: Description) {
  const theirs = validatorsOf(target);
  const told = new Set<string>();
  return function* (subject: string, valid: unknown, [specified, described]: Part[], purpose: Use): Checks {
    const schema = described?.schema;
    const isError = isObject(valid) && 'code' in valid;
    // A response may promise more than the specification does: undefined stands for a member that is left out.
    const mustAccept = new Set<unknown>(isError ? [] : purpose === 'request' ? [...usual, undefined] : usual);
    const others = new Set([...unusual, ...usual, ...enumeratedIn(schema), undefined]);
    for (const [value, other] of [[valid, valid], ...changesOf(valid, others)]) {
      // A parameter can't be null: a schema that accepts it only says that the parameter is optional.
      if (value === undefined || (value === null && !isObject(valid))) continue;
      const wanted = ours[purpose](specified?.schema, value);
      if (wanted === undefined && value !== valid && !mustAccept.has(other)) continue;
      const found = theirs[purpose](schema, value);
      const isOwn = isError && ownOfErrors.test(found ?? '');
      if (isOwn || (wanted === undefined) === (found === undefined)) yield passed;
      else {
        const sample = JSON.stringify(value).slice(0, 160);
        const message = `${subject} ${found === undefined ? 'accepts' : 'refuses'} ${sample}`;
        const [expected = '', received = ''] = [wanted, found].map((why) =>
          why === undefined ? 'accepted' : `refused, because ${why}`,
        );
        const pointer = placeOf(schema ?? described);
        // A schema that several share, or that several samples show to differ, is told once.
        const difference = `${pointer} ${expected} ${received}`;
        if (!told.has(difference)) yield { finding: { message, expected, received, exchanges: [], pointer } };
        told.add(difference);
        // What refuses a valid value says nothing by refusing others.
        if (value === valid) break;
      }
    }
  };
}

function validatorsOf(description: Description): Record<Use, Validator> {
  return { request: validatorOf(description, 'request'), sample: validatorOf(description, 'sample') };
}

/** What a schema and those below it enumerate: the specification may know less. */
function enumeratedIn(schema: Part, seen = new Set<unknown>()): unknown[] {
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const own: unknown[] = [schema.enum ?? schema.const ?? []].flat();
  return [...own, ...Object.values(schema).flatMap((child) => enumeratedIn(child, seen))];
}

/** A value with each of the others in the place of the whole, and of each part: the value as changed, and the other. */
function* changesOf(value: unknown, others: ReadonlySet<unknown>): Generator<[unknown, unknown]> {
  for (const other of others) yield [other, other];
  for (const [key, part] of Object.entries(isObject(value) ? value : {}))
    for (const [changed, other] of changesOf(part, others))
      yield [Array.isArray(value) ? [changed] : { ...Object(value), [key]: changed }, other];
}
