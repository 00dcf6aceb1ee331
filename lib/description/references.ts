import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { isObject } from './description-node.js';
import { firstLine, parseText, UnusableDescription } from './parse-text.js';

export interface ReferenceOptions {
  /** Whether references may lead to another host, or out of the folder of the description. */
  readonly allowOtherHosts: boolean;
  readonly read: (url: URL) => Promise<string>;
  /** Prepares a file before its references are resolved. */
  readonly prepare: (value: object, file: string) => void;
}

/** Files that one description may consist of. */
const mostFiles = 50;

/**
 * References that may follow each other. Large descriptions whose schemas all refer to each other have about a
 * thousand; the stack may end earlier, with the same message.
 */
const longestChain = 5_000;

/** Milliseconds for resolving alone, without reading files. */
const longestResolution = 20_000;

/**
 * Replaces the references in an object by their targets (RFC 6901, OpenAPI's Reference Object). Circular references
 * become cycles of objects.
 *
 * @throws UnusableDescription if a reference cannot be resolved.
 */
export async function resolveReferences(
  root: object,
  address: URL,
  options: ReferenceOptions,
): Promise<object> {
  // The library wraps what its reader and parser throw; the first of these is the reason.
  let reason: UnusableDescription | undefined;
  const explained = async <Value>(read: () => Promise<Value> | Value): Promise<Value> => {
    try {
      return await read();
    } catch (error) {
      if (error instanceof UnusableDescription) reason ??= error;
      throw error;
    }
  };
  let files = 0;
  const read = async (url: URL): Promise<string> => {
    if (++files > mostFiles) throw new UnusableDescription(`consists of more than ${mostFiles} files`);
    refuseElsewhere(url, address, options.allowOtherHosts);
    try {
      return await options.read(url);
    } catch (error) {
      throw new UnusableDescription(
        `refers to ${firstLine(url.href)}, which cannot be read: ${causeOf(error)}`,
      );
    }
  };
  const parse = (url: URL, text: string): object => {
    try {
      const value = parseText(text);
      options.prepare(value, fileName(url, address));
      return value;
    } catch (error) {
      throw new UnusableDescription(`refers to ${firstLine(url.href)}, which ${causeOf(error)}`);
    }
  };
  try {
    const value: unknown = await new $RefParser().dereference(address.href, root, {
      resolve: {
        file: false,
        http: false,
        description: {
          order: 1,
          canRead: true,
          read: ({ url }: File) => explained(() => read(new URL(url))),
        },
      },
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        description: {
          order: 1,
          canParse: true,
          parse: ({ url, data }: File) => explained(() => parse(new URL(url), String(data))),
        },
      },
      dereference: {
        circular: true,
        maxDepth: longestChain,
        excludedPathMatcher: (path: string) => /\/examples?(\/|$)/.test(path),
      },
      timeoutMs: longestResolution,
    });
    if (isObject(value)) return value;
  } catch (error) {
    throw reason ?? new UnusableDescription(failureOf(error));
  }
  throw new UnusableDescription('is not a JSON or YAML object');
}

interface File {
  readonly url: string;
  readonly data: unknown;
}

function refuseElsewhere(url: URL, address: URL, allowOtherHosts: boolean): void {
  const href = firstLine(url.href);
  if (url.protocol !== address.protocol && !/^https?:$/.test(url.protocol)) {
    throw new UnusableDescription(`refers to ${href}, but only http and https addresses are read`);
  }
  if (allowOtherHosts || isWithin(url, address)) return;
  const place = url.protocol === 'file:' ? 'outside its folder' : 'on another host';
  throw new UnusableDescription(`refers to ${href}, ${place}: --allow-other-hosts permits that`);
}

/** The same origin; for local files, the same folder or one below it. */
function isWithin(url: URL, address: URL): boolean {
  if (url.protocol !== 'file:') return url.origin === address.origin && address.protocol !== 'file:';
  return address.protocol === 'file:' && url.href.startsWith(new URL('.', address).href);
}

function fileName(url: URL, address: URL): string {
  const folder = new URL('.', address).href;
  return url.href.startsWith(folder) ? url.href.slice(folder.length) : url.href;
}

/** Why a file or an address could not be read, in one line for people. */
export function causeOf(error: unknown): string {
  const { message, code } = error as { message?: unknown; code?: unknown };
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder, not a file';
  if (code === 'EACCES') return 'this user may not read the file';
  return firstLine(typeof message === 'string' ? message : String(error));
}

function failureOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError') return `takes more than ${longestResolution / 1_000} seconds to resolve`;
  if (error instanceof RangeError) return 'nests too deep to be resolved';
  return name === 'MissingPointerError' || name === 'InvalidPointerError'
    ? `has a reference that leads nowhere: ${causeOf(error)}`
    : `has references that cannot be resolved: ${causeOf(error)}`;
}
