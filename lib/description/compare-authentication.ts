import type { OperationPair } from './compare-operations.js';
import { Comparison } from './comparison.js';
import type { DescriptionValue } from './document/description-value.js';

/** DESC-04: one HTTP bearer scheme secures the whole service, every operation of it (section 5.1). */
export function compareSecurity(root: DescriptionValue, pairs: readonly OperationPair[]): Comparison {
  const result = new Comparison();
  const schemes = root.at('components', 'securitySchemes');
  const used = new Set<string>();
  for (const { specified, node } of pairs) {
    const name = specified.operationId;
    // What an operation requires replaces what the document requires.
    const own = node.at('security');
    const security = own.exists ? own : root.at('security');
    const alternatives = security.items();
    const place = security.exists ? security : node;
    result.same(place, name, 'security', 'required', alternatives.length > 0 ? 'required' : undefined);
    for (const alternative of alternatives) {
      const schemes = alternative.members().map(([scheme]) => scheme);
      const credentials = schemes.length === 1 ? 'one scheme' : schemes;
      result.same(alternative, name, 'security', 'one scheme', credentials);
      for (const scheme of schemes) used.add(scheme);
    }
  }
  for (const name of used) {
    const scheme = schemes.at(name);
    const subject = `The scheme \`${name}\``;
    result.same(scheme, subject, 'type', 'http', scheme.at('type').value);
    // The name of an HTTP scheme is case-insensitive (RFC 9110 11.1).
    const { value } = scheme.at('scheme');
    result.same(scheme, subject, 'scheme', 'bearer', typeof value === 'string' ? value.toLowerCase() : value);
  }
  if (used.size > 0) result.same(schemes, 'The service', 'number of security schemes', 1, used.size);
  return result;
}
