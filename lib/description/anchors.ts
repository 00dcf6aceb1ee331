import { jsonPointer } from '../specification/json-pointer.js';
import { isObject } from './description-node.js';

/** An object of a file, and the schema resource that it belongs to: the file, or an object with an `$id` of its own. */
interface Place {
  readonly value: object;
  readonly resource: object;
  /** From the resource, as its references are. */
  readonly pointer: string;
}

/**
 * Writes references to names (`#status`, to where `$anchor: status` stands; JSON Schema 2020-12 8.2.2) as the pointers
 * that they stand for, which is all that the resolving library knows. A `$dynamicRef` to a name that is given once can
 * lead nowhere else than a `$ref` to it. Changes the document; a name that nothing has is left as it is.
 */
export function settleAnchors(root: object): void {
  const places = placesOf(root);
  const named = new Map<object, Map<string, string | undefined>>();
  for (const { value, resource, pointer } of places) {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name: unknown = Reflect.get(value, keyword);
      if (typeof name !== 'string') continue;
      const names = named.get(resource) ?? new Map<string, string | undefined>();
      named.set(resource, names.set(name, names.has(name) ? undefined : pointer));
    }
  }
  if (named.size === 0) return;
  for (const { value, resource } of places) {
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference: unknown = Reflect.get(value, keyword);
      if (typeof reference !== 'string' || !reference.startsWith('#')) continue;
      const pointer = named.get(resource)?.get(reference.slice(1));
      if (pointer === undefined) continue;
      Reflect.deleteProperty(value, keyword);
      Reflect.set(value, '$ref', `#${pointer.split('/').map(encodeURIComponent).join('/')}`);
    }
  }
}

/** Every object of a file, once; needs no recursion. */
function placesOf(root: object): Place[] {
  const places: Place[] = [];
  const seen = new Set<object>();
  const pending: Place[] = [{ value: root, resource: root, pointer: '' }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value } = next;
    if (seen.has(value)) continue;
    seen.add(value);
    const own = typeof Reflect.get(value, '$id') === 'string';
    const place = own ? { value, resource: value, pointer: '' } : next;
    places.push(place);
    for (const [key, child] of Object.entries(value)) {
      if (!isObject(child)) continue;
      pending.push({ value: child, resource: place.resource, pointer: place.pointer + jsonPointer([key]) });
    }
  }
  return places;
}
