import { openApiDocument } from '../specification/openapi.js';
import { Comparison } from './comparison.js';
import type { DescriptionValue } from './document/description-value.js';

/** An operation of section 4. */
interface SpecifiedOperation {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly deprecated?: true;
  readonly parameters?: ReadonlyArray<{
    readonly name: 'limit' | 'status' | 'petId';
    readonly in: 'query' | 'path';
    readonly required: boolean;
    readonly schema: { readonly default?: number };
  }>;
  readonly requestBody?: object;
  readonly responses: object;
}

/** A specified operation, and the same operation as the target's description lists it. */
export interface OperationPair {
  readonly specified: SpecifiedOperation;
  readonly method: string;
  readonly path: string;
  readonly node: DescriptionValue;
  /** Its own parameters, and those of its path that it does not override. */
  readonly parameters: readonly DescriptionValue[];
  readonly servers: DescriptionValue;
}

type ListedOperation = Omit<OperationPair, 'specified'>;

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

const specifiedOperations: readonly SpecifiedOperation[] = Object.entries(openApiDocument.paths).flatMap(
  ([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
);

/** The specified operations that a description lists. One with a different method or path is found by its name. */
export function pairOperations(root: DescriptionValue): OperationPair[] {
  const all = root
    .at('paths')
    .members()
    .flatMap(([path, item]) =>
      item
        .members()
        .filter(([method]) => methods.has(method))
        .map(([method, node]) => ({ method, path, node, ...inherited(root, item, node) })),
    );
  const inPlace = specifiedOperations.map((specified) => atPlace(all, specified));
  return specifiedOperations.flatMap((specified, index) => {
    const isNamed = ({ node }: ListedOperation): boolean =>
      node.at('operationId').value === specified.operationId;
    const found = inPlace[index] ?? all.find((other) => !inPlace.includes(other) && isNamed(other));
    return found ? [{ specified, ...found }] : [];
  });
}

/** DESC-02: the specified operations under their names, methods and paths, getPet alone deprecated (sections 4 and 9). */
export function compareOperations(root: DescriptionValue, pairs: readonly OperationPair[]): Comparison {
  const result = new Comparison();
  for (const specified of specifiedOperations) {
    const { operationId: name, deprecated = false, method, path } = specified;
    const pair = pairs.find((one) => one.specified === specified);
    const line = `${method.toUpperCase()} ${path}`;
    if (!pair) {
      result.same(root.at('paths'), name, 'paths', line, undefined);
      continue;
    }
    const { node, servers } = pair;
    const isVersioned = isBelowVersion(pair, path);
    const isInPlace = pair.method === method && (isVersioned || template(pair.path) === template(path));
    result.same(node, name, 'paths', line, isInPlace ? line : `${pair.method.toUpperCase()} ${pair.path}`);
    const bases = servers.items().map((server) => basePath(server) || '/');
    const server = 'a base address that ends with /v1';
    if (isInPlace) result.same(servers, 'The document', 'servers', server, isVersioned ? server : bases);
    result.same(node.at('operationId'), line, 'operationId', name, node.at('operationId').value);
    result.same(node.at('deprecated'), name, 'deprecated', deprecated, node.at('deprecated').value ?? false);
  }
  return result;
}

/** What an operation has of its path and of the document. */
function inherited(
  root: DescriptionValue,
  item: DescriptionValue,
  node: DescriptionValue,
): Pick<ListedOperation, 'parameters' | 'servers'> {
  const own = node.at('parameters').items();
  const identity = (one: DescriptionValue): string =>
    JSON.stringify([one.at('in').value, one.at('name').value]);
  const overridden = new Set(own.map(identity));
  const shared = item.at('parameters').items();
  // Of the servers, the innermost count (OpenAPI 3.0.3 4.7.9, 4.7.10).
  const servers = [node, item].map((level) => level.at('servers')).find((level) => level.items().length > 0);
  return {
    parameters: [...own, ...shared.filter((parameter) => !overridden.has(identity(parameter)))],
    servers: servers ?? root.at('servers'),
  };
}

/** At its method and path, with the version before the path if possible. */
function atPlace(
  all: readonly ListedOperation[],
  specified: SpecifiedOperation,
): ListedOperation | undefined {
  const withMethod = all.filter(({ method }) => method === specified.method);
  return (
    withMethod.find((operation) => isBelowVersion(operation, specified.path)) ??
    withMethod.find(({ path }) => template(path) === template(specified.path))
  );
}

/**
 * Whether the operation is at a specified path below a base address that ends with `/v1` (sections 1 and 9.1). The
 * version may be the end of the server's path or the beginning of the operation's.
 */
function isBelowVersion({ path, servers }: ListedOperation, specified: string): boolean {
  const bases = servers.items().map(basePath);
  return (bases.length > 0 ? bases : [undefined]).some(
    (base) =>
      ((base ?? '') + template(path)).endsWith(`/v1${template(specified)}`) ||
      (base === undefined && template(path) === template(specified)),
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
