import type { DescriptionNode } from './description-node.js';

/** Where a description puts an operation: the path as it is listed, and the base addresses that it is relative to. */
export interface Placement {
  readonly path: string;
  readonly servers: DescriptionNode;
  /** The paths of the base addresses, without a slash at the end; undefined for one that cannot be told. */
  readonly bases: readonly (string | undefined)[];
}

/** Of the servers of an operation, its path and the document, the innermost count (OpenAPI 3.0.3 4.7.9, 4.7.10). */
export function placementOf(path: string, levels: readonly DescriptionNode[]): Placement {
  const [operation, ...outer] = levels.map((level) => level.at('servers'));
  const servers = [operation, ...outer].find((level) => level && level.items().length > 0) ?? outer.at(-1);
  if (!servers) throw new Error('a placement needs at least one level');
  const bases = servers.items().map(basePath);
  return { path, servers, bases: bases.length > 0 ? bases : [undefined] };
}

/**
 * Whether it is at a specified path below a base address that ends with `/v1` (sections 1 and 9.1). The segment may
 * stand in either part. Parameters' names are no part of it: `/pets/{id}` is `/pets/{petId}`.
 */
export function isAt({ path, bases }: Placement, specified: string): boolean {
  const versioned = `/v1${nameless(specified)}`;
  return bases.some((base) =>
    base === undefined
      ? nameless(path) === nameless(specified) || nameless(path).endsWith(versioned)
      : (base + nameless(path)).endsWith(versioned),
  );
}

/** Whether its path is the specified one, whatever the base address. */
export function hasPath({ path }: Placement, specified: string): boolean {
  return nameless(path) === nameless(specified);
}

function nameless(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}

/** The path of a server's address with the defaults of its variables put in. */
function basePath(server: DescriptionNode): string | undefined {
  const { value } = server.at('url');
  if (typeof value !== 'string') return undefined;
  const address = value.replaceAll(/\{([^}]*)\}/g, (variable, name: string) => {
    const preset = server.at('variables', name, 'default').value;
    return typeof preset === 'string' ? preset : variable;
  });
  // A variable that is left at the end may hold the version or not.
  if (/\}\/?$/.test(address)) return undefined;
  const base = 'https://description.invalid/';
  if (!URL.canParse(address, base)) return undefined;
  return new URL(address, base).pathname.replace(/\/+$/, '');
}
