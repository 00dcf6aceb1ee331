import { parameterSamples } from '../draw/samples.js';
import type { OperationPair } from './compare-operations.js';
import { compareSamples, withSchema } from './compare-samples.js';
import type { Comparison } from './comparison.js';
import type { SchemaValidator } from './schema-validator.js';

/** OpenAPI ignores these as header parameters (3.0.3 4.7.12.2): other parts of the document describe them. */
const ignoredHeaders = /^(accept|content-type|authorization)$/i;

/** The serialization of a single value if `style` is absent (OpenAPI 3.0.3 4.7.12.2). */
const plainStyle = { query: 'form', path: 'simple' } as const;

/** DESC-03: the parameters of section 4; a client must not need any other. */
export function compareParameters(
  result: Comparison,
  validator: SchemaValidator,
  { specified, node, parameters }: OperationPair,
): void {
  const { operationId, parameters: expected = [] } = specified;
  for (const {
    name,
    in: place,
    required,
    schema: { default: preset },
  } of expected) {
    const subject = `\`${name}\` of ${operationId}`;
    const described = parameters.find((one) => one.at('name').value === name);
    result.same(node, operationId, 'parameters', name, described && name);
    if (!described) continue;
    const content = described.at('content');
    const style = described.at('style').value ?? plainStyle[place];
    result.same(described, subject, 'in', place, described.at('in').value);
    result.same(described, subject, 'required', required, described.at('required').value ?? false);
    result.same(described, subject, 'style', plainStyle[place], content.exists ? 'content' : style);
    if (content.exists) continue;
    const schema = described.at('schema');
    const samples = parameterSamples[name];
    compareSamples(result, validator, { subject, schema, purpose: 'request', samples });
    withSchema(result, { subject, schema }, () => {
      const { applied } = validator.validate(schema, 'request', samples.accepted[0]?.value);
      const presets = applied.get('')?.map((one) => one['default'] ?? undefined);
      result.same(
        schema,
        subject,
        'default',
        preset,
        presets?.find((one) => one !== undefined),
      );
    });
  }
  for (const parameter of parameters) {
    const [name, place] = [parameter.at('name').value, parameter.at('in').value];
    const isIgnored = place === 'header' && ignoredHeaders.test(String(name));
    if (isIgnored || expected.some((one) => one.name === name)) continue;
    const subject = `\`${String(name)}\` of ${operationId}, which is not specified`;
    result.same(parameter, subject, 'required', false, parameter.at('required').value ?? false);
  }
}
