import { compareRequestBody, compareResponses } from './compare-bodies.js';
import { Comparison, type DescriptionResult, shown } from './comparison.js';
import type { DescriptionValue } from './document/description-value.js';
import { compareOperations } from './compare-operations.js';
import { compareParameters } from './compare-parameters.js';
import { compareSecurity } from './compare-authentication.js';

export type DescriptionRequirement = 'DESC-01' | 'DESC-02' | 'DESC-03' | 'DESC-04' | 'DESC-05';

/**
 * Compares the root of the target's interface description with the root of the specification's OpenAPI document. A
 * description may say more than is specified, but nothing less or different. Each difference is a finding of one
 * requirement: an operation that is missing is DESC-02's and is not compared further; DESC-05 has which responses are
 * documented, DESC-03 their schemas. A requirement without checks had nothing to compare. Pure; never throws.
 */
export function compareDescription(
  root: DescriptionValue,
  specification: DescriptionValue,
): Record<DescriptionRequirement, DescriptionResult> {
  const { result: operations, pairs } = compareOperations(root, specification);
  const schemas = new Comparison();
  const responses = new Comparison();
  for (const pair of pairs) {
    compareParameters(schemas, pair);
    compareRequestBody(schemas, pair);
    compareResponses({ responses, schemas }, pair);
  }
  return {
    'DESC-01': compareVersion(root.at('info', 'version'), specification.at('info', 'version').value),
    'DESC-02': operations,
    'DESC-03': schemas,
    'DESC-04': compareSecurity(root, pairs),
    'DESC-05': responses,
  };
}

/** DESC-01: the description has the version number 1.0.0 (section 9.2). */
function compareVersion(version: DescriptionValue, expected: unknown): Comparison {
  const result = new Comparison();
  result.expect(version.value === expected, version, () => ({
    message: 'The interface description has a different version number',
    expected: `info.version: ${shown(expected)}`,
    received: `info.version: ${shown(version.value)}`,
  }));
  return result;
}
