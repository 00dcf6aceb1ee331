import { CORE_SCHEMA, YAMLException, load, mergeTag } from 'js-yaml';
import { parseJson } from '../../specification/json-value.js';
import { isObject } from './description-value.js';

/** An interface description that cannot be used; the message continues "The interface description FILE …". */
export class UnusableDescription extends Error {
  override readonly name = 'UnusableDescription';
}

/** Characters of one file of a description. The largest public ones have about 12 million. */
const longestText = 20_000_000;

/** Collections within collections in YAML. `parseJson` has its own limit. */
const deepestNesting = 500;

/** Uses of YAML anchors, far more than people write. What they repeat is shared, not copied. */
const mostAliases = 10_000;

/** People use `<<` in descriptions, although YAML 1.2 no longer has it. */
const schema = CORE_SCHEMA.withTags(mergeTag);

/**
 * Parses the text of a description, JSON or YAML 1.2.
 *
 * @throws UnusableDescription if the text is neither, too long or too deep, or not an object.
 */
export function parseText(text: string): object {
  if (text.length > longestText) throw new UnusableDescription(`is longer than ${longestText} characters`);
  // Editors on Windows write a byte order mark, which means nothing in a file.
  const content = text.replace(/^\uFEFF/, '');
  if (content.trim() === '') throw new UnusableDescription('is empty');
  const value = /^\s*[{[]/.test(content) ? parseJsonOrYaml(content) : parseYaml(content);
  if (!isObject(value) || Array.isArray(value)) throw new UnusableDescription('is not a JSON or YAML object');
  return value;
}

/** JSON first: its parser is faster, and YAML in the flow style begins with the same characters. */
function parseJsonOrYaml(content: string): unknown {
  const json = parseJson(content);
  if (json.ok) return json.value;
  if (json.problem === 'too-deep') throw new UnusableDescription(json.message);
  return parseYaml(content);
}

function parseYaml(content: string): unknown {
  if (/^\s*</.test(content)) throw new UnusableDescription('is HTML or XML, not JSON or YAML');
  try {
    return load(content, { schema, maxDepth: deepestNesting, maxAliases: mostAliases });
  } catch (error) {
    const { reason, mark } =
      error instanceof YAMLException ? error : { reason: String(error), mark: undefined };
    if (reason.includes('maxDepth')) throw new UnusableDescription(`nests more than ${deepestNesting} deep`);
    const place = mark ? ` at line ${mark.line + 1}, column ${mark.column + 1}` : '';
    throw new UnusableDescription(`is neither JSON nor YAML: ${firstLine(reason)}${place}`);
  }
}

/** The first line of a message, without the control characters that a hostile text may put there. */
export function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  const plain = line.replace(/:$/, '').replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
}

/** Why a file or an address cannot be used, in one line for people. */
export function causeOf(error: unknown): string {
  const { message, code } = error as { message?: unknown; code?: unknown };
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder, not a file';
  if (code === 'EACCES') return 'this user may not read the file';
  return firstLine(typeof message === 'string' ? message : String(error));
}
