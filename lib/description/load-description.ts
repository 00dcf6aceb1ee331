import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { DescriptionValue, isObject } from './description-value.js';

/** An interface description in one document. */
export interface Description {
  readonly version: '3.0' | '3.1';
  readonly root: DescriptionValue;
}

/** A file of a description as it was read, or why it could not be. A run records it, to be judged again. */
export interface DescriptionFile {
  readonly address: string;
  readonly text?: string | undefined;
  readonly problem?: string | undefined;
}

/** Far more than people write; they use `<<`, although YAML 1.2 no longer has it. */
const yaml = { schema: CORE_SCHEMA.withTags(mergeTag), maxDepth: 500, maxAliases: 10_000 };

/** Reads an OpenAPI 3.0 or 3.1 document, JSON or YAML, from the file that the source names. Never throws. */
export function loadDescription(
  source: string | undefined,
  { text, problem }: Partial<DescriptionFile> = {},
) {
  const failed = (message: string) => ({ ok: false, message }) as const;
  if (source === undefined) return failed('no interface description was given (--description=FILE|URL)');
  try {
    if (text === undefined) throw new Error(problem ?? 'it is not recorded');
    return { ok: true, description: described(load(text.replace(/^\uFEFF/, ''), yaml)) } as const;
  } catch (error) {
    return failed(`The interface description ${source} can't be used: ${firstLineOf(error)}`);
  }
}

function described(document: unknown): Description {
  if (!isObject(document)) throw new Error('it is not an object in JSON or YAML');
  // YAML reads an unquoted 3.1 as a number.
  const version = String(Reflect.get(document, 'openapi'));
  const [, known] = /^(3\.[01])(?:\.|$)/.exec(version) ?? [];
  if (known !== '3.0' && known !== '3.1')
    throw new Error(`its \`openapi\` is ${version}: only OpenAPI 3.0 and 3.1 can be compared`);
  const elsewhere = referenceElsewhere(document, new Set());
  if (elsewhere !== undefined)
    throw new Error(`it refers to ${elsewhere}: give it as one document (redocly bundle makes one)`);
  return { version: known, root: DescriptionValue.of(document) };
}

/** The first reference that leads out of a document. */
function referenceElsewhere(value: object, seen: Set<object>): string | undefined {
  // An alias of YAML is the same object again. Below an `$id`, a name may be one of the document's own (3.1).
  if (seen.has(value) || '$id' in value) return undefined;
  seen.add(value);
  const reference: unknown = Reflect.get(value, '$ref');
  if (typeof reference === 'string' && !reference.startsWith('#')) return reference;
  for (const child of Object.values(value)) {
    const found = isObject(child) ? referenceElsewhere(child, seen) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Without the control characters that the document may put there. */
function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 300);
}
