import { Comparison } from './comparison.js';
import type { DescriptionNode } from './description-node.js';
import { hasPath, isAt, placementOf, type Placement } from './base-path.js';
import { operationRules, type OperationRule } from './specified.js';
import { told } from './told.js';

/** An operation of the specification where a description has it. */
export interface FoundOperation {
  readonly rule: OperationRule;
  readonly pathItem: DescriptionNode;
  readonly operation: DescriptionNode;
}

interface Candidate {
  readonly method: string;
  readonly placement: Placement;
  readonly pathItem: DescriptionNode;
  readonly operation: DescriptionNode;
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/**
 * DESC-02: the three operations under their names, methods and paths, getPet alone deprecated (sections 4 and 9).
 * Also finds them for the other comparisons: an operation in another place is told here and compared there all the same.
 */
export function compareOperations(root: DescriptionNode): {
  readonly result: Comparison;
  readonly found: readonly FoundOperation[];
} {
  const result = new Comparison();
  const candidates = listed(root);
  const taken = new Set(operationRules.map((rule) => inPlace(candidates, rule)));
  const found = operationRules.flatMap((rule): FoundOperation[] => {
    const candidate =
      inPlace(candidates, rule) ??
      candidates.find((other) => !taken.has(other) && other.operation.at('operationId').value === rule.name);
    result.expect(candidate !== undefined, () => ({
      message: `${rule.name} is not listed`,
      section: rule.section,
      expected: `${rule.method.toUpperCase()} ${rule.path}`,
      received: 'absent',
      pointer: root.at('paths').pointer,
    }));
    if (!candidate) return [];
    comparePlace(result, rule, candidate);
    compareName(result, rule, candidate.operation);
    compareDeprecation(result, rule, candidate.operation);
    return [{ rule, pathItem: candidate.pathItem, operation: candidate.operation }];
  });
  return { result, found };
}

function listed(root: DescriptionNode): Candidate[] {
  return root
    .at('paths')
    .members()
    .flatMap(([path, pathItem]) =>
      pathItem
        .members()
        .filter(([method]) => methods.has(method))
        .map(([method, operation]) => ({
          method,
          placement: placementOf(path, [operation, pathItem, root]),
          pathItem,
          operation,
        })),
    );
}

/** At its method and path, with the version before it where possible. */
function inPlace(candidates: readonly Candidate[], rule: OperationRule): Candidate | undefined {
  const withMethod = candidates.filter(({ method }) => method === rule.method);
  return (
    withMethod.find(({ placement }) => isAt(placement, rule.path)) ??
    withMethod.find(({ placement }) => hasPath(placement, rule.path))
  );
}

function comparePlace(
  result: Comparison,
  rule: OperationRule,
  { method, placement, operation }: Candidate,
): void {
  const inItsPath = isAt(placement, rule.path) || hasPath(placement, rule.path);
  const right = result.expect(inItsPath && method === rule.method, () => ({
    message: `${rule.name} is at another method or path`,
    section: rule.section,
    expected: `${rule.method.toUpperCase()} ${rule.path}`,
    received: `${method.toUpperCase()} ${placement.path}`,
    pointer: operation.pointer,
  }));
  if (!right) return;
  result.expect(isAt(placement, rule.path), () => ({
    message: 'The base address does not end with the version segment',
    section: '9.1',
    expected: 'a server whose path ends with `/v1`',
    received: placement.bases.map((base) => `\`${base || '/'}\``).join(', '),
    pointer: placement.servers.pointer,
  }));
}

function compareName(result: Comparison, rule: OperationRule, operation: DescriptionNode): void {
  const name = operation.at('operationId');
  result.expect(name.value === rule.name, () => ({
    message: `${rule.method.toUpperCase()} ${rule.path} is not named ${rule.name}`,
    section: rule.section,
    expected: `operationId \`${rule.name}\``,
    received: told(name.value),
    pointer: name.exists ? name.pointer : operation.pointer,
  }));
}

function compareDeprecation(result: Comparison, rule: OperationRule, operation: DescriptionNode): void {
  const deprecated = operation.at('deprecated');
  const holds = rule.deprecated
    ? deprecated.value === true
    : deprecated.value === undefined || deprecated.value === false;
  result.expect(holds, () => ({
    message: rule.deprecated
      ? `${rule.name} is not marked deprecated`
      : `${rule.name} is marked deprecated, as only getPet is`,
    section: rule.deprecated ? '4.3, 9.3' : `${rule.section}, 9.3`,
    expected: rule.deprecated ? 'deprecated: true' : 'not deprecated',
    received: told(deprecated.value),
    pointer: deprecated.exists ? deprecated.pointer : operation.pointer,
  }));
}
