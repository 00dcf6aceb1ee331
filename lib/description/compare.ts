import { Comparison, type DescriptionResult } from './comparison.js';
import type { Description } from './load.js';
import { compareOperations } from './operations.js';
import { compareParameters } from './parameters.js';
import { schemaReader } from './read-schema.js';
import { compareRequestBody } from './request-body.js';
import { compareResponses } from './responses.js';
import { compareSecurity } from './security.js';
import { told } from './told.js';

export type DescriptionRequirement = 'DESC-01' | 'DESC-02' | 'DESC-03' | 'DESC-04' | 'DESC-05';

/**
 * Compares an interface description with the specification. More than is specified is fine, less or other is not, and
 * what the specification leaves open is never told. Each difference turns up under one requirement: an operation that
 * is not there is DESC-02's and is compared no further; DESC-05 has which responses there are, DESC-03 what their
 * schemas say. A requirement with no checks has met nothing that it could compare. Pure; never throws.
 */
export function compareDescription({ root }: Description): Record<DescriptionRequirement, DescriptionResult> {
  const read = schemaReader();
  const { result: operations, found } = compareOperations(root);
  const schemas = new Comparison();
  const responses = new Comparison();
  for (const operation of found) {
    compareParameters(schemas, operation, read);
    compareRequestBody(schemas, operation, read);
    compareResponses({ responses, schemas }, operation, read);
  }
  return {
    'DESC-01': compareVersion({ root }),
    'DESC-02': operations,
    'DESC-03': schemas,
    'DESC-04': compareSecurity(root, found),
    'DESC-05': responses,
  };
}

/** DESC-01: the description carries the version number 1.0.0 (section 9.2). */
function compareVersion({ root }: Pick<Description, 'root'>): Comparison {
  const result = new Comparison();
  const version = root.at('info', 'version');
  result.expect(version.value === '1.0.0', () => ({
    message: 'The interface description carries another version number',
    section: '9.2',
    expected: 'info.version "1.0.0"',
    received: told(version.value),
    pointer: version.pointer,
  }));
  return result;
}
