import { brokenReason, headerValues, type Exchange } from '../evidence/recorded-exchange.js';
import { responseOf } from './compare-bodies.js';
import { pairOperations } from './compare-operations.js';
import { withSchema } from './compare-samples.js';
import { Comparison, type DescriptionResult } from './comparison.js';
import type { Description } from './document/load-description.js';
import type { DescriptionValue } from './document/description-value.js';
import { SchemaValidator } from './schema-validator.js';

/**
 * DESC-06: the responses of the target are those that its own description has for the operation: the status, the media
 * type and the body. What a gateway responded is not the target's. Pure; never throws.
 */
export function judgeResponses(description: Description, exchanges: readonly Exchange[]): DescriptionResult {
  const validator = new SchemaValidator(description);
  const pairs = pairOperations(description.root);
  const result = new Comparison();
  for (const exchange of exchanges) {
    const pair = pairs.find(({ specified }) => specified.operationId === exchange.operation);
    if (!pair || !exchange.response || exchange.failure || brokenReason(exchange) !== undefined) continue;
    judgeResponse(result, validator, pair.node.at('responses'), exchange);
  }
  return result;
}

function judgeResponse(
  result: Comparison,
  validator: SchemaValidator,
  responses: DescriptionValue,
  exchange: Exchange,
): void {
  const { id, operation, response } = exchange;
  const status = String(response?.status);
  const described = responseOf(responses, status);
  const subject = `The ${status} response of ${operation}`;
  const fail = (
    problem: string,
    { pointer }: { readonly pointer: string },
    wanted: string,
    received: string,
  ) => {
    const expected = `${wanted}, as ${pointer} says`;
    result.findings.push({ message: `${subject} ${problem}`, expected, received, exchanges: [id] });
  };
  // What a request that the specification leaves open is refused with is not part of the interface.
  if (!described && exchange.input === 'silent' && status.startsWith('4')) return;
  result.checks += 1;
  if (!described) {
    const statuses = responses.members().map(([key]) => key);
    fail('is not in the interface description', responses, statuses.join(', ') || 'none', status);
    return;
  }
  const content = described.at('content').members();
  const [type = 'absent'] = headerValues(exchange, 'Content-Type');
  const media = content.find(([range]) => isWithin(type, range))?.[1];
  const { text = '', truncated, base64 } = response?.body ?? {};
  if (content.length > 0 && !media) {
    const types = content.map(([range]) => range).join(', ');
    fail('has another media type than its interface description', described, types, type);
  }
  if (!media || truncated || base64 !== undefined || !/\bjson\b/i.test(type)) return;
  const schema = media.at('schema');
  withSchema(result, { subject, schema }, () => {
    const value = parsed(text);
    const unread = { path: '', message: 'is not JSON', pointer: schema.pointer };
    const refusal = value === undefined ? unread : validator.validate(schema, 'received', value).refusal;
    if (!refusal) return;
    const place = refusal.path === '' ? '' : ` at ${refusal.path.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`;
    const received = `${refusal.message}: ${text.slice(0, longestText)}`;
    fail(`has a body that the interface description refuses${place}`, refusal, 'a body', received);
  });
}

const longestText = 160;

/** The value of a JSON text, with doubles; undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a media type is one that a key of `content` names: `application/json`, `application/*` or any at all. */
function isWithin(type: string, range: string): boolean {
  const [name = '', wanted = ''] = [type, range].map((one) => one.split(';')[0]?.trim().toLowerCase());
  return (
    wanted === '*/*' || name === wanted || (wanted.endsWith('/*') && name.startsWith(wanted.slice(0, -1)))
  );
}
