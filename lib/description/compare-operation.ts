import { compareSamples } from './compare-samples.js';
import type { Comparison } from './comparison.js';
import type { DescriptionValue } from './description-value.js';
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

/** DESC-03: the parameters of section 4; a client must not need any other. */
export function compareParameters(result: Comparison, compared: ComparedOperation): void {
  const { name: operation, specified, described, validator } = compared;
  const isNamed = (name: unknown) => (one: DescriptionValue) => one.at('name').value === name;
  for (const wanted of specified.parameters) {
    const name = String(wanted.at('name').value);
    const subject = `\`${name}\` of ${operation}`;
    const found = described.parameters.find(isNamed(name));
    result.same(described.node, operation, 'parameters', name, found && name);
    if (!found) continue;
    // The serialization of a single value if `style` is absent (OpenAPI 3.0.3 4.7.12.2).
    const style = wanted.at('in').value === 'path' ? 'simple' : 'form';
    const keywords = { in: wanted.at('in').value, required: wanted.at('required').value, style };
    const absent: Readonly<Record<string, unknown>> = { required: false, style };
    for (const [keyword, value] of Object.entries(keywords))
      result.same(found, subject, keyword, value, found.at(keyword).value ?? absent[keyword]);
    const [ours, theirs] = [wanted.at('schema'), found.at('schema')];
    const schemas = { specified: ours, described: theirs, purpose: 'request' } as const;
    compareSamples(result, validator, { subject, ...schemas, valid: parameterValues[name], usual });
    const [preset] = [theirs, ...theirs.at('allOf').items()].flatMap((one) => one.at('default').value ?? []);
    result.same(theirs, subject, 'default', ours.at('default').value, preset);
  }
  for (const other of described.parameters) {
    const name = String(other.at('name').value);
    const isIgnored = ignoredHeaders.test(`${String(other.at('in').value)} ${name}`);
    if (isIgnored || specified.parameters.some(isNamed(name))) continue;
    const subject = `\`${name}\` of ${operation}, which is not specified`;
    result.same(other, subject, 'required', false, other.at('required').value ?? false);
  }
}

/** DESC-03: createPet requires a NewPet as JSON, the other operations require no body (section 4). */
export function compareRequestBody(result: Comparison, compared: ComparedOperation): void {
  const { name, specified, described, validator } = compared;
  const [ours, theirs] = [specified.node.at('requestBody'), described.node.at('requestBody')];
  const subject = `The body of ${name}`;
  result.same(theirs, subject, 'required', ours.exists, theirs.at('required').value ?? false);
  if (!ours.exists || !theirs.exists || !isJson(result, theirs, subject)) return;
  compareSamples(result, validator, {
    subject,
    specified: jsonSchemaOf(ours),
    described: jsonSchemaOf(theirs),
    purpose: 'request',
    valid: newPet,
    usual: [...usual, undefined],
  });
}

/**
 * The documented responses of an operation (sections 4 and 7); the target may document more.
 * @param documented of DESC-05: which there are
 * @param bodies of DESC-03: their schemas
 */
export function compareResponses(
  documented: Comparison,
  bodies: Comparison,
  { name, specified, described, validator }: ComparedOperation,
): void {
  const all = described.node.at('responses');
  for (const [status, ours] of specified.node.at('responses').members()) {
    // The specification gives a 429 no body, so that it is optional.
    if (status === '429') continue;
    const isError = status >= '400';
    // Errors may be documented together.
    const theirs = (isError ? responseOf(all, status) : undefined) ?? all.at(status);
    const subject = `The ${status} body of ${name}`;
    const statuses = all.members().map(([other]) => other);
    if (!documented.same(all, name, 'responses', status, theirs.exists ? status : statuses)) continue;
    if (!isJson(documented, theirs, subject)) continue;
    const error = { code: 'refused', message: 'It is refused.', status: Number(status) };
    compareSamples(bodies, validator, {
      subject,
      specified: jsonSchemaOf(ours),
      described: jsonSchemaOf(theirs),
      purpose: 'sample',
      valid: isError ? error : name === 'listPets' ? [pet] : pet,
      usual: isError ? [] : usual,
    });
  }
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
