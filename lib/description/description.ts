import { unescape } from 'node:querystring';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { jsonPointer, pathOf } from '../specification/json-value.js';

/** An OpenAPI document, with what its references (Reference Objects) lead to in their places. */
export interface Description {
  readonly root: Part;
  /** As it is written, for a compiler of schemas. */
  readonly document: object;
}

/** A part of a description, read as an object: what is not there, or no object, has no such members. */
export type Part = { readonly [name: string]: Part } | undefined;

/** Far more than people write. `<<` is none of YAML 1.2's, but of theirs. */
const yaml = { schema: CORE_SCHEMA.withTags(mergeTag), maxDepth: 500, maxAliases: 10_000 };
/** A reference that leads out of its document, in JSON or YAML. A name alone is one of the document's own. */
const elsewhere = /\$ref["']?\s*:\s*["']?([^\s"'#]*[./][^\s"',}]*)/;
const places = new WeakMap<object, string>();

/** Reads an OpenAPI 3.0 or 3.1 document, JSON or YAML. @throws Error whose first line says why it can't be used */
export function loadDescription(text: string): Description {
  const document = load(text.replace(/^\uFEFF/, ''), yaml);
  if (!isObject(document)) throw new Error('it is not an object in JSON or YAML');
  // YAML reads an unquoted 3.1 as a number.
  const version = String(Reflect.get(document, 'openapi'));
  if (!/^3\.[01](\.|$)/.test(version))
    throw new Error(`its \`openapi\` is ${version}: only OpenAPI 3.0 and 3.1 can be compared`);
  const [, other] = elsewhere.exec(text) ?? [];
  if (other) throw new Error(`it refers to ${other}: give it as one document (redocly bundle makes one)`);
  return descriptionOf(document);
}

export function descriptionOf(document: object): Description {
  const root = structuredClone(document) as Part;
  const parts: object[] = [];
  const find = (value: unknown, pointer: string): void => {
    // An alias of YAML is the same object again.
    if (!isObject(value) || places.has(value)) return;
    places.set(value, pointer);
    parts.push(value);
    for (const [key, child] of Object.entries(value)) find(child, pointer + jsonPointer([key]));
  };
  find(root, '');
  for (const part of parts)
    for (const [key, child] of Object.entries(part)) Reflect.set(part, key, endOf(root, child));
  return { root, document };
}

/** Where the references end that begin here, a hundred at most. One that leads nowhere, or to a name, is itself the end. */
function endOf(root: Part, value: unknown, further = 100): unknown {
  const reference: unknown = Reflect.get(Object(value), '$ref');
  if (further === 0 || typeof reference !== 'string' || !reference.startsWith('#/')) return value;
  const path = pathOf(unescape(reference.slice(1)));
  const next = path.reduce<unknown>((within, key) => Reflect.get(Object(within), key), root);
  return next === undefined ? value : endOf(root, next, further - 1);
}

/** Where a part stands in the document, as a JSON pointer (RFC 6901). */
export function placeOf(part: Part): string {
  return places.get(Object(part) as object) ?? '';
}

/** Of a part that should be a text. */
export const textOf: (part: unknown) => string = String;

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
