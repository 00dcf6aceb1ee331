import { compareSamples, usual, type Samples } from './compare-samples.js';
import { open } from '../verdict/check.js';
import { bounded } from './bounded.js';
import { Comparison } from './comparison.js';
import type { DescriptionValue } from './description-value.js';
import type { Description } from './load-description.js';
import { isInPlace, isVersioned, pairOperations, type Operation } from './operations.js';
import { SchemaValidator } from './schema-validator.js';

/** OpenAPI ignores these as header parameters (3.0.3 4.7.12.2): other parts of the document describe them. */
const ignoredHeaders = /^header (accept|content-type|authorization)$/i;

/** Valid values and bodies of sections 2 and 4. */
const newPet = { name: 'Luna', categoryId: 7, status: 'available' };
// With a status: the target may promise one with each animal that it returns.
const pet = { id: 1, ...newPet };
const parameterValues: Readonly<Record<string, unknown>> = { limit: 7, status: 'available', petId: 7 };

/** What a document says of one thing; a list is what it has instead. */
type Line = readonly [
  id: 'DESC-02' | 'DESC-03' | 'DESC-04' | 'DESC-05',
  subject: string,
  keyword: string,
  value: unknown,
  place: DescriptionValue,
  /** The place is a schema, which is tried by these. */
  samples?: Samples,
];

/**
 * Compares the target's interface description with the specification. A description may say more than is specified, but
 * nothing less or different. An operation that is missing is DESC-02's and is not compared further; DESC-05 has which
 * responses are documented, DESC-03 their schemas. A requirement without checks had nothing to compare. Pure; never
 * throws.
 */
export function compareDescription(description: Description): Comparison['checks'] {
  const { root } = description;
  const comparison = new Comparison();
  const version = root.at('info', 'version');
  comparison.same('DESC-01', version, 'The interface description', 'info.version', '1.0.0', version.value);
  const schemes = new Set<string>();
  const schemas: Array<readonly [specified: Line, described: Line]> = [];
  for (const { specified, described } of pairOperations(root)) {
    const name = String(specified.name);
    if (!described) {
      comparison.same('DESC-02', root.at('paths'), name, 'paths', lineOf(specified), undefined);
      continue;
    }
    const lines = new Map(Array.from(linesOf(described, specified), (line) => [keyOf(line), line]));
    for (const line of linesOf(specified, specified)) {
      const other = lines.get(keyOf(line));
      const [id, subject, keyword, expected, , samples] = line;
      // What is not there has no further lines.
      if (other && samples) schemas.push([line, other]);
      else if (other) comparison.same(id, other[4], subject, keyword, expected, other[3]);
    }
    for (const other of described.parameters) {
      const parameter = String(other.at('name').value);
      const isIgnored = ignoredHeaders.test(`${String(other.at('in').value)} ${parameter}`);
      if (isIgnored || parameterOf(specified, parameter)) continue;
      const subject = `\`${parameter}\` of ${name}, which is not specified`;
      comparison.same('DESC-03', other, subject, 'required', false, other.at('required').value ?? false);
    }
    for (const [scheme] of described.security.items().flatMap((one) => one.entries())) schemes.add(scheme);
  }
  const place = root.at('components', 'securitySchemes');
  if (schemes.size > 0)
    comparison.same('DESC-04', place, 'The service', 'number of security schemes', 1, schemes.size);
  const validator = new SchemaValidator(description);
  let tried = '';
  const reason = bounded(() => {
    for (const [[id, subject, , , specified, samples], [, , , , described]] of schemas) {
      tried = subject;
      if (samples)
        comparison.add(id, compareSamples(validator, { subject, specified, described, ...samples }));
    }
  });
  // What is too large once would take as long the next time.
  if (reason !== undefined) comparison.add('DESC-03', [open(`${tried}: ${reason}`)]);
  return comparison.checks;
}

const keyOf = ([id, subject, keyword]: Line): string => `${id} ${subject} ${keyword}`;
const lineOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;

/** What a document says of an operation, in lines that must be the same as those of the specification. */
function* linesOf(operation: Operation, specified: Operation): Generator<Line> {
  const name = String(specified.name);
  const { node, servers, security } = operation;
  const inPlace = isInPlace(operation, specified);
  yield ['DESC-02', name, 'paths', lineOf(inPlace ? specified : operation), node];
  const server = 'a base address that ends with /v1';
  const addresses = servers.items().map((one) => one.at('url').value);
  const isServed = !inPlace || isVersioned(operation, specified);
  yield ['DESC-02', 'The document', 'servers', isServed ? server : addresses, servers];
  yield ['DESC-02', lineOf(specified), 'operationId', operation.name, node];
  yield ['DESC-02', name, 'deprecated', node.at('deprecated').value ?? false, node.at('deprecated')];
  yield ['DESC-04', name, 'security', schemesOf(operation), security];
  for (const { value } of specified.parameters.map((one) => one.at('name'))) {
    const parameter = String(value);
    const subject = `\`${parameter}\` of ${name}`;
    const found = parameterOf(operation, parameter);
    yield ['DESC-03', subject, 'name', found && parameter, node];
    if (!found) continue;
    const location = found.at('in').value;
    const keywords = {
      in: location,
      required: found.at('required').value ?? false,
      // The serialization of a single value if `style` is absent (OpenAPI 3.0.3 4.7.12.2).
      style: found.at('style').value ?? (location === 'path' ? 'simple' : 'form'),
    };
    for (const [keyword, value] of Object.entries(keywords))
      yield ['DESC-03', subject, keyword, value, found];
    const schema = found.at('schema');
    const [preset] = [schema, ...schema.at('allOf').items()].flatMap((one) => one.at('default').value ?? []);
    yield ['DESC-03', subject, 'default', preset, schema];
    const samples = { purpose: 'request', valid: parameterValues[parameter], usual } as const;
    yield ['DESC-03', subject, 'schema', undefined, schema, samples];
  }
  const body = node.at('requestBody');
  const subject = `The body of ${name}`;
  yield ['DESC-03', subject, 'required', body.at('required').value ?? false, body];
  const samples = { purpose: 'request', valid: newPet, usual: [...usual, undefined] } as const;
  yield* contentLines('DESC-03', subject, body, samples);
  const responses = node.at('responses');
  const statuses = responses.entries().map(([status]) => status);
  for (const [status] of specified.node.at('responses').entries()) {
    // The specification gives a 429 no body, so that it is optional.
    if (status === '429') continue;
    const isError = status >= '400';
    const found = isError ? responseOf(responses, status) : responses.at(status);
    const subject = `The ${status} response of ${name}`;
    yield ['DESC-05', subject, 'responses', found?.exists ? status : statuses, responses];
    const error = { code: 'refused', message: 'It is refused.', status: Number(status) };
    const valid = isError ? error : name === 'listPets' ? [pet] : pet;
    const samples = { purpose: 'sample', valid, usual: isError ? [] : usual } as const;
    if (found) yield* contentLines('DESC-05', `The ${status} body of ${name}`, found, samples);
  }
}

/** A body is `application/json`, whatever its parameters and case (section 4, RFC 9110 8.3.1). */
function* contentLines(
  id: Line[0],
  subject: string,
  body: DescriptionValue,
  samples: Samples,
): Generator<Line> {
  if (!body.exists) return;
  const all = body.at('content').entries();
  const media = all.find(([name]) => /^application\/json\s*(;|$)/i.test(name.trim()))?.[1];
  yield [id, subject, 'content', media ? 'application/json' : all.map(([name]) => name), body];
  if (media) yield ['DESC-03', subject, 'schema', undefined, media.at('schema'), samples];
}

/** DESC-04: an operation requires one scheme, HTTP bearer (section 5.1). The name of a scheme is case-insensitive (RFC 9110 11.1). */
function schemesOf({ security, schemes }: Operation): unknown {
  const alternatives = security.items().map((alternative) => {
    const required = alternative.entries().map(([name]) => {
      const found = schemes.at(name);
      const words = ['type', 'scheme'].map((keyword) => found.at(keyword).value);
      return words.filter((word) => typeof word === 'string').join(' ') || `${name}, which is not described`;
    });
    return required.join(' and ').toLowerCase() || 'nothing';
  });
  return alternatives.length === 1 ? alternatives[0] : alternatives;
}

function parameterOf(
  { parameters }: Pick<Operation, 'parameters'>,
  name: string,
): DescriptionValue | undefined {
  return parameters.find((one) => one.at('name').value === name);
}

/** The response that a description has for a status: its own, that of its class, or the default (OpenAPI 3.0.3 4.7.16). */
export function responseOf(responses: DescriptionValue, status: string): DescriptionValue | undefined {
  const all = new Map(responses.entries().map(([key, response]) => [key.toUpperCase(), response]));
  return all.get(status) ?? all.get(`${status.charAt(0)}XX`) ?? all.get('DEFAULT');
}
