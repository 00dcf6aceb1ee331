import { compareSecurity } from './compare-authentication.js';
import { compareRequestBody, compareResponses } from './compare-bodies.js';
import { compareOperations, pairOperations } from './compare-operations.js';
import { compareParameters } from './compare-parameters.js';
import { compareSamples } from './compare-samples.js';
import { Comparison, type DescriptionResult } from './comparison.js';
import type { Description } from './document/load-description.js';
import { SchemaValidator } from './schema-validator.js';

export type DescriptionRequirement = 'DESC-01' | 'DESC-02' | 'DESC-03' | 'DESC-04' | 'DESC-05';

export type ComparedDescription = Readonly<Record<DescriptionRequirement, DescriptionResult>>;

/** Five requirements are parts of one comparison. */
const compared = new WeakMap<Description, ComparedDescription>();

/**
 * Compares the target's interface description with the specification. A description may say more than is specified, but
 * nothing less or different. An operation that is missing is DESC-02's and is not compared further; DESC-05 has which
 * responses are documented, DESC-03 their schemas. A requirement without checks had nothing to compare. Pure; never
 * throws.
 */
export function compareDescription(description: Description): ComparedDescription {
  const known = compared.get(description);
  if (known) return known;
  const { root } = description;
  const pairs = pairOperations(root);
  const validator = new SchemaValidator(description);
  const [schemas, responses, versions] = [new Comparison(), new Comparison(), new Comparison()];
  for (const pair of pairs) {
    compareParameters(schemas, validator, pair);
    compareRequestBody(schemas, validator, pair);
    for (const body of compareResponses(responses, validator, pair)) compareSamples(schemas, validator, body);
  }
  const version = root.at('info', 'version');
  versions.same(version, 'The interface description', 'info.version', '1.0.0', version.value);
  const results = {
    'DESC-01': versions,
    'DESC-02': compareOperations(root, pairs),
    'DESC-03': schemas,
    'DESC-04': compareSecurity(root, pairs),
    'DESC-05': responses,
  };
  compared.set(description, results);
  return results;
}
