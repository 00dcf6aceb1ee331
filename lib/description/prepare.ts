import { jsonPointer } from '../specification/json-pointer.js';
import { isObject, type Locations } from './description-node.js';

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
