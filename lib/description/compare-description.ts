import { describeValue } from '../specification/json-value.js';
import { passed, type Check } from '../verdict/check.js';
import { bounded, tooLarge } from './bounded.js';
import { trySamples, type SchemaPair } from './compare-samples.js';
import { entriesOf, placeOf, textOf, type Description, type Part } from './description.js';
import { isVersioned, operationsOf, pairOperations, type Operation } from './operations.js';

type Id = 'DESC-01' | 'DESC-02' | 'DESC-03' | 'DESC-04' | 'DESC-05';
/** What the specification and the target's description say of one thing; a list is what there is instead. */
type Line = readonly [Id, subject: string, keyword: string, expected: unknown, received: unknown, at: Part];
type Sample = Pick<SchemaPair, 'subject' | 'purpose' | 'valid'>;
type Lines = Generator<Line | SchemaPair>;

/** OpenAPI ignores these as header parameters (3.0.3 4.7.12.2): other parts of the document describe them. */
const ignored = /^(accept|content-type|authorization)$/i;
const json = 'application/json';

/** Valid values and bodies of sections 2 and 4. */
const newPet = { name: 'Luna', categoryId: 7, status: 'available' };
// With a status: the target may promise one with each animal that it returns.
const pet = { id: 1, ...newPet };
const parameterValues: Readonly<Record<string, unknown>> = { limit: 7, status: 'available', petId: 7 };

/**
 * The checks of each requirement, from a comparison of the target's interface description with the specification: it may
 * say more than is specified, but nothing less or different. An operation that is missing is DESC-02's and is not compared
 * further; DESC-05 has which responses are documented, DESC-03 their schemas. Never throws.
 */
export function compareDescription(description: Description): (id: string) => Check[] {
  const made = bounded(checksOf(description), ['DESC-03', tooLarge]);
  return (id) => made.flatMap(([one, check]) => (one === id ? check : []));
}

function* checksOf(description: Description): Generator<readonly [Id, Check]> {
  const pairs: SchemaPair[] = [];
  for (const line of linesOf(description))
    if ('valid' in line) pairs.push(line);
    else yield [line[0], compared(line)];
  const told = new Set<string>();
  for (const check of trySamples(description, pairs)) {
    const { pointer, expected, received } = check.finding ?? {};
    const difference = `${pointer} ${expected} ${received}`;
    // A schema that several share, or that several samples show to differ, is told once.
    if (check.finding && told.has(difference)) continue;
    told.add(difference);
    yield ['DESC-03', check];
  }
}

function compared([, subject, keyword, expected, received, place]: Line): Check {
  const [wanted, found = ''] = [expected, received].map(shown);
  if (wanted === found) return passed;
  const message = `${subject}: \`${keyword}\` is ${found}, not ${wanted}`;
  return { finding: { message, expected: wanted, received: found, exchanges: [], pointer: placeOf(place) } };
}

/** A value of a description as a finding shows it. Strings are in quotes: the version `1` is not the version `"1"`. */
function shown(value: unknown): string {
  return Array.isArray(value) ? value.map(shown).join(', ') || 'none' : describeValue(value);
}

function* linesOf(description: Description): Lines {
  const { info, paths, components } = description.root ?? {};
  yield ['DESC-01', 'The interface description', 'info.version', '1.0.0', info?.version, info];
  const schemes = new Set<string>();
  for (const { specified, described } of pairOperations(description)) {
    const others = operationsOf(description).map(({ line }) => line);
    yield ['DESC-02', specified.name, 'paths', specified.line, described ? specified.line : others, paths];
    if (described) yield* linesOfOperation(specified, described);
    for (const [scheme] of described?.security.flatMap((one) => entriesOf(one)) ?? []) schemes.add(scheme);
  }
  const { size } = schemes;
  if (size > 0) yield ['DESC-04', 'The service', 'security', 1, size, components?.securitySchemes];
}

const isRequired = (part: Part): unknown => part?.required ?? false;

function* linesOfOperation(specified: Operation, described: Operation): Lines {
  const { name, line, part: wanted } = specified;
  const { part: found, addresses } = described;
  const address = 'a base address that ends with /v1';
  const received = isVersioned(described, specified) ? address : addresses;
  yield ['DESC-02', name, 'servers', address, received, found];
  yield ['DESC-02', line, 'operationId', name, found?.operationId, found];
  yield ['DESC-02', name, 'deprecated', wanted?.deprecated ?? false, found?.deprecated ?? false, found];
  yield ['DESC-04', name, 'security', schemesOf(specified), schemesOf(described), found];
  for (const parameter of specified.parameters) yield* linesOfParameter(parameter, described, name);
  for (const parameter of described.parameters) {
    const called = textOf(parameter?.name);
    if (ignored.test(called) || specified.parameters.some((one) => textOf(one?.name) === called)) continue;
    const subject = `\`${called}\` of ${name}, which is not specified`;
    yield ['DESC-03', subject, 'required', false, isRequired(parameter), parameter];
  }
  const [wantedBody, body] = [wanted?.requestBody, found?.requestBody];
  const sample = { subject: `The body of ${name}`, purpose: 'request', valid: newPet } as const;
  yield ['DESC-03', sample.subject, 'required', isRequired(wantedBody), isRequired(body), body ?? found];
  yield* linesOfContent('DESC-03', wantedBody, body, sample);
  for (const [status, response] of entriesOf(wanted?.responses)) {
    // The specification gives a 429 no body, so that it is optional.
    if (status === '429') continue;
    const other = responseOf(found?.responses, status);
    const statuses = other ? status : Object.keys(Object(found?.responses));
    yield ['DESC-05', name, 'responses', status, statuses, found?.responses ?? found];
    const error = { code: 'refused', message: 'It is refused.', status: Number(status) };
    const valid = status >= '400' ? error : name === 'listPets' ? [pet] : pet;
    const subject = `The ${status} body of ${name}`;
    yield* linesOfContent('DESC-05', response, other, { subject, purpose: 'sample', valid });
  }
}

function* linesOfParameter(wanted: Part, { part, parameters }: Operation, operation: string): Lines {
  const name = textOf(wanted?.name);
  const subject = `\`${name}\` of ${operation}`;
  const found = parameters.find((one) => one?.name === wanted?.name);
  yield ['DESC-03', subject, 'in', wanted?.in, found?.in, found ?? part];
  if (!wanted || !found) return;
  yield ['DESC-03', subject, 'required', isRequired(wanted), isRequired(found), found];
  // The serialization of a single value if `style` is absent (OpenAPI 3.0.3 4.7.12.2).
  const style = name === 'petId' ? 'simple' : 'form';
  yield ['DESC-03', subject, 'style', style, found.style ?? style, found];
  const [preset, default_] = [wanted, found].map(({ schema }) => schema?.default ?? undefined);
  yield ['DESC-03', subject, 'default', preset, default_, found.schema];
  const valid = parameterValues[name];
  yield { subject, specified: wanted, described: found, purpose: 'request', valid };
}

/** A body is JSON (section 4). */
function* linesOfContent(id: Id, specified: Part, described: Part, sample: Sample): Lines {
  if (!specified || !described) return;
  const all = entriesOf(described.content);
  const media = all.find(([type]) => mediaTypeOf(type) === json);
  const types = media ? json : all.map(([type]) => type);
  yield [id, sample.subject, 'content', json, types, described];
  if (media) yield { ...sample, specified: specified.content?.[json], described: media[1] };
}

/** Without parameters: names of media types are case-insensitive (RFC 9110 8.3.1). */
export function mediaTypeOf(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase();
}

/** An operation requires one scheme, HTTP bearer (section 5.1). Its name is case-insensitive (RFC 9110 11.1). */
function schemesOf({ security, schemes }: Operation): string {
  const alternatives = security.map((alternative) => {
    const required = entriesOf(alternative).map(([name]) => {
      const { type, scheme } = schemes?.[name] ?? {};
      return [type ?? name, scheme ?? []].flat().map(textOf).join(' ');
    });
    return required.join(' and ').toLowerCase() || 'nothing';
  });
  return alternatives.join(' or ') || 'nothing';
}

/** The response that a description has for a status: its own, that of its class, or the default (OpenAPI 3.0.3 4.7.16). */
export function responseOf(responses: Part, status: string): Part {
  const all = new Map(entriesOf(responses).map(([key, response]) => [key.toUpperCase(), response]));
  return all.get(status) ?? all.get(`${status.charAt(0)}XX`) ?? all.get('DEFAULT');
}
