import { jsonPointer } from '../specification/json-value.js';

/** References that lead to each other, one after the other, to one value. */
const longestChain = 100;

/**
 * A value of an interface description. References (OpenAPI's Reference Object) are followed when a value is reached. A
 * value that is absent has the place of its parent.
 */
export class DescriptionValue {
  private constructor(
    private readonly root: object,
    readonly value: unknown,
    /** The place as a JSON pointer (RFC 6901). */
    readonly pointer: string,
  ) {}

  /** The whole description. */
  static of(root: object): DescriptionValue {
    return new DescriptionValue(root, root, '');
  }

  get exists(): boolean {
    return this.value !== undefined;
  }

  /** The value below these keys; its `value` is undefined if there is none. */
  at(...keys: readonly string[]): DescriptionValue {
    return keys.reduce<DescriptionValue>((parent, key) => {
      const child = parent.#child(key).#end();
      return child.exists ? child : new DescriptionValue(this.root, undefined, parent.pointer);
    }, this);
  }

  /** What an object or an array holds, by keys; nothing of anything else. */
  entries(): (readonly [string, DescriptionValue])[] {
    return isObject(this.value) ? Object.keys(this.value).map((key) => [key, this.at(key)] as const) : [];
  }

  /** The same without the keys. */
  items(): DescriptionValue[] {
    return this.entries().map(([, item]) => item);
  }

  #child(key: string): DescriptionValue {
    const { value } = this;
    const child: unknown = isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    return new DescriptionValue(this.root, child, this.pointer + jsonPointer([key]));
  }

  /** Where the references end that begin here. One that leads nowhere, or to a name (`$anchor`), is itself the end. */
  #end(further = longestChain): DescriptionValue {
    const { value: reference } = this.#child('$ref');
    if (further === 0 || typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return this;
    const next = keysOf(reference).reduce(
      (within, key) => within.#child(key),
      DescriptionValue.of(this.root),
    );
    return next.exists ? next.#end(further - 1) : this;
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The keys of a JSON pointer in a fragment (RFC 6901 6). One that is not well encoded is read as it is written. */
function keysOf(reference: string): string[] {
  const [, ...keys] = reference.split('/');
  return keys.map((key) => {
    const pointer = /%(?![\da-f]{2})/i.test(key) ? key : decodeURIComponent(key);
    return pointer.replaceAll('~1', '/').replaceAll('~0', '~');
  });
}
