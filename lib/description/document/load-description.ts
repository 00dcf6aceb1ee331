import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { causeOf, parseText, UnusableDescription } from './description-text.js';
import { DescriptionValue, type DescriptionFiles } from './description-value.js';

export type OpenApiVersion = '3.0' | '3.1';

/** An interface description with the files that it refers to. */
export interface Description {
  readonly version: OpenApiVersion;
  readonly files: DescriptionFiles;
  readonly root: DescriptionValue;
}

/** A description, or one line that says why there is none. */
export type LoadedDescription =
  { readonly ok: true; readonly description: Description } | { readonly ok: false; readonly message: string };

export interface LoadOptions {
  /** Gets the text of a file, or at an http or https address; limits its time and size, and rejects if that fails. */
  readonly read: (url: URL) => Promise<string>;
  /** Whether a `$ref` may lead to another host, or out of the folder of the description. */
  readonly allowOtherHosts: boolean;
}

/** Files that one description may consist of. */
const mostFiles = 50;

/**
 * Reads an OpenAPI 3.0 or 3.1 document, JSON or YAML, from a file or an http(s) address, with the files that it refers
 * to. Never rejects. Limited in files (50) and in characters (20 million per file).
 */
export async function loadDescription(source: string, options: LoadOptions): Promise<LoadedDescription> {
  const isAddress = /^https?:\/\//i.test(source) && URL.canParse(source);
  const address = isAddress ? new URL(source) : pathToFileURL(resolve(source));
  try {
    const value = parseText(await readText(address, options));
    const version = openApiVersion(value);
    const files = new Map([[withoutHash(address), value]]);
    await readReferences(files, address, options);
    const root = new DescriptionValue(files, withoutHash(address), value);
    return { ok: true, description: { version, files, root } };
  } catch (error) {
    return { ok: false, message: `The interface description ${source} ${causeOf(error)}` };
  }
}

/** Adds the files that the document refers to, and those that they refer to. */
async function readReferences(files: Map<string, object>, address: URL, options: LoadOptions): Promise<void> {
  // The library wraps what its reader throws; the first reason is kept here.
  let reason: UnusableDescription | undefined;
  const read = async ({ url: href }: { url: string }): Promise<object> => {
    try {
      const url = new URL(href);
      refuseElsewhere(url, address, options.allowOtherHosts);
      if (files.size > mostFiles)
        throw new UnusableDescription(`is one file too many: the limit is ${mostFiles}`);
      const value = parseText(await readText(url, options));
      files.set(withoutHash(url), value);
      return value;
    } catch (error) {
      throw (reason ??= new UnusableDescription(`refers to ${causeOf(href)}, which ${causeOf(error)}`));
    }
  };
  const [root] = files.values();
  const parse = ({ data }: { data: unknown }): unknown => data;
  try {
    await new $RefParser().resolve(address.href, root, {
      resolve: { file: false, http: false, description: { order: 1, canRead: true, read } },
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        description: { order: 1, canParse: true, parse },
      },
    });
  } catch (error) {
    if (error instanceof RangeError) throw new UnusableDescription('nests too deep to be resolved');
    throw reason ?? new UnusableDescription(`has references that cannot be resolved: ${causeOf(error)}`);
  }
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

function withoutHash({ href, hash }: URL): string {
  return href.slice(0, href.length - hash.length);
}

async function readText(url: URL, { read }: LoadOptions): Promise<string> {
  try {
    return await read(url);
  } catch (error) {
    throw new UnusableDescription(`cannot be read: ${causeOf(error)}`);
  }
}

function openApiVersion(root: object): OpenApiVersion {
  const { openapi, swagger } = root as { openapi?: unknown; swagger?: unknown };
  if (swagger !== undefined)
    throw new UnusableDescription('is Swagger 2.0: convert it to OpenAPI 3.0 or 3.1');
  // YAML reads an unquoted 3.1 as a number.
  const version = typeof openapi === 'number' ? String(openapi) : openapi;
  if (typeof version !== 'string') {
    throw new UnusableDescription('has no `openapi: "3.0.x"` or `"3.1.x"`: it is not an OpenAPI 3 document');
  }
  const [, known] = /^(3\.[01])(?:\.|$)/.exec(version) ?? [];
  if (known === '3.0' || known === '3.1') return known;
  throw new UnusableDescription(`is OpenAPI ${causeOf(version)}: only 3.0 and 3.1 can be compared`);
}
