import { compareSchema } from './compare-schema.js';
import { Comparison, listed, shown } from './comparison.js';
import type { DescriptionValue } from './document/description-value.js';
import type { OperationPair } from './compare-operations.js';
import { readSchema } from './read-schema.js';

/** DESC-03: createPet requires a NewPet as JSON, the other operations require no body (section 4). */
export function compareRequestBody(result: Comparison, { name, expected, actual }: OperationPair): void {
  const specified = expected.node.at('requestBody');
  const body = actual.node.at('requestBody');
  const required = body.at('required').value;
  result.expect((required === true) === specified.exists, body, () => ({
    message: specified.exists ? `The body of ${name} is not required` : `${name} requires a body`,
    expected: specified.exists ? 'requestBody with required: true' : 'no required requestBody',
    received: body.exists ? `required: ${shown(required)}` : 'no requestBody',
  }));
  if (!specified.exists || !body.exists) return;
  const subject = `The body of ${name}`;
  const content = jsonContent(body);
  result.expect(content !== undefined, body, () => ({
    message: `${subject} is not described as JSON`,
    expected: '`application/json`',
    received: mediaTypesOf(body),
  }));
  if (content) compareContent(result, specified, content, { subject, direction: 'request' });
}

export interface ResponseComparisons {
  /** DESC-05: which responses are documented, and that they have a JSON body. */
  readonly responses: Comparison;
  /** DESC-03: the schemas of those bodies. */
  readonly schemas: Comparison;
}

/**
 * Compares the documented responses of an operation (sections 4 and 7). The target may document more responses. A
 * response without a specified body (429) is optional.
 */
export function compareResponses(comparisons: ResponseComparisons, pair: OperationPair): void {
  for (const [status, specified] of pair.expected.node.at('responses').members()) {
    if (!jsonContent(specified)) continue;
    const isError = status >= '400';
    const own = pair.actual.node.at('responses', status);
    const response = own.exists || !isError ? own : commonErrorResponse(pair.actual.node, specified);
    const content = documentedContent(comparisons.responses, pair, status, response);
    const subject = `The ${status} body of ${pair.name}`;
    if (!content) continue;
    compareContent(comparisons.schemas, specified, content, {
      subject,
      direction: 'response',
      mayNarrow: isError,
    });
  }
}

/** Errors may be documented together under `4XX` or `default`, if that response has an Error body. */
function commonErrorResponse(
  operation: DescriptionValue,
  specified: DescriptionValue,
): DescriptionValue | undefined {
  const responses = operation.at('responses');
  const range = responses.members().find(([status]) => /^4xx$/i.test(status))?.[1];
  const response = range ?? responses.at('default');
  const content = jsonContent(response);
  if (!content) return undefined;
  const attempt = new Comparison();
  compareContent(attempt, specified, content, { subject: '', direction: 'response', mayNarrow: true });
  return attempt.findings.length === 0 ? response : undefined;
}

/** DESC-05 for one status. Returns the description of its JSON body. */
function documentedContent(
  result: Comparison,
  { name, actual }: OperationPair,
  status: string,
  response: DescriptionValue | undefined,
): DescriptionValue | undefined {
  const responses = actual.node.at('responses');
  const documented = result.expect(response?.exists === true, responses, () => ({
    message: `${name} does not document ${status}`,
    expected: `a response ${status} with a JSON body`,
    received: `responses: ${listed(responses.members().map(([other]) => other))}`,
  }));
  if (!documented || !response) return undefined;
  const content = jsonContent(response);
  result.expect(content !== undefined, response, () => ({
    message: `${name} documents ${status} without a JSON body`,
    expected: '`application/json`',
    received: mediaTypesOf(response),
  }));
  return content;
}

function compareContent(
  result: Comparison,
  specified: DescriptionValue,
  content: DescriptionValue,
  context: { subject: string; direction: 'request' | 'response'; mayNarrow?: boolean },
): void {
  const expected = readSchema(specified.at('content', 'application/json', 'schema'));
  compareSchema(result, { expected, actual: readSchema(content.at('schema')), ...context });
}

/** The media type object of `application/json`, whatever its parameters and case (section 4, RFC 9110 8.3.1). */
function jsonContent(described: DescriptionValue): DescriptionValue | undefined {
  const content = described.at('content').members();
  return content.find(([name]) => /^application\/json\s*(;|$)/i.test(name.trim()))?.[1];
}

function mediaTypesOf(described: DescriptionValue): string {
  const content = described.at('content').members();
  return `content: ${listed(content.map(([name]) => name))}`;
}
