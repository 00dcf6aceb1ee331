import { bodySamples, errorSamples } from '../draw/samples.js';
import type { OperationPair } from './compare-operations.js';
import { compareSamples, type SampledSchema } from './compare-samples.js';
import { Comparison } from './comparison.js';
import type { DescriptionValue } from './document/description-value.js';
import type { SchemaValidator } from './schema-validator.js';

const json = 'application/json';

/** DESC-03: createPet requires a NewPet as JSON, the other operations require no body (section 4). */
export function compareRequestBody(
  result: Comparison,
  validator: SchemaValidator,
  { specified: { operationId, requestBody }, node }: OperationPair,
): void {
  const body = node.at('requestBody');
  const subject = `The body of ${operationId}`;
  result.same(body, subject, 'required', requestBody !== undefined, body.at('required').value ?? false);
  if (!requestBody || !body.exists || !isJson(result, body, subject)) return;
  const schema = jsonContent(body).at('schema');
  compareSamples(result, validator, { subject, schema, purpose: 'request', samples: bodySamples.NewPet });
}

/**
 * DESC-05: the documented responses of an operation (sections 4 and 7). The target may document more responses. Returns
 * the bodies of those that are documented, whose schemas are DESC-03's.
 */
export function compareResponses(
  result: Comparison,
  validator: SchemaValidator,
  { specified: { operationId, responses }, node }: OperationPair,
): SampledSchema[] {
  const all = node.at('responses');
  // The specification gives a 429 no body, so that it is optional.
  return Object.keys(responses)
    .filter((status) => status !== '429')
    .flatMap((status) => {
      const subject = `The ${status} body of ${operationId}`;
      const isError = status >= '400';
      const success = operationId === 'listPets' ? bodySamples.Pets : bodySamples.Pet;
      const sampledIn = (response: DescriptionValue): SampledSchema => ({
        subject,
        schema: jsonContent(response).at('schema'),
        purpose: 'response',
        samples: isError ? errorSamples(Number(status)) : success,
      });
      const own = all.at(status);
      const common = responseOf(all, status);
      // Errors may be documented together, if that response has an Error body.
      const isCommon = isError && !own.exists && common && isConforming(validator, sampledIn(common));
      const response = isCommon ? common : own;
      const statuses = all.members().map(([other]) => other);
      if (!result.same(all, operationId, 'responses', status, response.exists ? status : statuses)) return [];
      return isJson(result, response, subject) ? [sampledIn(response)] : [];
    });
}

function isConforming(validator: SchemaValidator, sampled: SampledSchema): boolean {
  const attempt = new Comparison();
  compareSamples(attempt, validator, sampled);
  return attempt.findings.length === 0;
}

/** The response that a description has for a status: its own, that of its class, or the default (OpenAPI 3.0.3 4.7.16). */
export function responseOf(responses: DescriptionValue, status: string): DescriptionValue | undefined {
  const all = new Map(responses.members().map(([key, response]) => [key.toUpperCase(), response]));
  return all.get(status) ?? all.get(`${status.charAt(0)}XX`) ?? all.get('DEFAULT');
}

/** The media type object of `application/json`, whatever its parameters and case (section 4, RFC 9110 8.3.1). */
function jsonContent(described: DescriptionValue): DescriptionValue {
  const content = described.at('content');
  const names = content.members().map(([name]) => name);
  return content.at(names.find((name) => /^application\/json\s*(;|$)/i.test(name.trim())) ?? json);
}

function isJson(result: Comparison, described: DescriptionValue, subject: string): boolean {
  const names = described
    .at('content')
    .members()
    .map(([name]) => name);
  return result.same(described, subject, 'content', json, jsonContent(described).exists ? json : names);
}
