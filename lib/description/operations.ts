import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import { DescriptionValue } from './description-value.js';

/** An operation of an interface description. */
export interface Operation {
  readonly name: unknown;
  readonly method: string;
  readonly path: string;
  readonly node: DescriptionValue;
  /** Its own parameters, and those of its path that it does not override. */
  readonly parameters: readonly DescriptionValue[];
  readonly servers: DescriptionValue;
  /** What it requires of a credential; otherwise what the document does. */
  readonly security: DescriptionValue;
  /** The schemes that the document has, by their names. */
  readonly schemes: DescriptionValue;
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
const specifiedOperations = operationsOf(DescriptionValue.of(openApiDocument));

/** The specified operations as a description lists them. One with a different method or path is found by its name. */
export function pairOperations(root: DescriptionValue) {
  const all = operationsOf(root);
  return specifiedOperations.map((specified) => ({
    specified,
    described: all.find((one) => isInPlace(one, specified)) ?? all.find((one) => one.name === specified.name),
  }));
}

function operationsOf(root: DescriptionValue): Operation[] {
  return root
    .at('paths')
    .entries()
    .flatMap(([path, item]) =>
      item.entries().flatMap(([method, node]) => {
        if (!methods.has(method)) return [];
        const name = node.at('operationId').value;
        // The innermost servers and security count (OpenAPI 3.0.3 4.7.9, 4.7.10).
        const servers =
          [node, item].map((one) => one.at('servers')).find((one) => one.items().length > 0) ??
          root.at('servers');
        const security = [node, root].map((one) => one.at('security')).find(({ exists }) => exists) ?? node;
        const parameters = [item, node].flatMap((level) => level.at('parameters').items());
        const distinct = new Map(
          parameters.map((one) => [`${String(one.at('in').value)} ${String(one.at('name').value)}`, one]),
        );
        const schemes = root.at('components', 'securitySchemes');
        return { name, method, path, node, servers, security, schemes, parameters: [...distinct.values()] };
      }),
    );
}

/** Whether an operation has a specified method and path, with the version before the path or without. */
export function isInPlace(operation: Operation, specified: Operation): boolean {
  const isSame = template(operation.path) === template(specified.path);
  return (operation.method === specified.method && isSame) || isVersioned(operation, specified);
}

/**
 * Whether an operation is at a specified path below a base address that ends with `/v1` (sections 1 and 9.1). The
 * version may be the end of the server's path or the beginning of the operation's.
 */
export function isVersioned({ method, path, servers }: Operation, specified: Operation): boolean {
  const bases = servers.items().map(basePath);
  return (
    method === specified.method &&
    (bases.length > 0 ? bases : [version]).some((base) =>
      `${base}${template(path)}`.endsWith(`/v1${template(specified.path)}`),
    )
  );
}

/** A path without the names of its parameters: `/pets/{id}` is the same path as `/pets/{petId}`. */
function template(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}

/** Of a base address that is not known. */
const version = '/v1';

/** The path of a server's address, with the defaults of its variables; a variable without one may hold the version. */
function basePath(server: DescriptionValue): string {
  const address = String(server.at('url').value).replaceAll(/\{([^}]*)\}/g, (variable, name: string) => {
    const { value } = server.at('variables', name, 'default');
    return typeof value === 'string' ? value : variable;
  });
  const base = 'https://description.invalid/';
  if (/\}\/?$/.test(address) || !URL.canParse(address, base)) return version;
  return new URL(address, base).pathname.replace(/\/+$/, '');
}
