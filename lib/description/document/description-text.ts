import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

/** An interface description that cannot be used; the message continues "The interface description FILE …". */
export class UnusableDescription extends Error {
  override readonly name = 'UnusableDescription';
}

/** Characters of one file of a description. The largest public ones have about 12 million. */
const longestText = 20_000_000;

/** Collections within collections, and uses of anchors: far more than people write. */
const bounds = { maxDepth: 500, maxAliases: 10_000 };

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
  if (/^\s*</.test(content)) throw new UnusableDescription('is HTML or XML, not JSON or YAML');
  const value = parsed(content);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UnusableDescription('is not a JSON or YAML object');
}

/** JSON first: its parser is faster. */
function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    try {
      return load(content, { schema, ...bounds });
    } catch (error) {
      throw new UnusableDescription(`is neither JSON nor YAML: ${causeOf(error)}`);
    }
  }
}

/** Why a file or an address cannot be used: the first line, without the control characters that a text may put there. */
export function causeOf(error: unknown): string {
  const { message = error, code } = error as { message?: unknown; code?: unknown };
  if (code === 'ENOENT') return 'there is no such file';
  const [line = ''] = String(message).split('\n');
  const plain = line.replace(/:$/, '').replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain;
}
