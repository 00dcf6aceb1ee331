import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { $RefParser, type FileInfo } from '@apidevtools/json-schema-ref-parser';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { DescriptionValue, isObject } from './description-value.js';

/** An interface description in one document: what it refers to in other files stands where it is referred to first. */
export interface Description {
  readonly version: '3.0' | '3.1';
  readonly root: DescriptionValue;
}

/** A description, or one line that says why there is none. */
export type LoadedDescription =
  { readonly ok: true; readonly description: Description } | { readonly ok: false; readonly message: string };

/** Gets the text of a file or of an address; limits its time and size. */
export type ReadFile = (url: URL) => Promise<string>;

/** Files that one description may consist of. */
const mostFiles = 50;

/** Far more than people write; they use `<<`, although YAML 1.2 no longer has it. */
const yaml = { schema: CORE_SCHEMA.withTags(mergeTag), maxDepth: 500, maxAliases: 10_000 };

/**
 * Reads an OpenAPI 3.0 or 3.1 document, JSON or YAML, from a file or an http(s) address, with the files in its folder, or
 * of its origin, that it refers to. Never rejects.
 */
export async function loadDescription(source: string, read: ReadFile): Promise<LoadedDescription> {
  const isAddress = /^https?:\/\//i.test(source) && URL.canParse(source);
  const address = isAddress ? new URL(source) : pathToFileURL(resolve(source));
  let files = 0;
  // The library does not tell why a file can't be read.
  let unread: string | undefined;
  const readNear = async ({ url: href }: FileInfo): Promise<string> => {
    try {
      const url = new URL(href);
      if (!isNear(url, address))
        throw new Error('it is neither in the folder nor of the origin of the description');
      if ((files += 1) > mostFiles) throw new Error(`a description may consist of ${mostFiles} files`);
      return await read(url);
    } catch (error) {
      unread ??= `${href} can't be read: ${reasonOf(error)}`;
      throw error;
    }
  };
  const parse = ({ data }: FileInfo): object => {
    const value = load(String(data).replace(/^\uFEFF/, ''), yaml);
    if (!isObject(value)) throw new Error('it is not an object in JSON or YAML');
    return value;
  };
  try {
    const document = await new $RefParser().bundle(address.href, {
      resolve: { file: false, http: false, near: { order: 1, canRead: true, read: readNear } },
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        near: { order: 1, canParse: true, parse },
      },
    });
    return { ok: true, description: described(document) };
  } catch (error) {
    const reason = unread ?? reasonOf(error);
    return { ok: false, message: `The interface description ${source} can't be used: ${reason}` };
  }
}

function described(document: object): Description {
  // YAML reads an unquoted 3.1 as a number.
  const version = String(Reflect.get(document, 'openapi'));
  const [, known] = /^(3\.[01])(?:\.|$)/.exec(version) ?? [];
  if (known !== '3.0' && known !== '3.1')
    throw new Error(`its \`openapi\` is ${version}: only OpenAPI 3.0 and 3.1 can be compared`);
  return { version: known, root: DescriptionValue.of(document) };
}

/** Of the same origin, or of local files in the same folder or one below it. */
function isNear(url: URL, address: URL): boolean {
  if (url.protocol !== address.protocol) return false;
  const folder = new URL('.', address).href;
  return url.protocol === 'file:' ? url.href.startsWith(folder) : url.origin === address.origin;
}

/** The first line of an error, without the control characters that a text may put there. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it nests too deep';
  const { message = String(error) } = error instanceof Error ? error : {};
  const line = message.split('\n')[0]?.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ') ?? '';
  return line.slice(0, 300);
}
