import { Comparison, listed, shown } from './comparison.js';
import type { DescriptionValue } from './document/description-value.js';
import type { OperationPair } from './compare-operations.js';

/** DESC-04: one HTTP bearer scheme secures the whole service, every operation of it (section 5.1). */
export function compareSecurity(root: DescriptionValue, pairs: readonly OperationPair[]): Comparison {
  const result = new Comparison();
  const schemes = root.at('components', 'securitySchemes');
  const used = new Set(pairs.flatMap((pair) => requiredSchemes(result, root, pair)));
  for (const name of used) compareScheme(result, schemes.at(name), name);
  if (used.size === 0) return result;
  result.expect(used.size === 1, schemes, () => ({
    message: 'More than one scheme secures the service',
    expected: 'one HTTP bearer scheme',
    received: listed(used),
  }));
  return result;
}

/** The schemes that an operation may be called with. Its own `security` replaces the document's. */
function requiredSchemes(
  result: Comparison,
  root: DescriptionValue,
  { name, actual }: OperationPair,
): string[] {
  const own = actual.node.at('security');
  const security = own.exists ? own : root.at('security');
  const alternatives = security.items();
  result.expect(alternatives.length > 0, security.exists ? security : actual.node, () => ({
    message: `${name} is not secured`,
    expected: 'the bearer scheme is required',
    received: security.exists ? 'security: []' : 'no `security`',
  }));
  return alternatives.flatMap((alternative) => {
    const schemes = alternative.members().map(([scheme]) => scheme);
    result.expect(schemes.length === 1, alternative, () => ({
      message: `${name} ${schemes.length === 0 ? 'may be called without a credential' : 'requires more than one credential'}`,
      expected: 'the bearer scheme alone',
      received: schemes.length === 0 ? '`{}` is one of the alternatives' : listed(schemes),
    }));
    return schemes;
  });
}

/** The name of an HTTP scheme is case-insensitive (RFC 9110 11.1). */
function compareScheme(result: Comparison, scheme: DescriptionValue, name: string): void {
  const { value: type } = scheme.at('type');
  const { value: httpScheme } = scheme.at('scheme');
  const isBearer = type === 'http' && String(httpScheme).toLowerCase() === 'bearer';
  result.expect(isBearer, scheme, () => ({
    message: `The scheme \`${name}\` is not an HTTP bearer scheme`,
    expected: 'type: "http", scheme: "bearer"',
    received: scheme.exists
      ? `type: ${shown(type)}, scheme: ${shown(httpScheme)}`
      : `no \`${name}\` in securitySchemes`,
  }));
}
