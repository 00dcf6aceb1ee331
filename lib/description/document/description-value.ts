import { jsonPointer } from '../../specification/json-value.js';

/** The places of a description's objects in its files. */
export type Locations = WeakMap<object, string>;

/**
 * A value in a dereferenced interface description with its JSON pointer (RFC 6901). An object that a `$ref` refers to has
 * the pointer of its own place, not of the reference; in another file, with the file's name: `common.yaml#/Pet`. A value
 * that is absent has the pointer of its parent.
 */
export class DescriptionValue {
  readonly value: unknown;
  readonly pointer: string;
  readonly #locations: Locations;

  constructor(value: unknown, pointer: string, locations: Locations) {
    this.value = value;
    this.pointer = (isObject(value) ? locations.get(value) : undefined) ?? pointer;
    this.#locations = locations;
  }

  get exists(): boolean {
    return this.value !== undefined;
  }

  /** The node at these keys; its value is undefined if there is none. */
  at(...keys: readonly (string | number)[]): DescriptionValue {
    return keys.reduce<DescriptionValue>((node, key) => {
      const { value } = node;
      const child: unknown =
        isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
      const pointer = child === undefined ? node.pointer : node.pointer + jsonPointer([key]);
      return new DescriptionValue(child, pointer, this.#locations);
    }, this);
  }

  /** The members of an object by their keys; none of anything else. */
  members(): (readonly [string, DescriptionValue])[] {
    const { value } = this;
    if (!isObject(value) || Array.isArray(value)) return [];
    return Object.keys(value).map((key) => [key, this.at(key)] as const);
  }

  /** The items of an array; none of anything else. */
  items(): DescriptionValue[] {
    return Array.isArray(this.value) ? this.value.map((_, index) => this.at(index)) : [];
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
