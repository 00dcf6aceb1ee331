import type { Exchange } from '../evidence/exchange.js';
import { passed, type Check } from '../verdict/check.js';
import { mediaTypeOf, responseOf } from './compare-description.js';
import { placeOf, textOf, type Description, type Part } from './description.js';
import { pairOperations } from './operations.js';
import { validatorOf, type Validator } from './schema-validator.js';

const longestText = 160;

/**
 * DESC-06: the responses of the target are those that its own description has for the operation: the status, the media
 * type and the body. What a gateway responded is not the target's.
 */
export function* judgeResponses(description: Description, exchanges: readonly Exchange[]): Generator<Check> {
  const validator = validatorOf(description, 'received');
  const operations = pairOperations(description);
  for (const exchange of exchanges) {
    const { id, response, failure, broken, operation, status } = exchange;
    const { described } =
      operations.find(({ specified }) => textOf(specified.part?.operationId) === operation) ?? {};
    if (!described || !response || failure || broken !== undefined) continue;
    const problem = problemOf(exchange, described.part, validator);
    if (!problem) yield passed;
    else {
      const [what, received, said, place] = problem;
      const message = `The ${status} response of ${operation} ${what} its interface description`;
      const expected = `${said}, as ${placeOf(place)} says`;
      yield { finding: { message, expected, received, exchanges: [id] } };
    }
  }
}

/** What differs, and what the description says in its place. */
type Problem = readonly [what: string, received: string, said: string, place: Part];

function problemOf(exchange: Exchange, operation: Part, validator: Validator): Problem | undefined {
  const { status, response, parsed, isSpecified } = exchange;
  const responses = operation?.responses;
  const described = responseOf(responses, `${status}`);
  if (!described) {
    // What a request that the specification leaves open is refused with is not part of the interface.
    if (!isSpecified && `${status}`.startsWith('4')) return undefined;
    return ['is not in', `${status}`, keysIn(responses), responses ?? operation];
  }
  const [type = 'absent'] = exchange.headers('Content-Type');
  const name = mediaTypeOf(type);
  // A key of `content` may be a range: `application/*`, or any at all.
  const ranges = new Set([name, name.replace(/\/.*/, '/*'), '*/*']);
  const content = Object.entries(described.content ?? {});
  const media = content.find(([range]) => ranges.has(mediaTypeOf(range)));
  if (content.length > 0 && !media)
    return ['has another media type than', type, keysIn(described.content), described];
  const { text = '', truncated, base64 } = response?.body ?? {};
  if (!media || truncated || base64 !== undefined || !/\bjson\b/.test(name)) return undefined;
  const schema = media[1]?.schema;
  const refusal = parsed.ok ? validator(schema, JSON.parse(text)) : 'it is not JSON';
  if (refusal === undefined) return undefined;
  // Of a listing one animal stands for all.
  const why = refusal.replaceAll(/\/\d+(?=[/ ])/g, '/*');
  return [`has a body (${why}) that differs from`, text.slice(0, longestText), 'another body', schema];
}

const keysIn = (part: Part): string => Object.keys(Object(part)).join(', ') || 'none';
