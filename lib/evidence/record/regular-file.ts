import { existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { printable } from '../../explain/printable.js';
import { UsageProblem } from '../../explain/usage-problem.js';

/** A run's folder that can't be read. Its files may be from anywhere: the message is made printable. */
export class UnreadableRun extends UsageProblem {
  constructor(message: string) {
    super(printable(message));
  }
}

/** The bytes of a file. @throws UnreadableRun for a link to anywhere, or a pipe that never ends; as the file system does */
export function bytesOf(path: string): Buffer {
  if (!lstatSync(path).isFile()) throw new UnreadableRun(`${path} is not a regular file`);
  return readFileSync(path);
}

/** The text of a file. Rejects as `bytesOf` throws. */
export async function readRegular(path: string): Promise<string> {
  return Promise.resolve(bytesOf(path).toString('utf8'));
}

/** Replaces a file as a whole: a reader never sees half of it, and the previous one stays if that fails. */
export function replaceFile(path: string, text: string): void {
  try {
    writeFileSync(`${path}.part`, text);
    renameSync(`${path}.part`, path);
  } finally {
    rmSync(`${path}.part`, { force: true });
  }
}

/** What a JSON text says. @throws UnreadableRun with this problem, and the first place that is not as the schema has it */
export function parsedAs<Value>(text: string, schema: z.ZodType<Value>, problem: string): Value {
  const raw = jsonOf(text);
  if (raw === undefined) throw new UnreadableRun(`${problem}: it is not JSON`);
  const { data, error } = schema.safeParse(raw);
  if (!error) return data;
  const { path = [], message = '' } = error.issues[0] ?? {};
  throw new UnreadableRun(`${problem}: at ${path.join('.') || 'its top'}: ${message}`);
}

/**
 * The lines of a file, one at a time: it may be longer than a string can be. A last one without a line feed is what a killed
 * run has not finished, and is left out. Throws as `bytesOf`.
 */
export function* linesOf(path: string): Generator<string> {
  const bytes = bytesOf(path);
  let start = 0;
  for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}

/** What the lines of a file say, one at a time; nothing if the file is missing. @throws UnreadableRun */
export function* readLines<Line>(path: string, schema: z.ZodType<Line>): Generator<Line> {
  if (!existsSync(path)) return;
  let number = 0;
  for (const line of linesOf(path)) {
    number += 1;
    yield parsedAs(line, schema, `${path}, line ${number} is not as it must be`);
  }
}

/** A record as JSON, with U+FFFD for half of a surrogate pair, as a target may show it: strict parsers refuse it. */
export function recordText(record: object): string {
  const wellFormed = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? value.toWellFormed() : value;
  return `${withoutControls(JSON.stringify(record, wellFormed, 2))}\n`;
}

/** A JSON text with an escape for each control character that JSON leaves as it is: some terminals obey them. */
export function withoutControls(json: string): string {
  return json.replaceAll(/[\u007F-\u009F]/gu, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}

/** The value of a JSON text; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
