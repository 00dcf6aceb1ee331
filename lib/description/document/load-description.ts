import { readFile as readFileFromDisk } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openApiDocument } from '../../specification/openapi.js';
import { DescriptionValue, type Locations } from './description-value.js';
import { causeOf, firstLine, parseText, UnusableDescription } from './description-text.js';
import { prepare, resolveReferences, type OpenApiVersion } from './description-reference.js';

/** The root of an interface description whose references are resolved, or one line that says why there is none. */
export type LoadedDescription =
  { readonly ok: true; readonly root: DescriptionValue } | { readonly ok: false; readonly message: string };

export interface LoadOptions {
  /** Gets the text at an http or https address; limits its time and size, and rejects if that fails. */
  readonly fetchText: (url: URL) => Promise<string>;
  /** Whether a `$ref` may lead to another host, or out of the folder of the description. */
  readonly allowOtherHosts: boolean;
  /** Gets the text of a local file; by default from the disk. */
  readonly readFile?: (path: string) => Promise<string>;
}

/**
 * Reads an OpenAPI 3.0 or 3.1 document, JSON or YAML, from a file or an http(s) address, with the files that it refers
 * to. Never rejects. Limited in files (50), characters (20 million per file), nesting (5,000 through references) and
 * time (20 seconds, without what `fetchText` takes).
 */
export async function loadDescription(source: string, options: LoadOptions): Promise<LoadedDescription> {
  const isAddress = /^https?:\/\//i.test(source) && URL.canParse(source);
  const address = isAddress ? new URL(source) : pathToFileURL(resolve(source));
  try {
    return { ok: true, root: await readRoot(address, options) };
  } catch (error) {
    return { ok: false, message: `The interface description ${source} ${causeOf(error)}` };
  }
}

/** The specification's own OpenAPI document, loaded like a target's. */
export async function loadSpecification(): Promise<DescriptionValue> {
  const loaded = await loadDescription('openapi.json', {
    allowOtherHosts: false,
    fetchText: (url) => Promise.reject(new Error(`${url.href} is not fetched`)),
    readFile: () => Promise.resolve(JSON.stringify(openApiDocument)),
  });
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded.root;
}

async function readRoot(address: URL, options: LoadOptions): Promise<DescriptionValue> {
  const parsed = parseText(await readText(address, options));
  const version = openApiVersion(parsed);
  const locations: Locations = new WeakMap();
  prepare(parsed, '', version, locations);
  const resolved = await resolveReferences(parsed, address, {
    allowOtherHosts: options.allowOtherHosts,
    read: (url) => readText(url, options),
    prepare: (value, file) => prepare(value, file, version, locations),
  });
  return new DescriptionValue(resolved, '', locations);
}

async function readText(url: URL, options: LoadOptions): Promise<string> {
  const { fetchText, readFile = (path: string) => readFileFromDisk(path, 'utf8') } = options;
  try {
    return await (url.protocol === 'file:' ? readFile(fileURLToPath(url)) : fetchText(url));
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
  throw new UnusableDescription(`is OpenAPI ${firstLine(version)}: only 3.0 and 3.1 can be compared`);
}
