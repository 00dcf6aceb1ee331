import { compareSchema } from './compare-schema.js';
import { type Comparison, listed, shown } from './comparison.js';
import type { DescriptionValue } from './document/description-value.js';
import type { OperationPair } from './compare-operations.js';
import { readSchema } from './read-schema.js';
import type { Schema } from './schema.js';

/** OpenAPI ignores these as header parameters (3.0.3 4.7.12.2): other parts of the document describe them. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

/** The serialization of a single value if `style` is absent (OpenAPI 3.0.3 4.7.12.2). */
const defaultStyles: Readonly<Record<string, string>> = { query: 'form', path: 'simple' };

/** DESC-03: the parameters of section 4; a client must not need any other. */
export function compareParameters(
  result: Comparison,
  { name: operation, expected, actual }: OperationPair,
): void {
  const specified = new Set<DescriptionValue>();
  for (const parameter of expected.parameters) {
    const name = String(parameter.at('name').value);
    const described = actual.parameters.find((candidate) => candidate.at('name').value === name);
    result.expect(described !== undefined, actual.node, () => ({
      message: `${operation} has no parameter \`${name}\``,
      expected: `\`${name}\`, in: ${shown(parameter.at('in').value)}`,
      received: 'absent',
    }));
    if (!described) continue;
    specified.add(described);
    compareParameter(result, parameter, described, `\`${name}\` of ${operation}`);
  }
  for (const parameter of actual.parameters) {
    if (specified.has(parameter) || isIgnored(parameter)) continue;
    result.expect(parameter.at('required').value !== true, parameter, () => ({
      message: `${operation} requires a parameter that is not specified`,
      expected: 'optional, or absent',
      received: `${listed([parameter.at('name').value])}, in: ${shown(parameter.at('in').value)}`,
    }));
  }
}

function isIgnored(parameter: DescriptionValue): boolean {
  const { value: name } = parameter.at('name');
  return (
    parameter.at('in').value === 'header' &&
    typeof name === 'string' &&
    ignoredHeaders.has(name.toLowerCase())
  );
}

function compareParameter(
  result: Comparison,
  expected: DescriptionValue,
  actual: DescriptionValue,
  subject: string,
): void {
  const place = String(expected.at('in').value);
  result.expect(actual.at('in').value === place, actual, () => ({
    message: `${subject} is not a ${place} parameter`,
    expected: `in: ${shown(place)}`,
    received: `in: ${shown(actual.at('in').value)}`,
  }));
  const required = expected.at('required').value === true;
  result.expect((actual.at('required').value === true) === required, actual, () => ({
    message: `${subject} is ${required ? 'not required' : 'required, but it is optional'}`,
    expected: `required: ${required}`,
    received: `required: ${shown(actual.at('required').value)}`,
  }));
  const style = defaultStyles[place];
  const content = actual.at('content').exists;
  result.expect(!content && (actual.at('style').value ?? style) === style, actual, () => ({
    message: `${subject} is not sent as a plain value`,
    expected: `style: ${shown(style)}`,
    received: content ? 'content of a media type' : `style: ${shown(actual.at('style').value)}`,
  }));
  if (!content) compareValue(result, expected, actual, subject);
}

function compareValue(
  result: Comparison,
  parameter: DescriptionValue,
  described: DescriptionValue,
  subject: string,
): void {
  const expected = readSchema(parameter.at('schema'));
  const actual = withoutNull(readSchema(described.at('schema')));
  compareSchema(result, { expected, actual, subject, direction: 'request' });
  result.expect((actual.default ?? undefined) === expected.default, actual, () => ({
    message: `${subject} has a different default`,
    expected: `default: ${shown(expected.default)}`,
    received: `default: ${shown(actual.default)}`,
  }));
}

/** A query or a path cannot contain null: a schema that admits it only says that the parameter is optional. */
function withoutNull(schema: Schema): Schema {
  return {
    ...schema,
    types: new Set([...schema.types].filter((type) => type !== 'null')),
    values: schema.values && new Set([...schema.values].filter((value) => value !== null)),
  };
}
