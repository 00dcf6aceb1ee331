import { compareSamples, type SchemaPair } from './compare-samples.js';
import type { Comparison } from './comparison.js';
import type { DescriptionValue } from './description-value.js';
import { schemasOf } from './json-schema.js';
import type { Operation } from './operations.js';
import { usual } from './samples.js';
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

/** Valid values and bodies of sections 2 and 4. */
const newPet = { name: 'Luna', categoryId: 7, status: 'available' };
// With a status: the target may promise one with each animal that it returns.
const pet = { id: 1, ...newPet };
const parameterValues: Readonly<Record<string, unknown>> = { limit: 7, status: 'available', petId: 7 };

function valueOf(parameter: DescriptionValue, keyword: string): unknown {
  return parameter.at(keyword).value;
}

/** DESC-03: the parameters of section 4; a client must not need any other. */
export function compareParameters(result: Comparison, compared: ComparedOperation): void {
  const { name: operation, specified, described, validator } = compared;
  for (const wanted of specified.parameters) {
    const name = String(valueOf(wanted, 'name'));
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
    const [ours, theirs] = [wanted, found].map((one) => one.at('schema')) as [
      DescriptionValue,
      DescriptionValue,
    ];
    const schemas = { specified: ours, described: theirs, purpose: 'request' as const };
    compareSamples(result, validator, { subject, ...schemas, valid: parameterValues[name], usual });
    result.within(subject, theirs, () => {
      const [preset] = schemasOf(theirs, '').flatMap((one) => valueOf(one, 'default') ?? []);
      result.same(theirs, subject, 'default', valueOf(ours, 'default'), preset);
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
  const [ours, theirs] = [specified, described].map(({ node }) => node.at('requestBody'));
  const subject = `The body of ${name}`;
  if (!ours || !theirs) return;
  result.same(theirs, subject, 'required', ours.exists, theirs.at('required').value ?? false);
  if (!ours.exists || !theirs.exists || !isJson(result, theirs, subject)) return;
  const schemas = { specified: jsonSchemaOf(ours), described: jsonSchemaOf(theirs) };
  const usualHere = [...usual, undefined];
  const pair = { subject, ...schemas, purpose: 'request', valid: newPet, usual: usualHere } as const;
  compareSamples(result, validator, pair);
}

/**
 * DESC-05: the documented responses of an operation (sections 4 and 7). The target may document more responses. Returns
 * the bodies of those that are documented, whose schemas are DESC-03's.
 */
export function compareResponses(
  result: Comparison,
  { name, specified, described }: ComparedOperation,
): SchemaPair[] {
  const all = described.node.at('responses');
  return specified.node
    .at('responses')
    .members()
    .flatMap(([status, ours]) => {
      // The specification gives a 429 no body, so that it is optional.
      if (status === '429') return [];
      const isError = status >= '400';
      // Errors may be documented together.
      const theirs = (isError ? responseOf(all, status) : undefined) ?? all.at(status);
      const subject = `The ${status} body of ${name}`;
      const documented = all.members().map(([other]) => other);
      if (!result.same(all, name, 'responses', status, theirs.exists ? status : documented)) return [];
      if (!isJson(result, theirs, subject)) return [];
      const error = { code: 'refused', message: 'It is refused.', status: Number(status) };
      const valid = isError ? error : name === 'listPets' ? [pet] : pet;
      const schemas = { specified: jsonSchemaOf(ours), described: jsonSchemaOf(theirs) };
      return [{ subject, ...schemas, purpose: 'sample', valid, usual: isError ? [] : usual }];
    });
}

/** The response that a description has for a status: its own, that of its class, or the default (OpenAPI 3.0.3 4.7.16). */
export function responseOf(responses: DescriptionValue, status: string): DescriptionValue | undefined {
  const all = new Map(responses.members().map(([key, response]) => [key.toUpperCase(), response]));
  return all.get(status) ?? all.get(`${status.charAt(0)}XX`) ?? all.get('DEFAULT');
}

/** Whether there is `application/json`, whatever its parameters and case (section 4, RFC 9110 8.3.1). */
function isJson(result: Comparison, described: DescriptionValue, subject: string): boolean {
  const content = described.at('content');
  const names = content.members().map(([name]) => name);
  return result.same(described, subject, 'content', json, names.some(isJsonType) ? json : names);
}

function isJsonType(name: string): boolean {
  return /^application\/json\s*(;|$)/i.test(name.trim());
}

function jsonSchemaOf(described: DescriptionValue): DescriptionValue {
  const content = described.at('content').members();
  return (content.find(([name]) => isJsonType(name))?.[1] ?? described).at('schema');
}
