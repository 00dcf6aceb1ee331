import { CORE_SCHEMA, YAMLException, load, mergeTag } from 'js-yaml';
import { parseJson } from '../specification/lossless-json.js';

export type ParsedDescription =
  { readonly ok: true; readonly value: object } | { readonly ok: false; readonly message: string };

/** Characters of one file of a description. The largest public ones are near 12 million. */
const longestText = 20_000_000;

/** YAML's collections within collections; JSON has a bound of its own. */
const deepestNesting = 500;

/** Uses of anchors: far beyond what people write. What they repeat is shared, not copied. */
const mostAliases = 10_000;

/** People use `<<` in descriptions, though YAML 1.2 no longer has it. */
const schema = CORE_SCHEMA.withTags(mergeTag);

/** Parses the text of a description, JSON or YAML 1.2, to an object. Never throws; the message is one line. */
export function parseText(text: string): ParsedDescription {
  if (text.length > longestText) {
    return refused(`is longer than the ${longestText} characters that are read`);
  }
  // Editors on Windows leave a byte order mark; in a file it means nothing.
  const content = text.replace(/^\uFEFF/, '');
  if (content.trim() === '') return refused('is empty');
  const looksLikeJson = /^\s*[{[]/.test(content);
  if (looksLikeJson) {
    const json = parseJson(content);
    if (json.ok) return asObject(json.value);
    if (json.problem === 'too-deep') return refused(json.message);
  }
  if (/^\s*</.test(content)) return refused('is HTML or XML, not JSON or YAML');
  return parseYaml(content);
}

function parseYaml(content: string): ParsedDescription {
  try {
    return asObject(load(content, { schema, maxDepth: deepestNesting, maxAliases: mostAliases }));
  } catch (error) {
    if (!(error instanceof YAMLException))
      return refused(`cannot be read as YAML: ${firstLine(String(error))}`);
    if (error.reason.includes('maxDepth')) return refused(`nests more than ${deepestNesting} deep`);
    const where = error.mark ? ` at line ${error.mark.line + 1}, column ${error.mark.column + 1}` : '';
    return refused(`is neither JSON nor YAML: ${firstLine(error.reason)}${where}`);
  }
}

function asObject(value: unknown): ParsedDescription {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ok: true, value }
    : refused('holds no JSON or YAML object');
}

function refused(message: string): ParsedDescription {
  return { ok: false, message };
}

/** Without what the parser quotes of the text below it, and without the control characters of a hostile one. */
export function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  const plain = line.replace(/:$/, '').replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
}
