import { bodySamples, errorSamples, parameterSamples } from './samples.js';
import { compareSamples, type SampledSchema } from './compare-samples.js';
import type { Comparison } from './comparison.js';
import type { DescriptionValue } from './description-value.js';
import { schemasOf } from './json-schema.js';
import type { Operation } from './operations.js';
import type { SchemaValidator } from './schema-validator.js';

/** A specified operation and the same operation of the target's description. */
export interface ComparedOperation {
  readonly name: string;
  readonly specified: Operation;
  readonly described: Operation;
  readonly validator: SchemaValidator;
}

const json = 'application/json';
/** OpenAPI ignores these as header parameters (3.0.3 4.7.12.2): other parts of the document describe them. */
const ignoredHeaders = /^header (accept|content-type|authorization)$/i;

/** DESC-03: the parameters of section 4; a client must not need any other. */
export function compareParameters(
  result: Comparison,
  { name: operation, specified, described, validator }: ComparedOperation,
): void {
  const valueOf = (parameter: DescriptionValue, keyword: string): unknown => parameter.at(keyword).value;
  for (const wanted of specified.parameters) {
    const name = String(valueOf(wanted, 'name')) as keyof typeof parameterSamples;
    const subject = `\`${name}\` of ${operation}`;
    const found = described.parameters.find((one) => valueOf(one, 'name') === name);
    result.same(described.node, operation, 'parameters', name, found && name);
    if (!found) continue;
    // The serialization of a single value if `style` is absent (OpenAPI 3.0.3 4.7.12.2).
    const plain = valueOf(wanted, 'in') === 'path' ? 'simple' : 'form';
    const style = found.at('content').exists ? 'content' : (valueOf(found, 'style') ?? plain);
    result.same(found, subject, 'in', valueOf(wanted, 'in'), valueOf(found, 'in'));
    result.same(found, subject, 'required', valueOf(wanted, 'required'), valueOf(found, 'required') ?? false);
    result.same(found, subject, 'style', plain, style);
    if (style === 'content') continue;
    const schema = found.at('schema');
    compareSamples(result, validator, {
      subject,
      schema,
      purpose: 'request',
      samples: parameterSamples[name],
    });
    result.within(subject, schema, () => {
      const presets = schemasOf(schema, '').map((one) => valueOf(one, 'default') ?? undefined);
      const preset = presets.find((one) => one !== undefined);
      result.same(schema, subject, 'default', wanted.at('schema', 'default').value, preset);
    });
  }
  for (const other of described.parameters) {
    const name = String(valueOf(other, 'name'));
    const isIgnored = ignoredHeaders.test(`${String(valueOf(other, 'in'))} ${name}`);
    if (isIgnored || specified.parameters.some((one) => valueOf(one, 'name') === name)) continue;
    const subject = `\`${name}\` of ${operation}, which is not specified`;
    result.same(other, subject, 'required', false, valueOf(other, 'required') ?? false);
  }
}

/** DESC-03: createPet requires a NewPet as JSON, the other operations require no body (section 4). */
export function compareRequestBody(
  result: Comparison,
  { name, specified, described, validator }: ComparedOperation,
): void {
  const body = described.node.at('requestBody');
  const subject = `The body of ${name}`;
  const isWanted = specified.node.at('requestBody').exists;
  result.same(body, subject, 'required', isWanted, body.at('required').value ?? false);
  if (!isWanted || !body.exists || !isJson(result, body, subject)) return;
  const schema = jsonSchemaOf(body);
  compareSamples(result, validator, { subject, schema, purpose: 'request', samples: bodySamples.NewPet });
}

/**
 * DESC-05: the documented responses of an operation (sections 4 and 7). The target may document more responses. Returns
 * the bodies of those that are documented, whose schemas are DESC-03's.
 */
export function compareResponses(
  result: Comparison,
  { name, specified, described }: ComparedOperation,
): SampledSchema[] {
  const all = described.node.at('responses');
  const success = name === 'listPets' ? bodySamples.Pets : bodySamples.Pet;
  const statuses = specified.node
    .at('responses')
    .members()
    .map(([status]) => status);
  // The specification gives a 429 no body, so that it is optional.
  return statuses
    .filter((status) => status !== '429')
    .flatMap((status) => {
      const subject = `The ${status} body of ${name}`;
      const isError = status >= '400';
      const samples = isError ? errorSamples(Number(status)) : success;
      // Errors may be documented together.
      const response = (isError ? responseOf(all, status) : undefined) ?? all.at(status);
      const documented = all.members().map(([other]) => other);
      if (!result.same(all, name, 'responses', status, response.exists ? status : documented)) return [];
      if (!isJson(result, response, subject)) return [];
      return [{ subject, schema: jsonSchemaOf(response), purpose: 'sample', samples }];
    });
}

/** The response that a description has for a status: its own, that of its class, or the default (OpenAPI 3.0.3 4.7.16). */
export function responseOf(responses: DescriptionValue, status: string): DescriptionValue | undefined {
  const all = new Map(responses.members().map(([key, response]) => [key.toUpperCase(), response]));
  return all.get(status) ?? all.get(`${status.charAt(0)}XX`) ?? all.get('DEFAULT');
}

/** Whether there is `application/json`, whatever its parameters and case (section 4, RFC 9110 8.3.1). */
function isJson(result: Comparison, described: DescriptionValue, subject: string): boolean {
  const names = described
    .at('content')
    .members()
    .map(([name]) => name);
  return result.same(
    described,
    subject,
    'content',
    json,
    mediaTypeOf(described) === undefined ? names : json,
  );
}

function mediaTypeOf(described: DescriptionValue): string | undefined {
  const content = described.at('content').members();
  return content.map(([name]) => name).find((name) => /^application\/json\s*(;|$)/i.test(name.trim()));
}

function jsonSchemaOf(described: DescriptionValue): DescriptionValue {
  return described.at('content', mediaTypeOf(described) ?? json, 'schema');
}
