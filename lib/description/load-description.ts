import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { descriptionOf, isObject } from './description.js';

/** A file of a description as it was read, or why it could not be. A run records it, to be judged again. */
export interface DescriptionFile {
  readonly address: string;
  readonly text?: string | undefined;
  readonly problem?: string | undefined;
}

/** Far more than people write; they use `<<`, although YAML 1.2 no longer has it. */
const yaml = { schema: CORE_SCHEMA.withTags(mergeTag), maxDepth: 500, maxAliases: 10_000 };
/** A reference that leads out of its document, in JSON or YAML. A name alone is one of the document's own. */
const elsewhere = /\$ref["']?\s*:\s*["']?([^\s"'#]*[./][^\s"',}]*)/;

/** Reads an OpenAPI 3.0 or 3.1 document, JSON or YAML, from the file that the source names. Never throws. */
export function loadDescription(source: string, { text, problem }: Partial<DescriptionFile> = {}) {
  try {
    if (text === undefined) throw new Error(problem ?? 'it is not recorded');
    return { ok: true, description: descriptionOf(documentIn(text)) } as const;
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n');
    // Without the control characters that the document may put there.
    const reason = line.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 300);
    return { ok: false, message: `The interface description ${source} can't be used: ${reason}` } as const;
  }
}

function documentIn(text: string): object {
  const document = load(text.replace(/^\uFEFF/, ''), yaml);
  if (!isObject(document)) throw new Error('it is not an object in JSON or YAML');
  // YAML reads an unquoted 3.1 as a number.
  const version = String(Reflect.get(document, 'openapi'));
  if (!/^3\.[01](\.|$)/.test(version))
    throw new Error(`its \`openapi\` is ${version}: only OpenAPI 3.0 and 3.1 can be compared`);
  const [, reference] = elsewhere.exec(text) ?? [];
  if (reference !== undefined)
    throw new Error(`it refers to ${reference}: give it as one document (redocly bundle makes one)`);
  return document;
}
