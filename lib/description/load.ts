import { readFile as readFileFromDisk } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DescriptionNode, type Locations } from './description-node.js';
import { firstLine, parseText } from './parse-text.js';
import { prepare, type OpenApiVersion } from './prepare.js';
import { reasonOf } from './read-failure.js';
import { resolveReferences } from './references.js';

/** An interface description, read whole: its references are resolved, circular ones included. */
export interface Description {
  readonly source: string;
  readonly version: OpenApiVersion;
  readonly root: DescriptionNode;
}

export type LoadedDescription =
  | { readonly ok: true; readonly document: Description }
  /** One line for people: what is wrong, where, and what to do. */
  | { readonly ok: false; readonly message: string };

export interface LoadOptions {
  /** Gets the text at an http or https address; bounds its time and size, and rejects where it fails. */
  readonly fetchText: (url: URL) => Promise<string>;
  /** Whether a `$ref` may lead to another host, or out of the description's own folder. */
  readonly allowOtherHosts: boolean;
  /** Gets the text of a local file; Node's own where absent. */
  readonly readFile?: (path: string) => Promise<string>;
}

/**
 * Reads an OpenAPI 3.0 or 3.1 document, JSON or YAML, from a file or an http(s) address, with the files that it refers
 * to. Never rejects: whatever is broken, too large or out of reach ends in one line. Bounded in files (50), characters
 * (20 million a file), nesting (5,000 through references) and time (20 seconds beside what `fetchText` takes).
 */
export async function loadDescription(source: string, options: LoadOptions): Promise<LoadedDescription> {
  const address = addressOf(source);
  const refused = (message: string): LoadedDescription => ({
    ok: false,
    message: `The interface description ${source} ${message}`,
  });
  let text: string;
  try {
    text = await readText(address, options);
  } catch (error) {
    return refused(`cannot be read: ${reasonOf(error)}`);
  }
  const parsed = parseText(text);
  if (!parsed.ok) return refused(parsed.message);
  const version = openApiVersion(parsed.value);
  if (!version.ok) return refused(version.message);

  const locations: Locations = new WeakMap();
  prepare(parsed.value, '', version.version, locations);
  const resolved = await resolveReferences(parsed.value, address, {
    allowElsewhere: options.allowOtherHosts,
    read: (url) => readText(url, options),
    prepare: (value, file) => prepare(value, file, version.version, locations),
  });
  if (!resolved.ok) return refused(resolved.message);
  return {
    ok: true,
    document: { source, version: version.version, root: new DescriptionNode(resolved.value, '', locations) },
  };
}

function addressOf(source: string): URL {
  return /^https?:\/\//i.test(source) && URL.canParse(source)
    ? new URL(source)
    : pathToFileURL(resolve(source));
}

async function readText(url: URL, options: LoadOptions): Promise<string> {
  if (url.protocol !== 'file:') return options.fetchText(url);
  const path = fileURLToPath(url);
  return options.readFile ? options.readFile(path) : readFileFromDisk(path, 'utf8');
}

function openApiVersion(
  root: object,
):
  { readonly ok: true; readonly version: OpenApiVersion } | { readonly ok: false; readonly message: string } {
  const { openapi: written, swagger } = root as { openapi?: unknown; swagger?: unknown };
  // YAML reads an unquoted 3.1 as a number.
  const openapi = typeof written === 'number' ? String(written) : written;
  if (swagger !== undefined) {
    return { ok: false, message: 'is Swagger 2.0: convert it to OpenAPI 3.0 or 3.1' };
  }
  if (typeof openapi !== 'string') {
    return { ok: false, message: 'has no `openapi: "3.0.x"` or `"3.1.x"`: it is no OpenAPI 3 document' };
  }
  if (/^3\.0(\.|$)/.test(openapi)) return { ok: true, version: '3.0' };
  if (/^3\.1(\.|$)/.test(openapi)) return { ok: true, version: '3.1' };
  return { ok: false, message: `is OpenAPI ${firstLine(openapi)}: 3.0 and 3.1 can be compared` };
}
