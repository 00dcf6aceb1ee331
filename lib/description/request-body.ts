import type { Comparison } from './comparison.js';
import { compareObject } from './compare-schema.js';
import type { DescriptionNode } from './description-node.js';
import { contentNames, jsonContent } from './media-types.js';
import type { FoundOperation } from './operations.js';
import type { SchemaView } from './schema-view.js';
import { newPetRule } from './specified.js';
import { told } from './told.js';

/** DESC-03: createPet requires a NewPet as JSON, the other operations require no body (section 4). */
export function compareRequestBody(
  result: Comparison,
  { rule, operation }: FoundOperation,
  read: (schema: DescriptionNode) => SchemaView,
): void {
  const body = operation.at('requestBody');
  const required = body.at('required');
  result.expect((required.value === true) === rule.takesNewPet, () => ({
    message: rule.takesNewPet ? `The body of ${rule.name} is not required` : `${rule.name} requires a body`,
    section: rule.section,
    expected: rule.takesNewPet ? 'requestBody with required: true' : 'no request body',
    received: body.exists ? `required: ${told(required.value)}` : 'no request body',
    pointer: body.exists ? body.pointer : operation.pointer,
  }));
  if (!rule.takesNewPet || !body.exists) return;
  const content = jsonContent(body);
  result.expect(content !== undefined, () => ({
    message: `The body of ${rule.name} is not described as JSON`,
    section: `4, ${rule.section}`,
    expected: '`application/json`',
    received: contentNames(body),
    pointer: body.pointer,
  }));
  if (content) {
    compareObject(result, read(content.at('schema')), newPetRule, 'request', `The body of ${rule.name}`);
  }
}
