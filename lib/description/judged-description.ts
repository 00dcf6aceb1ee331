import type { Exchange } from '../evidence/exchange.js';
import { passed, type Check } from '../verdict/check.js';
import { bounded } from './bounded.js';
import { compareDescription, mediaTypeOf, responseOf } from './compare-description.js';
import { entriesOf, placeOf, type Description, type Part } from './description.js';
import { loadDescription, type DescriptionFile } from './load-description.js';
import { pairOperations } from './operations.js';
import { SchemaValidator } from './schema-validator.js';

const longestText = 160;

/** Judges the description that a source names, by what was read of it, and the responses of the target by it. */
export function judgedDescription(source: string, file: DescriptionFile | undefined) {
  const loaded = loadDescription(source, file);
  if (!loaded.ok) return loaded;
  const { description } = loaded;
  const compared = compareDescription(description);
  const responses = (exchanges: readonly Exchange[]) => bounded(judgeResponses(description, exchanges));
  return { ok: true, compared, responses } as const;
}

export type JudgedDescription = ReturnType<typeof judgedDescription>;

/**
 * DESC-06: the responses of the target are those that its own description has for the operation: the status, the media
 * type and the body. What a gateway responded is not the target's.
 */
export function* judgeResponses(description: Description, exchanges: readonly Exchange[]): Generator<Check> {
  const validator = new SchemaValidator(description);
  const operations = pairOperations(description);
  for (const exchange of exchanges) {
    const { id, response, failure, broken, operation, status } = exchange;
    const { described } = operations.find(({ specified }) => specified.name === operation) ?? {};
    if (!described || !response || failure || broken !== undefined) continue;
    const [what, place, said, received = ''] = problemOf(exchange, described.part, validator) ?? [];
    const message = `The ${status} response of ${operation} ${what}`;
    const expected = `${said}, as ${placeOf(place)} says`;
    yield what === undefined ? passed : { finding: { message, expected, received, exchanges: [id] } };
  }
}

/** What differs between a response and its description, and what the description says at which place. */
type Problem = readonly [what: string, place: Part, said: string, received: string];

function problemOf(exchange: Exchange, operation: Part, validator: SchemaValidator): Problem | undefined {
  const { status, response, parsed, isSpecified } = exchange;
  const responses = operation?.responses;
  const described = responseOf(responses, `${status}`);
  if (!described) {
    // What a request that the specification leaves open is refused with is not part of the interface.
    if (!isSpecified && `${status}`.startsWith('4')) return undefined;
    const place = responses ?? operation;
    return ['is not in the interface description', place, keysIn(responses), `${status}`];
  }
  const content = entriesOf(described.content);
  const [type = 'absent'] = exchange.headers('Content-Type');
  const name = mediaTypeOf(type);
  // A key of `content` may be a range: `application/*`, or any at all.
  const ranges = new Set([name, name.replace(/\/.*/, '/*'), '*/*']);
  const [, media] = content.find(([range]) => ranges.has(mediaTypeOf(range))) ?? [];
  const other = 'has another media type than its interface description';
  if (content.length > 0 && !media) return [other, described, keysIn(described.content), type];
  const { text = '', truncated, base64 } = response?.body ?? {};
  if (!media || truncated || base64 !== undefined || !/\bjson\b/.test(name)) return undefined;
  const refusal = parsed.ok
    ? validator.refusal(media.schema, 'received', JSON.parse(text))
    : { path: '', message: 'is not JSON' };
  if (!refusal) return undefined;
  const at = refusal.path === '' ? '' : ` at ${refusal.path.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`;
  const received = `${refusal.message}: ${text.slice(0, longestText)}`;
  return [`has a body that the interface description refuses${at}`, media.schema, 'a body', received];
}

function keysIn(part: Part): string {
  return Object.keys(Object(part)).join(', ') || 'none';
}
