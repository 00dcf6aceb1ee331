import { unescape } from 'node:querystring';
import { jsonPointer } from '../specification/json-value.js';

/** A part of an interface description, read as an object. What is not there, or no object, has no members. */
export type Part = { readonly [name: string]: Part } | undefined;

/** An OpenAPI document, with what its references (Reference Objects) lead to in their places. */
export interface Description {
  readonly root: Part;
  /** As it is written, for a compiler of schemas. */
  readonly document: object;
}

/** References that lead to each other, one after the other, to one value. */
const longestChain = 100;
const places = new WeakMap<object, string>();

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

/** Where the references end that begin here. One that leads nowhere, or to a name (`$anchor`), is itself the end. */
function endOf(root: Part, value: unknown, further = longestChain): unknown {
  const reference: unknown = Reflect.get(Object(value), '$ref');
  if (further === 0 || typeof reference !== 'string' || !reference.startsWith('#/')) return value;
  const keys = reference.slice(2).split('/');
  const next = keys.reduce<unknown>(
    (within, key) => Reflect.get(Object(within), unescape(key).replaceAll('~1', '/').replaceAll('~0', '~')),
    root,
  );
  return next === undefined ? value : endOf(root, next, further - 1);
}

/** Where a part stands in the document, as a JSON pointer (RFC 6901). */
export function placeOf(part: Part): string {
  return places.get(Object(part) as object) ?? '';
}

/** What an object or an array holds, by keys; nothing of anything else. */
export function entriesOf(part: Part): [key: string, Part][] {
  return isObject(part) ? Object.entries(part) : [];
}

export function itemsOf(part: Part): Part[] {
  return entriesOf(part).map(([, item]) => item);
}

/** Of a part that should be a text. */
export function textOf(part: unknown): string {
  return String(part);
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
