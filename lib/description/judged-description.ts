import type { Exchange } from '../evidence/exchange.js';
import { open, passed, type Check } from '../verdict/check.js';
import { bounded } from './bounded.js';
import { compareDescription, responseOf } from './compare-description.js';
import type { DescriptionValue } from './description-value.js';
import { loadDescription, type Description, type DescriptionFile } from './load-description.js';
import { pairOperations } from './operations.js';
import { SchemaValidator } from './schema-validator.js';

const longestText = 160;

/** Judges the description that a source names, by what was read of it, and the responses of the target by it. */
export function judgedDescription(source: string | undefined, file: DescriptionFile | undefined) {
  const loaded = loadDescription(source, file);
  if (!loaded.ok) return loaded;
  const { description } = loaded;
  return {
    ok: true,
    compared: compareDescription(description),
    responses: (exchanges: readonly Exchange[]) => judgeResponses(description, exchanges),
  } as const;
}

export type JudgedDescription = ReturnType<typeof judgedDescription>;

/**
 * DESC-06: the responses of the target are those that its own description has for the operation: the status, the media
 * type and the body. What a gateway responded is not the target's. Pure; never throws.
 */
export function judgeResponses(description: Description, exchanges: readonly Exchange[]): Check[] {
  const validator = new SchemaValidator(description);
  const checks: Check[] = [];
  const operations = pairOperations(description.root);
  const reason = bounded(() => {
    for (const exchange of exchanges) {
      const { response, failure, broken, operation } = exchange;
      const { described } = operations.find(({ specified }) => specified.name === operation) ?? {};
      if (!described || !response || failure || broken !== undefined) continue;
      const responses = described.node.at('responses');
      const found = responseOf(responses, String(exchange.status));
      // What a request that the specification leaves open is refused with is not part of the interface.
      if (!found && !exchange.isSpecified && String(exchange.status).startsWith('4')) continue;
      const problem = found ? problemOf(exchange, found, validator) : undescribed(exchange, responses);
      checks.push(problem ? { finding: { ...problem, exchanges: [exchange.id] } } : passed);
    }
  });
  return reason === undefined ? checks : [...checks, open(`the responses: ${reason}`)];
}

/** What differs between a response and its description. @param said what the description has at a place */
function difference(
  { operation, status }: Exchange,
  problem: string,
  [place, said]: readonly [DescriptionValue, string],
  received: string,
) {
  const message = `The ${status} response of ${operation} ${problem}`;
  return { message, expected: `${said}, as ${place.pointer} says`, received };
}

function undescribed(exchange: Exchange, responses: DescriptionValue) {
  const statuses = responses.entries().map(([key]) => key);
  const said = statuses.join(', ') || 'none';
  return difference(exchange, 'is not in the interface description', [responses, said], `${exchange.status}`);
}

function problemOf(exchange: Exchange, described: DescriptionValue, validator: SchemaValidator) {
  const content = described.at('content').entries();
  const [type = 'absent'] = exchange.headers('Content-Type');
  const media = content.find(([range]) => isWithin(type, range))?.[1];
  const { text = '', truncated, base64 } = exchange.response?.body ?? {};
  if (content.length > 0 && !media) {
    const said = content.map(([range]) => range).join(', ');
    return difference(
      exchange,
      'has another media type than its interface description',
      [described, said],
      type,
    );
  }
  if (!media || truncated || base64 !== undefined || !/\bjson\b/i.test(type)) return undefined;
  const schema = media.at('schema');
  const refusal = exchange.parsed.ok
    ? validator.refusal(schema, 'received', JSON.parse(text))
    : { path: '', message: 'is not JSON' };
  if (!refusal) return undefined;
  const place = refusal.path === '' ? '' : ` at ${refusal.path.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`;
  const problem = `has a body that the interface description refuses${place}`;
  return difference(
    exchange,
    problem,
    [schema, 'a body'],
    `${refusal.message}: ${text.slice(0, longestText)}`,
  );
}

/** Whether a media type is one that a key of `content` names: `application/json`, `application/*` or any at all. */
function isWithin(type: string, range: string): boolean {
  const [name = '', wanted = ''] = [type, range].map((one) => one.split(';')[0]?.trim().toLowerCase());
  return (
    wanted === '*/*' || name === wanted || (wanted.endsWith('/*') && name.startsWith(wanted.slice(0, -1)))
  );
}
