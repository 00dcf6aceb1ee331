import { Comparison } from './comparison.js';
import { compareListing, compareObject } from './compare-schema.js';
import type { DescriptionNode } from './description-node.js';
import { contentNames, jsonContent } from './media-types.js';
import type { FoundOperation } from './operations.js';
import type { SchemaView } from './schema-view.js';
import { errorRule, petRule, type OperationRule } from './specified.js';
import { named } from './told.js';

type Read = (schema: DescriptionNode) => SchemaView;

export interface ResponseComparisons {
  /** DESC-05: which responses there are, and that they have a JSON body. */
  readonly responses: Comparison;
  /** DESC-03: what the schemas of those bodies say. */
  readonly schemas: Comparison;
}

/** Compares the documented responses of an operation (sections 4 and 7). More responses, 429 among them, are fine. */
export function compareResponses(comparisons: ResponseComparisons, found: FoundOperation, read: Read): void {
  compareSuccess(comparisons, found, read);
  for (const status of found.rule.refusals) compareRefusal(comparisons, found, status, read);
}

function compareSuccess(
  { responses, schemas }: ResponseComparisons,
  found: FoundOperation,
  read: Read,
): void {
  const { rule, operation } = found;
  const { status, body } = rule.success;
  const response = operation.at('responses', status);
  const content = documented(responses, found, status, response, body);
  if (!content) return;
  const view = read(content.at('schema'));
  const subject = `The ${status} body of ${rule.name}`;
  if (body === 'Pets') compareListing(schemas, view, petRule, subject);
  else compareObject(schemas, view, petRule, 'response', subject);
}

/**
 * A refusal may be documented under its own status, or together with others under `4XX` or `default`, where what
 * stands there is an Error body.
 */
function compareRefusal(
  { responses, schemas }: ResponseComparisons,
  found: FoundOperation,
  status: string,
  read: Read,
): void {
  const { rule, operation } = found;
  const own = operation.at('responses', status);
  const response = own.exists ? own : sharedRefusal(operation, read);
  const content = documented(responses, found, status, response, 'Error');
  if (content) {
    const subject = `The ${status} body of ${rule.name}`;
    compareObject(schemas, read(content.at('schema')), errorRule, 'response', subject);
  }
}

function sharedRefusal(operation: DescriptionNode, read: Read): DescriptionNode | undefined {
  const responses = operation.at('responses').members();
  const range = responses.find(([status]) => /^4xx$/i.test(status))?.[1];
  const response = range ?? operation.at('responses', 'default');
  const content = jsonContent(response);
  if (!content) return undefined;
  const trial = new Comparison();
  compareObject(trial, read(content.at('schema')), errorRule, 'response', '');
  return trial.findings.length === 0 ? response : undefined;
}

/** DESC-05 of one status; the description of its JSON body where there is one. */
function documented(
  responses: Comparison,
  { rule, operation }: FoundOperation,
  status: string,
  response: DescriptionNode | undefined,
  body: OperationRule['success']['body'] | 'Error',
): DescriptionNode | undefined {
  const there = responses.expect(response?.exists === true, () => ({
    message: `${rule.name} does not document ${status}`,
    section: body === 'Error' ? `${rule.section}, 7` : rule.section,
    expected: `a response ${status} with a body ${body}`,
    received: `responses: ${named(
      operation
        .at('responses')
        .members()
        .map(([name]) => name),
    )}`,
    pointer: operation.at('responses').pointer,
  }));
  if (!there || !response) return undefined;
  const content = jsonContent(response);
  responses.expect(content !== undefined, () => ({
    message: `${rule.name} documents ${status} without a JSON body`,
    section: `4, ${rule.section}`,
    expected: `\`application/json\` with ${body}`,
    received: `content: ${contentNames(response)}`,
    pointer: response.pointer,
  }));
  return content;
}
