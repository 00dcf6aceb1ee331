import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import { descriptionOf, textOf, type Description, type Part } from './description.js';

const methods = /^(get|put|post|delete|options|head|patch|trace)$/;
export const specification = descriptionOf(openApiDocument);
const specifiedOperations = operationsOf(specification);

export type Operation = ReturnType<typeof operationsOf>[number];

/** The specified operations by their names, each as a description lists it. */
export function pairOperations(description: Description) {
  const all = new Map(operationsOf(description).map((one) => [one.place, one]));
  return specifiedOperations.map((specified) => {
    const described = all.get(specified.place);
    return { name: textOf(specified.part?.operationId), specified, described };
  });
}

export function operationsOf({ root }: Description) {
  return Object.entries(root?.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).flatMap(([name, part]) => {
      if (!methods.test(name)) return [];
      const method = name.toUpperCase();
      // What is innermost counts (OpenAPI 3.0.3 4.7.9, 4.7.10). A server that is not told may be any.
      const servers = Object.values(part?.servers ?? item?.servers ?? root?.servers ?? {}).map(addressOf);
      const addresses = (servers.length > 0 ? servers : ['/v1']).map((server) => server + path);
      const versioned = addresses.find((address) => address.includes('/v1/'));
      const place = (versioned ?? path).replace(/^.*\/v1(?=\/)/, '').replaceAll(/\{[^}]*\}/g, '{}');
      const parameters = [item, part].flatMap((level) => Object.values(level?.parameters ?? {}));
      const distinct = new Map(parameters.map((one) => [`${textOf(one?.in)} ${textOf(one?.name)}`, one]));
      return {
        line: `${method} ${path}`,
        /** Below the version, without the names of parameters: `/pets/{id}` is the same path as `/pets/{petId}`. */
        place: `${method} ${place}`,
        /** Whether the base address ends with `/v1` (sections 1 and 9.1), in the server's address or in the path. */
        isVersioned: versioned !== undefined,
        addresses,
        part,
        parameters: [...distinct.values()],
        /** The alternatives; the schemes that the document has, by their names. */
        security: Object.values(part?.security ?? root?.security ?? {}),
        schemes: root?.components?.securitySchemes,
      };
    }),
  );
}

/** The address of a server, with the defaults of its variables. */
function addressOf(server: Part): string {
  const defaultOf = (name: string): Part | string => server?.variables?.[name.slice(1, -1)]?.default ?? name;
  const address = textOf(server?.url).replaceAll(/\{[^}]*\}/g, (name) => textOf(defaultOf(name)));
  return address.replace(/\/+$/, '');
}
