import { describeValue } from '../specification/json-value.js';
import { passed, type Check, type Checks } from '../verdict/check.js';
import { samplesOf } from './compare-samples.js';
import { placeOf, textOf, type Description, type Part } from './description.js';
import { operationsOf, pairOperations, type Operation } from './operations.js';

type Id = 'DESC-01' | 'DESC-02' | 'DESC-03' | 'DESC-04' | 'DESC-05';
/** What a description says of one thing: in words, and by the schema of its part, of which a valid value is known. */
type Saying = readonly [Id, subject: string, says: unknown, part: Part, valid?: unknown];

/** OpenAPI ignores these as header parameters (3.0.3 4.7.12.2): other parts of the document describe them. */
const ignored = /^`(accept|content-type|authorization)`$/i;

/** Valid values and bodies of sections 2 and 4. */
const newPet = { name: 'Luna', categoryId: 7, status: 'available' };
// With a status: the target may promise one with each animal that it returns.
const pet = { id: 1, ...newPet };
const parameterValues: Readonly<Record<string, unknown>> = { limit: 7, status: 'available', petId: 7 };

/**
 * Compares the target's interface description with the specification: it may say more than is specified, nothing less or
 * different. A missing operation is DESC-02's alone; DESC-05 has which responses there are, DESC-03 their schemas.
 */
export function* compareDescription(description: Description): Generator<readonly [Id, Check]> {
  const { info, paths, components } = description.root ?? {};
  yield ['DESC-01', compared('`info.version`', '1.0.0', info?.version, info)];
  const trySamples = samplesOf(description);
  const tried: Checks[] = [];
  const operations = pairOperations(description);
  for (const { name, specified, described } of operations) {
    const lines = described ? specified.line : operationsOf(description).map(({ line }) => line);
    yield ['DESC-02', compared(name, specified.line, lines, paths)];
    if (!described) continue;
    const theirs = new Map(sayingsOf(described, specified).map((saying) => [saying[1], saying]));
    for (const [id, thing, says, ours, valid] of sayingsOf(specified, specified)) {
      const [, , other, part] = theirs.get(thing) ?? [];
      const subject = `${thing} of ${name}`;
      yield [id, compared(subject, says, other, part ?? described.part)];
      const purpose = id === 'DESC-05' ? 'sample' : 'request';
      if (valid !== undefined && ours && part) tried.push(trySamples(subject, valid, [ours, part], purpose));
      theirs.delete(thing);
    }
    for (const [, thing, says, part] of theirs.values()) {
      const received = ignored.test(thing) || !textOf(says).includes('required') ? 'optional' : says;
      yield ['DESC-03', compared(`${thing} of ${name}, which is not specified,`, 'optional', received, part)];
    }
  }
  const alternatives = operations.flatMap(({ described }) => described?.security ?? []);
  const schemes = new Set(alternatives.flatMap((one) => Object.keys(one ?? {})));
  const { securitySchemes } = components ?? {};
  if (schemes.size > 0)
    yield ['DESC-04', compared('The number of security schemes', 1, schemes.size, securitySchemes)];
  // Last, because they may not end.
  for (const checks of tried) for (const check of checks) yield ['DESC-03', check];
}

function compared(subject: string, expected: unknown, received: unknown, place: Part): Check {
  const [wanted, found = ''] = [expected, received].map(shown);
  if (wanted === found) return passed;
  const message = `${subject} is ${found}, not ${wanted}`;
  return { finding: { message, expected: wanted, received: found, exchanges: [], pointer: placeOf(place) } };
}

/** A value of a description as a finding shows it. Strings are in quotes: the version `1` is not the version `"1"`. */
function shown(value: unknown): string {
  return Array.isArray(value) ? value.map(shown).join(', ') || 'none' : describeValue(value);
}

function sayingsOf(operation: Operation, specified: Operation): Saying[] {
  const { part, parameters, addresses, isVersioned } = operation;
  const isRequired = (one: Part): string => (textOf(one?.required) === 'true' ? 'required' : 'optional');
  const address = isVersioned ? 'one that ends with /v1' : addresses;
  const ofParameters = parameters.map((one): Saying => {
    // The serialization of a single value if `style` is absent (OpenAPI 3.0.3 4.7.12.2).
    const { name, in: location, style = textOf(location) === 'path' ? 'simple' : 'form', schema } = one ?? {};
    const how = `in ${textOf(location)}, ${isRequired(one)}, style ${textOf(style)}`;
    const says = `${how}, default ${textOf(schema?.default ?? 'none')}`;
    return ['DESC-03', `\`${textOf(name)}\``, says, one, parameterValues[textOf(name)]];
  });
  const [bodyTypes, body] = contentOf(part?.requestBody);
  const bodySays = isRequired(part?.requestBody) === 'required' ? ['required', bodyTypes].flat() : 'optional';
  // The specification gives a 429 no body, so that it is optional.
  const statuses = Object.keys(specified.part?.responses ?? {}).filter((status) => status !== '429');
  const ofResponses = statuses.map((status): Saying => {
    const [types, json] = contentOf(responseOf(part?.responses, status));
    const error = { code: 'refused', message: 'It is refused.', status: Number(status) };
    const valid = status >= '400' ? error : specified.line === 'GET /pets' ? [pet] : pet;
    return ['DESC-05', `The ${status} response`, types, json, valid];
  });
  return [
    ['DESC-02', 'The base address', address, part],
    ['DESC-02', '`operationId`', part?.operationId, part],
    ['DESC-02', '`deprecated`', part?.deprecated ?? false, part],
    ['DESC-04', 'The security', schemesOf(operation), part],
    ...ofParameters,
    ['DESC-03', 'The body', bodySays, body, newPet],
    ...ofResponses,
  ];
}

/** The media types of a body or a response, JSON alone if it is among them, and its part. */
function contentOf(part: Part): [types: unknown, json: Part] {
  const all = Object.entries(part?.content ?? {});
  const json = all.find(([type]) => mediaTypeOf(type) === 'application/json');
  if (json) return [mediaTypeOf(json[0]), json[1] ?? {}];
  return [part && all.map(([type]) => type), undefined];
}

/** Without parameters: names of media types are case-insensitive (RFC 9110 8.3.1). */
export function mediaTypeOf(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase();
}

/** The alternatives, each by types and names of its schemes, which are case-insensitive (RFC 9110 11.1). */
function schemesOf({ security, schemes }: Operation): string[][] {
  return security.map((alternative) =>
    Object.keys(alternative ?? {}).map((name) => {
      const { type = name, scheme = '' } = schemes?.[name] ?? {};
      return `${textOf(type)} ${textOf(scheme)}`.trim().toLowerCase();
    }),
  );
}

/** The response that a description has for a status: its own, that of its class, or the default (OpenAPI 3.0.3 4.7.16). */
export function responseOf(responses: Part, status: string): Part {
  const all = new Map(
    Object.entries(responses ?? {}).map(([key, response]) => [key.toUpperCase(), response]),
  );
  return all.get(status) ?? all.get(`${status.charAt(0)}XX`) ?? all.get('DEFAULT');
}
