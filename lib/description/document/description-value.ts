import { jsonPointer } from '../../specification/json-value.js';

/** The parsed files of a description by their addresses. The first one is the document itself. */
export type DescriptionFiles = ReadonlyMap<string, object>;

/** References that lead to each other, one after the other, to one value. */
const longestChain = 100;

/**
 * A value of an interface description. References (OpenAPI's Reference Object) are followed when a value is reached. A
 * value that is absent has the place of its parent.
 */
export class DescriptionValue {
  readonly #files: DescriptionFiles;
  readonly #address: string;
  readonly #path: readonly PropertyKey[];

  constructor(
    files: DescriptionFiles,
    address: string,
    readonly value: unknown,
    path: readonly PropertyKey[] = [],
  ) {
    this.#files = files;
    this.#address = address;
    this.#path = path;
  }

  get exists(): boolean {
    return this.value !== undefined;
  }

  /** The place as a JSON pointer (RFC 6901), in another file with the file's name: `common.yaml#/Pet`. */
  get pointer(): string {
    return placeIn(this.#files, this.#address, jsonPointer(this.#path));
  }

  /** A reference to this value (RFC 3986). */
  get reference(): string {
    const pointer = jsonPointer(this.#path);
    return `${this.#address}#${pointer.split('/').map(encodeURIComponent).join('/')}`;
  }

  /** The value below these keys; its `value` is undefined if there is none. */
  at(...keys: readonly PropertyKey[]): DescriptionValue {
    return keys.reduce<DescriptionValue>(
      (parent, key) => parent.#child(key).#end() ?? parent.#absent(),
      this,
    );
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

  #child(key: PropertyKey): DescriptionValue {
    const { value } = this;
    const child: unknown = isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    return new DescriptionValue(this.#files, this.#address, child, [...this.#path, key]);
  }

  #absent(): DescriptionValue {
    return new DescriptionValue(this.#files, this.#address, undefined, this.#path);
  }

  /** Where the references end that begin here. One that leads nowhere, or to a name (`$anchor`), is itself the end. */
  #end(further = longestChain): DescriptionValue | undefined {
    const next = further > 0 ? this.#referred() : undefined;
    if (next?.exists) return next.#end(further - 1);
    return this.exists ? this : undefined;
  }

  #referred(): DescriptionValue | undefined {
    const { value } = this.#child('$ref');
    if (typeof value !== 'string' || !URL.canParse(value, this.#address)) return undefined;
    const { href, hash } = new URL(value, this.#address);
    if (hash !== '' && !hash.startsWith('#/')) return undefined;
    const address = href.slice(0, href.length - hash.length);
    const file = new DescriptionValue(this.#files, address, this.#files.get(address));
    return keysOf(hash).reduce((within, key) => within.#child(key), file);
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A pointer within a file as a person reads it. The document itself needs no name. */
export function placeIn(files: DescriptionFiles, address: string, pointer: string): string {
  const [root = address] = files.keys();
  if (address === root) return pointer;
  const folder = new URL('.', root).href;
  return `${address.startsWith(folder) ? address.slice(folder.length) : address}#${pointer}`;
}

/** The keys of a JSON pointer in a fragment (RFC 6901 6). One that is not well encoded is read as it is written. */
function keysOf(hash: string): string[] {
  const [, ...keys] = hash.split('/');
  return keys.map((key) => {
    const pointer = /%(?![\da-f]{2})/i.test(key) ? key : decodeURIComponent(key);
    return pointer.replaceAll('~1', '/').replaceAll('~0', '~');
  });
}
