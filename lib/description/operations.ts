import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import { descriptionOf, entriesOf, itemsOf, textOf, type Description, type Part } from './description.js';

/** An operation of an interface description. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly part: Part;
  /** Its own parameters, and those of its path that it does not override. */
  readonly parameters: readonly Part[];
  /** The innermost ones count, as for security (OpenAPI 3.0.3 4.7.9, 4.7.10). */
  readonly servers: readonly string[];
  /** The alternatives; the schemes that the document has, by their names. */
  readonly security: readonly Part[];
  readonly schemes: Part;
}

const methods = /^(get|put|post|delete|options|head|patch|trace)$/;
/** The end of the base address (sections 1 and 9.1). */
export const version = '/v1';
export const specification = descriptionOf(openApiDocument);
const specifiedOperations = operationsOf(specification);

/** The specified operations as a description lists them. One with a different method or path is found by its name. */
export function pairOperations(description: Description) {
  const all = operationsOf(description);
  return specifiedOperations.map((specified) => ({
    specified,
    described:
      all.find((one) => isAt(version, one, specified)) ??
      all.find((one) => isAt('', one, specified)) ??
      all.find(({ name }) => name === specified.name),
  }));
}

function operationsOf({ root }: Description): Operation[] {
  return entriesOf(root?.paths).flatMap(([path, item]) =>
    entriesOf(item).flatMap(([method, part]) => {
      if (!methods.test(method)) return [];
      const parameters = [item, part].flatMap((level) => itemsOf(level?.parameters));
      const distinct = new Map(parameters.map((one) => [`${textOf(one?.in)} ${textOf(one?.name)}`, one]));
      return {
        name: textOf(part?.operationId),
        method,
        path,
        part,
        parameters: [...distinct.values()],
        servers: itemsOf(part?.servers ?? item?.servers ?? root?.servers).map(addressOf),
        security: itemsOf(part?.security ?? root?.security),
        schemes: root?.components?.securitySchemes,
      };
    }),
  );
}

/** The address of a server, with the defaults of its variables. */
function addressOf(server: Part): string {
  const address = textOf(server?.url).replaceAll(/\{([^}]*)\}/g, (variable, name: string) =>
    textOf(server?.variables?.[name]?.default ?? variable),
  );
  return address.replace(/\/+$/, '');
}

/**
 * Whether an operation has a specified method, and a path that ends as specified. The names of its parameters don't count.
 * @param base the end of the base address, which may be the end of the server's or the beginning of the operation's path
 */
export function isAt(base: string, operation: Operation, { method, path }: Operation): boolean {
  const template = (address: string): string => address.replaceAll(/\{[^}]*\}/g, '{}');
  // A server that is not told may be any.
  const servers = operation.servers.length > 0 ? operation.servers : [version];
  return (
    operation.method === method &&
    servers.some((server) => template(server + operation.path).endsWith(template(base + path)))
  );
}
