import { runInNewContext } from 'node:vm';
import type { Exchange } from '../evidence/exchange.js';
import { open, passed, type Check, type Checks } from '../verdict/check.js';
import { compareDescription, mediaTypeOf, responseOf } from './compare-description.js';
import { loadDescription, placeOf, type Description, type Part } from './description.js';
import { pairOperations } from './operations.js';
import type { DescriptionFile } from './read-description.js';
import { validatorOf, type Validator } from './schema-validator.js';

const tooLarge = open('the schemas of the interface description nest too deep, or take too long to be tried');

/** The checks of a requirement; open ones if the description can't be used. */
export type JudgedDescription = (id: string, exchanges: readonly Exchange[]) => Check[];

/** Judges the description that a source names, by what was read of it. */
export function judgedDescription(source: string, file: Partial<DescriptionFile> = {}): JudgedDescription {
  const { text, problem = 'it is not recorded' } = file;
  let description: Description;
  try {
    if (text === undefined) throw new Error(problem);
    description = loadDescription(text);
  } catch (error) {
    // The first line, without the control characters that the document may put there.
    const reason = (error as Error).message.replace(/\n.*/s, '').replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
    return () => [open(`The interface description ${source} can't be used: ${reason.slice(0, 300)}`)];
  }
  const compared = bounded(compareDescription(description), ['DESC-03', tooLarge]);
  return (id, exchanges) => {
    if (id === 'DESC-06') return bounded(judgeResponses(description, exchanges), tooLarge);
    return compared.flatMap(([one, check]) => (one === id ? check : []));
  };
}

/** What a generator makes of a target's schemas, and `rest` if they nest too deep for it, or a `pattern` takes too long. */
function bounded<Made>(generated: Iterable<Made>, rest: Made): Made[] {
  const made: Made[] = [];
  const make = (): void => {
    for (const one of generated) made.push(one);
  };
  try {
    runInNewContext('make()', { make }, { timeout: 2_000 });
  } catch (error) {
    const isLate = Reflect.get(Object(error), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (!isLate && !(error instanceof RangeError)) throw error;
    made.push(rest);
  }
  return made;
}

/**
 * DESC-06: the responses of the target are those that its own description has for the operation: the status, the media
 * type and the body. What a gateway responded is not the target's.
 */
function* judgeResponses(description: Description, exchanges: readonly Exchange[]): Checks {
  const validator = validatorOf(description, 'received');
  const operations = new Map(pairOperations(description).map(({ name, described }) => [name, described]));
  for (const exchange of exchanges) {
    const described = operations.get(exchange.operation ?? '');
    const isWhole = exchange.response && !exchange.failure && exchange.broken === undefined;
    if (described && isWhole) yield difference(exchange, described.part, validator) ?? passed;
  }
}

function difference(exchange: Exchange, operation: Part, validator: Validator): Check | undefined {
  const { id, status, response, parsed, isSpecified } = exchange;
  const differs = (how: string, received: string, said: string, place: Part): Check => {
    const message = `The ${status} response of ${exchange.operationName} ${how} its interface description`;
    const expected = `${said}, as ${placeOf(place)} says`;
    return { finding: { message, expected, received, exchanges: [id], reproduce: exchange.curl } };
  };
  const responses = operation?.responses;
  const described = responseOf(responses, `${status}`);
  if (!described) {
    // What a request that the specification leaves open is refused with is not part of the interface.
    if (!isSpecified && `${status}`.startsWith('4')) return undefined;
    return differs('is not in', `${status}`, keysIn(responses), responses ?? operation);
  }
  const [type = 'absent'] = exchange.headers('Content-Type');
  const name = mediaTypeOf(type);
  // A key of `content` may be a range: `application/*`, or any at all.
  const ranges = new Set([name, name.replace(/\/.*/, '/*'), '*/*']);
  const content = Object.entries(described.content ?? {});
  const media = content.find(([range]) => ranges.has(mediaTypeOf(range)));
  if (content.length > 0 && !media)
    return differs('has another media type than', type, keysIn(described.content), described);
  const { text = '', truncated, base64 } = response?.body ?? {};
  if (!media || truncated || base64 !== undefined || !/\bjson\b/.test(name)) return undefined;
  const schema = media[1]?.schema;
  const refusal = parsed.ok ? validator(schema, JSON.parse(text)) : 'it is not JSON';
  if (refusal === undefined) return undefined;
  // Of a listing one animal stands for all.
  const why = refusal.replaceAll(/\/\d+(?=[/ ])/g, '/*');
  return differs(`has a body (${why}) that differs from`, text.slice(0, 160), 'another body', schema);
}

const keysIn = (part: Part): string => Object.keys(Object(part)).join(', ') || 'none';
