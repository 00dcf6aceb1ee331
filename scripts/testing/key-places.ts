import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** So many consecutive characters of a key are a trace of it. */
const shortest = 8;

/**
 * The places of keys in a text: eight consecutive characters as they are, in any case, and the whole key URL-encoded, as a
 * JSON string or in base64. It shares nothing with what keeps keys out.
 */
export function tracesOf(keys: readonly string[], text: string): string[] {
  const parts = keys.flatMap((key) =>
    Array.from({ length: key.length - shortest + 1 }, (_, at) => key.slice(at, at + shortest)),
  );
  return [
    ...tracesIn(
      'as it is',
      text.toLowerCase(),
      parts.map((part) => part.toLowerCase()),
    ),
    ...tracesIn('URL-encoded', text.replaceAll(/%([0-9a-f]{2})/gi, ofCode), keys),
    ...tracesIn('as JSON', text.replaceAll(/\\u([0-9a-f]{4})/gi, ofCode).replaceAll(/\\(.)/g, '$1'), keys),
    ...tracesIn('in base64', base64In(text), keys),
  ];
}

/** The traces of keys in all files of a folder. */
export async function tracesInFolder(keys: readonly string[], folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'latin1');
      return tracesOf(keys, `${file}\n${text}`).map((trace) => `${file}: ${trace}`);
    }),
  );
  return found.flat();
}

function tracesIn(how: string, view: string, parts: readonly string[]): string[] {
  const found = parts.map((part) => view.indexOf(part)).find((at) => at !== -1);
  return found === undefined ? [] : [`${how}: …${view.slice(Math.max(0, found - 40), found + 60)}…`];
}

function ofCode(_: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** What the runs of base64 in a text say. */
function base64In(text: string): string {
  const runs = text.match(/[A-Za-z0-9+/_-]{16,}/g) ?? [];
  return runs.map((run) => Buffer.from(run, 'base64').toString('latin1')).join('\n');
}
