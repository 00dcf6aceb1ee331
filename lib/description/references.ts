import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { isObject } from './description-node.js';
import { causeOf, firstLine, parseText, UnusableDescription } from './parse-text.js';

export interface ReferenceOptions {
  /** Whether references may lead to another host, or out of the folder of the description. */
  readonly allowOtherHosts: boolean;
  /** Gets the text of a file; rejects with the end of the sentence "the file …". */
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
  let files = 0;
  // The library wraps what its reader throws; the first reason is kept here.
  let reason: UnusableDescription | undefined;
  const read = async ({ url: href }: { url: string }): Promise<object> => {
    try {
      const url = new URL(href);
      refuseElsewhere(url, address, options.allowOtherHosts);
      if (++files > mostFiles)
        throw new UnusableDescription(`is one file too many: the limit is ${mostFiles}`);
      const value = parseText(await options.read(url));
      options.prepare(value, fileName(url, address));
      return value;
    } catch (error) {
      throw (reason ??= new UnusableDescription(`refers to ${firstLine(href)}, which ${causeOf(error)}`));
    }
  };
  try {
    const value: unknown = await new $RefParser().dereference(address.href, root, {
      resolve: { file: false, http: false, description: { order: 1, canRead: true, read } },
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        description: { order: 1, canParse: true, parse: ({ data }: { data: unknown }) => data },
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

function refuseElsewhere(url: URL, address: URL, allowOtherHosts: boolean): void {
  if (url.protocol !== address.protocol && !/^https?:$/.test(url.protocol)) {
    throw new UnusableDescription('is not an http or https address');
  }
  if (allowOtherHosts || isWithin(url, address)) return;
  const place = url.protocol === 'file:' ? 'outside the folder of the description' : 'on another host';
  throw new UnusableDescription(`is ${place}: --allow-other-hosts permits that`);
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

function failureOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError') return `takes more than ${longestResolution / 1_000} seconds to resolve`;
  if (error instanceof RangeError) return 'nests too deep to be resolved';
  return name === 'MissingPointerError' || name === 'InvalidPointerError'
    ? `has a reference that leads nowhere: ${causeOf(error)}`
    : `has references that cannot be resolved: ${causeOf(error)}`;
}
