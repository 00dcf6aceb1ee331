import type { Exchange } from '../evidence/exchange.js';
import { compareDescription, responseOf } from './compare-description.js';
import { Comparison, type DescriptionResult } from './comparison.js';
import type { DescriptionValue } from './description-value.js';
import { loadDescription, type Description, type DescriptionFile } from './load-description.js';
import { pairOperations } from './operations.js';
import { SchemaValidator } from './schema-validator.js';

const longestText = 160;

/** The target's interface description as it was compared with the specification, and how it judges responses. */
export type JudgedDescription =
  | { readonly ok: false; readonly message: string }
  | {
      readonly ok: true;
      readonly compared: ReturnType<typeof compareDescription>;
      readonly responses: (exchanges: readonly Exchange[]) => DescriptionResult;
    };

/** Judges the description that a source names, by what was read of it. */
export function judgedDescription(
  source: string | undefined,
  file: DescriptionFile | undefined,
): JudgedDescription {
  const loaded = loadDescription(source, file);
  if (!loaded.ok) return loaded;
  const { description } = loaded;
  return {
    ok: true,
    compared: compareDescription(description),
    responses: (exchanges) => judgeResponses(description, exchanges),
  };
}

/**
 * DESC-06: the responses of the target are those that its own description has for the operation: the status, the media
 * type and the body. What a gateway responded is not the target's. Pure; never throws.
 */
export function judgeResponses(description: Description, exchanges: readonly Exchange[]): DescriptionResult {
  const validator = new SchemaValidator(description);
  const result = new Comparison();
  const own = exchanges.filter(
    ({ response, failure, broken }) => response && !failure && broken === undefined,
  );
  for (const { specified, described } of pairOperations(description.root)) {
    const name = String(specified.name);
    if (!described) continue;
    const responses = described.node.at('responses');
    // What bounds the time of a schema costs too much to do it for each response.
    result.within(`A response of ${name}`, responses, () => {
      for (const one of own) if (one.operation === name) judgeResponse(result, validator, responses, one);
    });
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
  const fail = (problem: string, place: { readonly pointer: string }, wanted: string, received: string) => {
    const expected = `${wanted}, as ${place.pointer} says`;
    result.findings.push({
      message: `The ${status} response of ${operation} ${problem}`,
      expected,
      received,
      exchanges: [id],
    });
  };
  // What a request that the specification leaves open is refused with is not part of the interface.
  if (!described && !exchange.isSpecified && status.startsWith('4')) return;
  result.checks += 1;
  if (!described) {
    const statuses = responses.entries().map(([key]) => key);
    fail('is not in the interface description', responses, statuses.join(', ') || 'none', status);
    return;
  }
  const content = described.at('content').entries();
  const [type = 'absent'] = exchange.headers('Content-Type');
  const media = content.find(([range]) => isWithin(type, range))?.[1];
  const { text = '', truncated, base64 } = response?.body ?? {};
  if (content.length > 0 && !media) {
    const types = content.map(([range]) => range).join(', ');
    fail('has another media type than its interface description', described, types, type);
  }
  if (!media || truncated || base64 !== undefined || !/\bjson\b/i.test(type)) return;
  const schema = media.at('schema');
  const refuses = 'has a body that the interface description refuses';
  const shown = text.slice(0, longestText);
  if (!exchange.parsed.ok) return fail(refuses, schema, 'a body', `is not JSON: ${shown}`);
  const refusal = validator.refusal(schema, 'received', JSON.parse(text));
  if (!refusal) return;
  const place = refusal.path === '' ? '' : ` at ${refusal.path.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`;
  fail(`${refuses}${place}`, schema, 'a body', `${refusal.message}: ${shown}`);
}

/** Whether a media type is one that a key of `content` names: `application/json`, `application/*` or any at all. */
function isWithin(type: string, range: string): boolean {
  const [name = '', wanted = ''] = [type, range].map((one) => one.split(';')[0]?.trim().toLowerCase());
  return (
    wanted === '*/*' || name === wanted || (wanted.endsWith('/*') && name.startsWith(wanted.slice(0, -1)))
  );
}
