import { readFile } from 'node:fs/promises';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import { z } from 'zod';
import { isRequirementId } from '../../lib/specification/catalogue.js';
import { didYouMean } from '../../lib/usage/nearest-name.js';
import { printable } from '../text/printable.js';
import { waivableIds, waiverFields, waiverSchema, type Waiver } from './waiver.js';

/** A file of waivers that cannot be used; the message is one line that names the place. */
export class UnusableWaivers extends Error {
  override readonly name = 'UnusableWaivers';
}

/**
 * Reads waivers from a YAML or JSON file: a list of `{ id, target?, reason, owner, until }`.
 *
 * @throws UnusableWaivers if the file cannot be read or a waiver in it is invalid.
 */
export async function readWaivers(file: string): Promise<Waiver[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new UnusableWaivers(`the waivers ${file} can't be read (${code})`);
  });
  return parseWaivers(text, file);
}

/** The waivers in a file's text (JSON is YAML too); an empty file has none. The file's name is for messages alone. */
export function parseWaivers(text: string, file: string): Waiver[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) throw unusable(file, lines.linePos(broken.pos[0]).line, broken.message);
  const content = contentOf(document, file);
  const parsed = z.array(waiverSchema).safeParse(content ?? []);
  if (!parsed.success) {
    // A mistyped field is reported before the field that is missing because of it.
    const { issues } = parsed.error;
    const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
    const path = issue?.path ?? [];
    throw unusable(
      file,
      lineOf(document, path, lines),
      issue ? explain(issue, content) : 'no list of waivers',
    );
  }
  refuseTwins(parsed.data, document, lines, file);
  return parsed.data;
}

/** Aliases without an anchor, or too many of them, come to light only here. */
function contentOf(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw unusable(file, 1, error instanceof Error ? error.message : String(error));
  }
}

function refuseTwins(waivers: readonly Waiver[], document: Document, lines: LineCounter, file: string): void {
  const seen = new Set<string>();
  for (const [index, { id, target }] of waivers.entries()) {
    const key = JSON.stringify([id, target]);
    if (seen.has(key)) {
      const where = target === undefined ? '' : ` for ${target}`;
      throw unusable(file, lineOf(document, [index], lines), `${id} is waived twice${where}`);
    }
    seen.add(key);
  }
}

function explain(issue: z.core.$ZodIssue, content: unknown): string {
  const [, field] = issue.path;
  if (issue.path.length === 0) return 'a list of waivers is expected, each with id, reason, owner and until';
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return `a waiver has no field ${key}.${didYouMean(key, waiverFields)}`;
  }
  if (field === 'id' && issue.code === 'custom') {
    const id = String(valueAt(content, issue.path));
    return isRequirementId(id) ? issue.message : `${issue.message}.${didYouMean(id, waivableIds)}`;
  }
  return `${issue.path.slice(1).join('.') || 'a waiver'}: ${issue.message}`;
}

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => Object(value)[key] as unknown, content);
}

/** The line on which the wrong value stands, else that of what should hold it. */
function lineOf(document: Document, path: readonly PropertyKey[], lines: LineCounter): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function unusable(file: string, line: number, message: string): UnusableWaivers {
  return new UnusableWaivers(printable(`${file}, line ${line}: ${message}`));
}
