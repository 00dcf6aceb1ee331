import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import type { Comparison } from './comparison.js';
import { DescriptionValue } from './description-value.js';
import type { Purpose } from './json-schema.js';
import { jsonText, samplesOf } from './samples.js';
import { SchemaValidator, type Refusal } from './schema-validator.js';

/** What schemas are tried by. */
export interface Samples {
  readonly purpose: Purpose;
  /** A value that both accept; the others are made from it. */
  readonly valid: unknown;
  /** What the target may not exclude. */
  readonly usual: readonly unknown[];
}

/** Two schemas that must accept and refuse the same. */
interface SchemaPair extends Samples {
  /** What the schemas describe; a finding begins with it. */
  readonly subject: string;
  readonly specified: DescriptionValue;
  readonly described: DescriptionValue;
}

/** Samples that differ in one part of a value, and are judged wrongly; what is told is that of the first. */
interface Misjudged {
  readonly names: readonly string[];
  readonly expected: string;
  readonly received: string;
}

const mostShown = 3;
const longestJson = 160;
/** What a target may list: the codes of its own errors, and their messages. */
const free = /^\/(?:code|message)$/;
const specification = new SchemaValidator({ version: '3.0', root: DescriptionValue.of(openApiDocument) });

/** Tries two schemas by the same samples. What the described one judges wrongly of one part of a value is one finding. */
export function compareSamples(result: Comparison, target: SchemaValidator, pair: SchemaPair): void {
  const { subject, specified, described, purpose, valid, usual } = pair;
  result.within(subject, described, () => {
    const misjudged = new Map<string, Misjudged>();
    for (const { what, value, path, isUsual } of samplesOf(valid, usual, enumeratedIn(described))) {
      // A parameter can't be null: a schema that accepts it only says that the parameter is optional.
      if (value === null && typeof valid !== 'object') continue;
      const wanted = specification.refusal(specified, purpose, value);
      if (!wanted && !isUsual) continue;
      result.checks += 1;
      const found = target.refusal(described, purpose, value);
      if (!wanted === !found || (found && free.test(found.path))) continue;
      const part = `${wanted ? 'accepts' : 'refuses'} ${path}`;
      const received = `${treatment(found)}: ${jsonText(value).slice(0, longestJson)}`;
      const first = misjudged.get(part) ?? { names: [], expected: treatment(wanted), received };
      misjudged.set(part, { ...first, names: [...first.names, what] });
    }
    for (const [part, { names, expected, received }] of misjudged) {
      const more = names.length > mostShown ? ` and ${names.length - mostShown} more` : '';
      const samples = `${names.slice(0, mostShown).join(', ')}${more}`;
      const message = `${subject} ${part.replace(/ .*/, '')} ${samples}`;
      result.fail(described, { message, expected, received }, part);
    }
  });
}

function treatment(refusal: Refusal | undefined): string {
  return refusal ? `refused, because ${refusal.path || 'it'} ${refusal.message}` : 'accepted';
}

/** What a schema and those below it enumerate: the specification may know less. */
function enumeratedIn(schema: DescriptionValue, seen = new Set<unknown>()): unknown[] {
  if (seen.has(schema.value)) return [];
  seen.add(schema.value);
  const own = [schema.at('enum').value ?? schema.at('const').value ?? []].flat();
  const below = [...schema.members().map(([, child]) => child), ...schema.items()];
  return [...own, ...below.flatMap((child) => enumeratedIn(child, seen))];
}
