import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import type { Comparison } from './comparison.js';
import { DescriptionValue } from './description-value.js';
import { schemasOf, type Purpose } from './json-schema.js';
import { jsonText, samplesOf, type Sample } from './samples.js';
import { SchemaValidator } from './schema-validator.js';

/** Two schemas that must accept and refuse the same. */
export interface SchemaPair {
  /** What the schemas describe; a finding begins with it. */
  readonly subject: string;
  readonly specified: DescriptionValue;
  readonly described: DescriptionValue;
  readonly purpose: Purpose;
  /** A value that both accept; the others are made from it. */
  readonly valid: unknown;
  /** What the target may not exclude. */
  readonly usual: readonly unknown[];
}

/** A sample that the described schema judges wrongly, and the part of the schema that does. */
interface Misjudged {
  readonly sample: Sample;
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
}

const mostShown = 3;
const longestJson = 160;
/** What a target may list: the codes of its own errors, and their messages. */
const free = /^\/(?:code|message)$/;
const specification = new SchemaValidator({ version: '3.0', root: DescriptionValue.of(openApiDocument) });

/** Tries two schemas by the same samples. What the described one judges wrongly at one place is one finding. */
export function compareSamples(result: Comparison, target: SchemaValidator, pair: SchemaPair): void {
  const { subject, specified, described, purpose, valid, usual } = pair;
  result.within(subject, described, () => {
    const refused: Misjudged[] = [];
    const accepted: Misjudged[] = [];
    for (const sample of samplesOf(valid, usual, (path) => listedIn(described, path))) {
      const { value, path, isUsual } = sample;
      // A parameter can't be null: a schema that accepts it only says that the parameter is optional.
      if (value === null && typeof valid !== 'object') continue;
      const rule = specification.refusal(specified, purpose, value);
      if (!rule && !isUsual) continue;
      result.checks += 1;
      const why = target.refusal(described, purpose, value);
      if (why && !rule && !free.test(why.path)) {
        const received = `refused, because ${why.path || 'it'} ${why.message}`;
        refused.push({ sample, pointer: why.pointer, expected: 'accepted', received });
      }
      if (why || !rule) continue;
      // The part that is wrong may have no schema at all.
      const [{ pointer } = described] = schemasOf(described, path);
      const expected = `refused, because ${rule.path || 'it'} ${rule.message}`;
      accepted.push({ sample, pointer, expected, received: 'accepted' });
    }
    report(result, `${subject} refuses`, refused);
    report(result, `${subject} accepts`, accepted);
  });
}

/** What the described schemas of a part enumerate: the specification may know less. */
function listedIn(schema: DescriptionValue, path: string): unknown[] {
  return schemasOf(schema, path).flatMap((one) =>
    [one.at('enum').value ?? one.at('const').value ?? []].flat(),
  );
}

/** One finding for each place, with the first of its samples. */
function report(result: Comparison, start: string, misjudged: readonly Misjudged[]): void {
  for (const { sample, pointer, expected, received } of misjudged) {
    const alike = misjudged.filter((other) => other.pointer === pointer);
    const names = alike.slice(0, mostShown).map((one) => one.sample.what);
    const more = alike.length > mostShown ? ` and ${alike.length - mostShown} more` : '';
    const message = `${start} ${names.join(', ')}${more}`;
    const json = jsonText(sample.value).slice(0, longestJson);
    const kind = start.replace(/.* /, '');
    result.fail({ pointer }, { message, expected, received: `${received}: ${json}` }, kind);
  }
}
