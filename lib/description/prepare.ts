import { jsonPointer } from '../specification/json-pointer.js';
import { settleAnchors } from './anchors.js';
import { isObject, type Locations } from './description-node.js';

export type OpenApiVersion = '3.0' | '3.1';

/**
 * Walks a file of a description before its references are resolved: notes where each object stands, and gives the
 * keywords beside a `$ref` the meaning that they have in the version. Changes the document; needs no recursion.
 */
export function prepare(root: object, file: string, version: OpenApiVersion, locations: Locations): void {
  if (version === '3.1') settleAnchors(root);
  const pending: { value: object; pointer: string; key: string }[] = [{ value: root, pointer: '', key: '' }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, pointer, key } = next;
    // An object that a YAML alias repeats is noted where it stands first.
    if (locations.has(value)) continue;
    locations.set(value, file === '' ? pointer : `${file}#${pointer}`);
    if ('$ref' in value && typeof value.$ref === 'string' && !isPathItem(pointer)) {
      settleSiblings(value, key, version);
    }
    // Reversed, so that the first of the children is the next that is taken.
    for (const [name, child] of Object.entries(value).toReversed()) {
      if (isObject(child)) pending.push({ value: child, pointer: pointer + jsonPointer([name]), key: name });
    }
  }
}

/** A path item's `$ref` may stand beside operations (OpenAPI 3.0 and 3.1, Path Item Object). */
function isPathItem(pointer: string): boolean {
  return /^\/paths\/[^/]+$/.test(pointer);
}

/**
 * OpenAPI 3.0: whatever stands beside a `$ref` is ignored. OpenAPI 3.1: a schema's keywords beside it apply as well,
 * which is what `allOf` says; a Reference Object has but `summary` and `description` beside it.
 */
function settleSiblings(value: object, key: string, version: OpenApiVersion): void {
  const siblings = Object.keys(value).filter((name) => name !== '$ref');
  if (siblings.length === 0 || key === 'example' || key === 'examples') return;
  if (version === '3.0') {
    for (const name of siblings) Reflect.deleteProperty(value, name);
    return;
  }
  if (siblings.every((name) => name === 'summary' || name === 'description')) {
    for (const name of siblings) Reflect.deleteProperty(value, name);
    return;
  }
  const reference: unknown = Reflect.get(value, '$ref');
  const others: unknown = Reflect.get(value, 'allOf');
  Reflect.deleteProperty(value, '$ref');
  Reflect.set(value, 'allOf', [{ $ref: reference }, ...(Array.isArray(others) ? (others as unknown[]) : [])]);
}
