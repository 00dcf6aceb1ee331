import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { isObject } from './description-node.js';
import { firstLine, parseText } from './parse-text.js';
import { reasonOf } from './read-failure.js';

export interface ReferenceOptions {
  /** Whether references may leave the host, or the folder, of the description. */
  readonly allowElsewhere: boolean;
  readonly read: (url: URL) => Promise<string>;
  /** Takes note of a file that was read, before anything in it is resolved. */
  readonly prepare: (value: object, file: string) => void;
}

export type ResolvedReferences =
  { readonly ok: true; readonly value: object } | { readonly ok: false; readonly message: string };

/** Files that one description may be spread over. */
const mostFiles = 50;

/**
 * How far references may lead on from one to the next. Large descriptions whose schemas all know each other come near
 * a thousand; where the stack ends before this does, the same is told.
 */
const longestChain = 5_000;

/** Milliseconds for resolving alone, without the reading of files. */
const longestResolution = 20_000;

/**
 * Puts what references refer to in their place (RFC 6901, OpenAPI's Reference Object), in the object itself. Circular
 * references become cycles of objects. Files are read only where `mayRead` allows it. Never rejects.
 */
export async function resolveReferences(
  root: object,
  address: URL,
  options: ReferenceOptions,
): Promise<ResolvedReferences> {
  // The library wraps what a reader throws; the first refusal in our own words is kept beside it.
  let refusal: string | undefined;
  const refuse = (message: string): never => {
    refusal ??= message;
    throw new Error(message);
  };
  let files = 0;

  const read = async (href: string): Promise<string> => {
    const url = new URL(href);
    if (url.protocol !== address.protocol && !/^https?:$/.test(url.protocol)) {
      return refuse(`refers to ${firstLine(href)}, which no description may ask for`);
    }
    if (!options.allowElsewhere && !isWithin(url, address)) {
      const place = url.protocol === 'file:' ? 'outside its folder' : 'on another host';
      return refuse(`refers to ${firstLine(href)}, ${place}: that is read only where it is allowed`);
    }
    files++;
    if (files > mostFiles) return refuse(`is spread over more than the ${mostFiles} files that are read`);
    try {
      return await options.read(url);
    } catch (error) {
      return refuse(`refers to ${firstLine(href)}, which cannot be read: ${reasonOf(error)}`);
    }
  };

  const parse = (href: string, text: string): object => {
    const parsed = parseText(text);
    if (!parsed.ok) return refuse(`refers to ${firstLine(href)}, which ${parsed.message}`);
    options.prepare(parsed.value, fileName(new URL(href), address));
    return parsed.value;
  };

  try {
    const value: unknown = await new $RefParser().dereference(address.href, root, {
      resolve: {
        file: false,
        http: false,
        description: { order: 1, canRead: true, read: (file: { url: string }) => read(file.url) },
      },
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        description: {
          order: 1,
          canParse: true,
          parse: (file: { url: string; data: string | Buffer }) => parse(file.url, file.data.toString()),
        },
      },
      dereference: {
        circular: true,
        maxDepth: longestChain,
        excludedPathMatcher: (path: string) => /\/examples?(\/|$)/.test(path),
      },
      timeoutMs: longestResolution,
    });
    return isObject(value) ? { ok: true, value } : { ok: false, message: 'holds no JSON or YAML object' };
  } catch (error) {
    return { ok: false, message: refusal ?? messageOf(error) };
  }
}

/** The same origin, and of local files the same folder or one below it. */
function isWithin(url: URL, address: URL): boolean {
  if (url.protocol !== 'file:') return url.origin === address.origin && address.protocol !== 'file:';
  return address.protocol === 'file:' && url.href.startsWith(new URL('.', address).href);
}

function fileName(url: URL, address: URL): string {
  const folder = new URL('.', address).href;
  return url.href.startsWith(folder) ? url.href.slice(folder.length) : url.href;
}

function messageOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'MissingPointerError' || name === 'InvalidPointerError') {
    return `has a reference that leads nowhere: ${firstLine(message)}`;
  }
  if (name === 'TimeoutError') return `takes more than ${longestResolution / 1_000} seconds to resolve`;
  if (error instanceof RangeError) return 'nests too deep to be resolved';
  return `has references that cannot be resolved: ${firstLine(message)}`;
}
