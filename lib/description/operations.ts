import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import { descriptionOf, entriesOf, itemsOf, textOf, type Description, type Part } from './description.js';

/** An operation of an interface description. */
export interface Operation {
  readonly name: string;
  /** `GET /pets`. */
  readonly line: string;
  /** The same below each server. */
  readonly addresses: readonly string[];
  readonly part: Part;
  /** Its own parameters, and those of its path that it does not override. */
  readonly parameters: readonly Part[];
  /** The alternatives; the schemes that the document has, by their names. */
  readonly security: readonly Part[];
  readonly schemes: Part;
}

const methods = /^(get|put|post|delete|options|head|patch|trace)$/;
export const specification = descriptionOf(openApiDocument);
const specifiedOperations = operationsOf(specification);

/** The specified operations as a description lists them. */
export function pairOperations(description: Description) {
  const all = operationsOf(description);
  return specifiedOperations.map((specified) => ({
    specified,
    described: all.find((one) => isVersioned(one, specified)) ?? all.find((one) => isAt('', one, specified)),
  }));
}

/**
 * Whether an operation is at its specified path below a base address that ends with `/v1` (sections 1 and 9.1), which may be
 * the end of the server's address or the beginning of the operation's path.
 */
export function isVersioned(operation: Operation, specified: Operation): boolean {
  return isAt('/v1', operation, specified);
}

/** Without the names of parameters: `/pets/{id}` is the same path as `/pets/{petId}`. */
function isAt(base: string, { addresses }: Operation, { line }: Operation): boolean {
  const template = (text: string): string => text.replaceAll(/\{[^}]*\}/g, '{}');
  const [method = '', path = ''] = line.split(' ');
  return addresses
    .map(template)
    .some((one) => one.startsWith(`${method} `) && one.endsWith(template(base + path)));
}

export function operationsOf({ root }: Description): Operation[] {
  return entriesOf(root?.paths).flatMap(([path, item]) =>
    entriesOf(item).flatMap(([name, part]) => {
      if (!methods.test(name)) return [];
      const method = name.toUpperCase();
      const parameters = [item, part].flatMap((level) => itemsOf(level?.parameters));
      const distinct = new Map(parameters.map((one) => [`${textOf(one?.in)} ${textOf(one?.name)}`, one]));
      // The innermost servers and security count (OpenAPI 3.0.3 4.7.9, 4.7.10).
      const servers = itemsOf(part?.servers ?? item?.servers ?? root?.servers).map(addressOf);
      return {
        name: textOf(part?.operationId),
        line: `${method} ${path}`,
        // A server that is not told may be any.
        addresses: (servers.length > 0 ? servers : ['/v1']).map((server) => `${method} ${server}${path}`),
        part,
        parameters: [...distinct.values()],
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
