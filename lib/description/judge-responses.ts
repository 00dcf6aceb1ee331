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
    const { response, failure, broken, operation } = exchange;
    const { described } =
      operations.find(({ specified }) => textOf(specified.part?.operationId) === operation) ?? {};
    if (!described || !response || failure || broken !== undefined) continue;
    yield difference(exchange, described.part, validator) ?? passed;
  }
}

function difference(exchange: Exchange, operation: Part, validator: Validator): Check | undefined {
  const { id, status, response, parsed, isSpecified } = exchange;
  const differs = (how: string, received: string, said: string, place: Part): Check => {
    const message = `The ${status} response of ${exchange.operationName} ${how} its interface description`;
    const expected = `${said}, as ${placeOf(place)} says`;
    return { finding: { message, expected, received, exchanges: [id] } };
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
  return differs(`has a body (${why}) that differs from`, text.slice(0, longestText), 'another body', schema);
}

const keysIn = (part: Part): string => Object.keys(Object(part)).join(', ') || 'none';
