import { Comparison } from './comparison.js';
import type { DescriptionNode } from './description-node.js';
import type { FoundOperation } from './operations.js';
import { named, told } from './told.js';

/** DESC-04: one HTTP bearer scheme secures the whole service, every operation of it (section 5.1). */
export function compareSecurity(root: DescriptionNode, found: readonly FoundOperation[]): Comparison {
  const result = new Comparison();
  const schemes = root.at('components', 'securitySchemes');
  const used = new Map<string, DescriptionNode>();
  for (const { rule, operation } of found) {
    for (const name of requiredSchemes(result, root, operation, rule.name)) {
      const scheme = schemes.at(name);
      used.set(name, scheme);
      compareScheme(result, scheme, name);
    }
  }
  if (used.size === 0) return result;
  result.expect(used.size === 1, () => ({
    message: 'More than one scheme secures the service',
    section: '5.1',
    expected: 'one HTTP bearer scheme',
    received: named(used.keys()),
    pointer: schemes.pointer,
  }));
  return result;
}

/** The schemes that an operation may be called with. Its own `security` takes the place of the document's. */
function requiredSchemes(
  result: Comparison,
  root: DescriptionNode,
  operation: DescriptionNode,
  name: string,
): string[] {
  const own = operation.at('security');
  const security = own.exists ? own : root.at('security');
  const alternatives = security.items().map((alternative) => alternative.members().map(([scheme]) => scheme));
  result.expect(alternatives.length > 0, () => ({
    message: `${name} is not secured`,
    section: '5.1',
    expected: 'the bearer scheme required',
    received: security.exists ? 'security: []' : 'no `security`',
    pointer: security.exists ? security.pointer : operation.pointer,
  }));
  for (const [index, alternative] of alternatives.entries()) {
    result.expect(alternative.length === 1, () => ({
      message:
        alternative.length === 0
          ? `${name} may be called without a credential`
          : `${name} requires more than one credential`,
      section: '5.1',
      expected: 'the bearer scheme alone',
      received: alternative.length === 0 ? '`{}` among the alternatives' : named(alternative),
      pointer: security.at(index).pointer,
    }));
  }
  return [...new Set(alternatives.flat())];
}

/** A scheme's name is compared without regard to case (RFC 9110 11.1). */
function compareScheme(result: Comparison, scheme: DescriptionNode, name: string): void {
  const { value: type } = scheme.at('type');
  const { value: word } = scheme.at('scheme');
  const isBearer = type === 'http' && typeof word === 'string' && word.toLowerCase() === 'bearer';
  result.expect(isBearer, () => ({
    message: `The scheme \`${name}\` is not an HTTP bearer scheme`,
    section: '5.1',
    expected: 'type: http, scheme: bearer',
    received: scheme.exists
      ? `type: ${told(type)}${type === 'http' ? `, scheme: ${told(word)}` : ''}`
      : `no \`${name}\` in the securitySchemes`,
    pointer: scheme.pointer,
  }));
}
