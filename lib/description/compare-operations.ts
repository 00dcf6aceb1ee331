import { Comparison, listed, shown } from './comparison.js';
import type { DescriptionValue } from './document/description-value.js';

/** An operation as a description lists it. */
interface ListedOperation {
  readonly name: unknown;
  readonly method: string;
  readonly path: string;
  readonly node: DescriptionValue;
  /** Its own parameters, and those of its path that it does not override. */
  readonly parameters: readonly DescriptionValue[];
  readonly servers: DescriptionValue;
}

/** A specified operation, and the same operation in the target's description. */
export interface OperationPair {
  readonly name: string;
  readonly expected: ListedOperation;
  readonly actual: ListedOperation;
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/**
 * DESC-02: the specified operations under their names, methods and paths, getPet alone deprecated (sections 4 and 9).
 * Also pairs the operations for the other comparisons; one with a different method or path is paired by its name.
 */
export function compareOperations(
  root: DescriptionValue,
  specification: DescriptionValue,
): { readonly result: Comparison; readonly pairs: readonly OperationPair[] } {
  const result = new Comparison();
  const specified = operationsOf(specification);
  const described = operationsOf(root);
  const taken = new Set(specified.map((expected) => inPlace(described, expected)));
  const pairs = specified.flatMap((expected): OperationPair[] => {
    const actual =
      inPlace(described, expected) ??
      described.find((other) => !taken.has(other) && other.name === expected.name);
    const name = String(expected.name);
    result.expect(actual !== undefined, root.at('paths'), () => ({
      message: `${name} is not listed`,
      expected: requestLine(expected),
      received: 'absent',
    }));
    return actual ? [{ name, expected, actual }] : [];
  });
  for (const pair of pairs) {
    comparePlace(result, pair);
    compareName(result, pair);
    compareDeprecation(result, pair);
  }
  return { result, pairs };
}

function operationsOf(root: DescriptionValue): ListedOperation[] {
  const paths = root.at('paths').members();
  return paths.flatMap(([path, pathItem]) =>
    pathItem
      .members()
      .filter(([method]) => methods.has(method))
      .map(([method, node]) => ({
        name: node.at('operationId').value,
        method,
        path,
        node,
        parameters: parametersOf(pathItem, node),
        servers: serversOf([node, pathItem, root]),
      })),
  );
}

function parametersOf(pathItem: DescriptionValue, operation: DescriptionValue): DescriptionValue[] {
  const own = operation.at('parameters').items();
  const identity = (parameter: DescriptionValue): string =>
    `${shown(parameter.at('in').value)} ${shown(parameter.at('name').value)}`;
  const overridden = new Set(own.map(identity));
  const shared = pathItem.at('parameters').items();
  return [...own, ...shared.filter((parameter) => !overridden.has(identity(parameter)))];
}

/** Of the servers of an operation, its path and the document, the innermost count (OpenAPI 3.0.3 4.7.9, 4.7.10). */
function serversOf(levels: readonly DescriptionValue[]): DescriptionValue {
  const servers = levels.map((level) => level.at('servers'));
  const root = levels[levels.length - 1] as DescriptionValue;
  return servers.find((level) => level.items().length > 0) ?? root.at('servers');
}

function requestLine({ method, path }: ListedOperation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** At its method and path, with the version before the path if possible. */
function inPlace(
  described: readonly ListedOperation[],
  expected: ListedOperation,
): ListedOperation | undefined {
  const withMethod = described.filter(({ method }) => method === expected.method);
  return (
    withMethod.find((operation) => isBelowVersion(operation, expected.path)) ??
    withMethod.find(({ path }) => template(path) === template(expected.path))
  );
}

function comparePlace(result: Comparison, { name, expected, actual }: OperationPair): void {
  const { method, path, servers, node } = actual;
  const isVersioned = isBelowVersion(actual, expected.path);
  const hasPath = isVersioned || template(path) === template(expected.path);
  const inItsPlace = result.expect(hasPath && method === expected.method, node, () => ({
    message: `${name} has a different method or path`,
    expected: requestLine(expected),
    received: requestLine(actual),
  }));
  if (!inItsPlace) return;
  result.expect(isVersioned, servers, () => ({
    message: 'The base address does not end with the version segment',
    expected: 'a server whose path ends with `/v1`',
    received: listed(servers.items().map((server) => basePath(server) || '/')),
  }));
}

/**
 * Whether the operation is at a specified path below a base address that ends with `/v1` (sections 1 and 9.1). The
 * version may be the end of the server's path or the beginning of the operation's.
 */
function isBelowVersion({ path, servers }: ListedOperation, specified: string): boolean {
  const versioned = `/v1${template(specified)}`;
  const bases = servers.items().map(basePath);
  return (bases.length > 0 ? bases : [undefined]).some((base) =>
    base === undefined
      ? template(path) === template(specified) || template(path).endsWith(versioned)
      : (base + template(path)).endsWith(versioned),
  );
}

/** A path without the names of its parameters: `/pets/{id}` is the same path as `/pets/{petId}`. */
function template(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}

/** The path of a server's address, with the defaults of its variables; undefined if a variable may hold the version. */
function basePath(server: DescriptionValue): string | undefined {
  const { value } = server.at('url');
  if (typeof value !== 'string') return undefined;
  const address = value.replaceAll(/\{([^}]*)\}/g, (variable, name: string) => {
    const { value: preset } = server.at('variables', name, 'default');
    return typeof preset === 'string' ? preset : variable;
  });
  const base = 'https://description.invalid/';
  if (/\}\/?$/.test(address) || !URL.canParse(address, base)) return undefined;
  return new URL(address, base).pathname.replace(/\/+$/, '');
}

function compareName(result: Comparison, { name, expected, actual }: OperationPair): void {
  const operationId = actual.node.at('operationId');
  result.expect(actual.name === name, operationId, () => ({
    message: `${requestLine(expected)} is not named ${name}`,
    expected: `operationId: ${shown(name)}`,
    received: `operationId: ${shown(actual.name)}`,
  }));
}

function compareDeprecation(result: Comparison, { name, expected, actual }: OperationPair): void {
  const mustBe = expected.node.at('deprecated').value === true;
  const deprecated = actual.node.at('deprecated');
  result.expect((deprecated.exists && deprecated.value) === mustBe, deprecated, () => ({
    message: mustBe ? `${name} is not marked as deprecated` : `${name} is marked as deprecated`,
    expected: `deprecated: ${mustBe}`,
    received: `deprecated: ${shown(deprecated.value)}`,
  }));
}
