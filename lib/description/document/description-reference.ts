import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { jsonPointer } from '../../specification/json-value.js';
import { isObject, type Locations } from './description-value.js';
import { causeOf, firstLine, parseText, UnusableDescription } from './description-text.js';

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

export type OpenApiVersion = '3.0' | '3.1';

interface Place {
  readonly value: object;
  readonly pointer: string;
  /** The key of the object in its parent. */
  readonly key: string;
  /** The pointer of the schema resource: the file, or the nearest object with an `$id`. */
  readonly resource: string;
}

/**
 * Prepares a file of a description for the library that resolves its references: notes the location of each object,
 * writes references to anchors as pointers, and gives the keywords beside a `$ref` the meaning that they have in the
 * version. Changes the document; does not recurse.
 */
export function prepare(root: object, file: string, version: OpenApiVersion, locations: Locations): void {
  const anchors = new Map<string, string | undefined>();
  const references: Place[] = [];
  const pending: Place[] = [{ value: root, pointer: '', key: '', resource: '' }];
  for (let place = pending.pop(); place; place = pending.pop()) {
    const { value, pointer } = place;
    // An object that a YAML alias repeats is located at its first place.
    if (locations.has(value)) continue;
    locations.set(value, file === '' ? pointer : `${file}#${pointer}`);
    const resource = isText(value, '$id') ? pointer : place.resource;
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      if (!isText(value, keyword)) continue;
      const anchor = `${resource}#${Reflect.get(value, keyword) as string}`;
      // A name that is given twice leads nowhere.
      anchors.set(anchor, anchors.has(anchor) ? undefined : pointer.slice(resource.length));
    }
    if (isText(value, '$ref') || isText(value, '$dynamicRef')) references.push({ ...place, resource });
    // Reversed, so that the first of the children is the next one.
    for (const [key, child] of Object.entries(value).toReversed()) {
      if (isObject(child))
        pending.push({ value: child, pointer: pointer + jsonPointer([key]), key, resource });
    }
  }
  for (const place of references) {
    if (version === '3.1') resolveAnchor(place, anchors);
    // The `$ref` of a path item may stand beside operations.
    if (isText(place.value, '$ref') && !/^\/paths\/[^/]+$/.test(place.pointer))
      settleSiblings(place, version);
  }
}

/**
 * Writes a reference to an anchor as a pointer, since the library only knows pointers. A `$dynamicRef` to an anchor
 * that exists once is the same as a `$ref` (JSON Schema 2020-12 8.2).
 */
function resolveAnchor({ value, resource }: Place, anchors: ReadonlyMap<string, string | undefined>): void {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const pointer = anchors.get(`${resource}${String(Reflect.get(value, keyword))}`);
    if (pointer === undefined) continue;
    Reflect.deleteProperty(value, keyword);
    Reflect.set(value, '$ref', `#${pointer.split('/').map(encodeURIComponent).join('/')}`);
  }
}

/**
 * OpenAPI 3.0 ignores all keywords beside a `$ref`. In 3.1 a schema's keywords beside it apply too, as with `allOf`; a
 * Reference Object has only `summary` and `description` beside it.
 */
function settleSiblings({ value, key }: Place, version: OpenApiVersion): void {
  const siblings = Object.keys(value).filter((name) => name !== '$ref');
  if (siblings.length === 0 || key === 'example' || key === 'examples') return;
  if (version === '3.0' || siblings.every((name) => name === 'summary' || name === 'description')) {
    for (const name of siblings) Reflect.deleteProperty(value, name);
    return;
  }
  const others: unknown = Reflect.get(value, 'allOf');
  const reference = { $ref: Reflect.get(value, '$ref') as unknown };
  Reflect.deleteProperty(value, '$ref');
  Reflect.set(value, 'allOf', [reference, ...(Array.isArray(others) ? (others as unknown[]) : [])]);
}

function isText(value: object, key: string): boolean {
  return typeof Reflect.get(value, key) === 'string';
}
