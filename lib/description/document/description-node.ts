import { jsonPointer } from '../../specification/json-value.js';

/** Where the objects of a description stand in the files they were written in. */
export type Locations = WeakMap<object, string>;

/**
 * A place in a dereferenced interface description: what stands there, and the JSON pointer (RFC 6901) to where it is
 * written. An object reached through a `$ref` has the pointer of its own place, not of the reference; one from another
 * file has that file's name before it, `common.yaml#/Pet`. What is absent has the pointer of what it is absent from.
 */
export class DescriptionNode {
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

  /** The node that own keys lead to; its value is undefined where there is none. */
  at(...keys: readonly (string | number)[]): DescriptionNode {
    return keys.reduce<DescriptionNode>((node, key) => {
      const { value } = node;
      const child: unknown =
        isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
      const pointer = child === undefined ? node.pointer : node.pointer + jsonPointer([key]);
      return new DescriptionNode(child, pointer, this.#locations);
    }, this);
  }

  /** The members of an object by their keys; none of anything else. */
  members(): (readonly [string, DescriptionNode])[] {
    const { value } = this;
    if (!isObject(value) || Array.isArray(value)) return [];
    return Object.keys(value).map((key) => [key, this.at(key)] as const);
  }

  /** The items of an array; none of anything else. */
  items(): DescriptionNode[] {
    return Array.isArray(this.value) ? this.value.map((_, index) => this.at(index)) : [];
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
