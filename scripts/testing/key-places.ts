import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** So many characters of a key in a row are a trace of it: a near miss has them, and a key that was cut off. */
const shortest = 12;

/**
 * The places of keys, or of parts of them, in a text: as they are, in any case, escaped for addresses, JSON or HTML, in base64
 * or in UTF-16. Shares nothing with what keeps keys out: it is the other witness.
 */
export function tracesOf(keys: readonly string[], text: string): string[] {
  const parts = keys.flatMap((key) =>
    Array.from({ length: key.length - shortest + 1 }, (_, at) => key.slice(at, at + shortest).toLowerCase()),
  );
  return viewsOf(text).flatMap(([how, view]) => {
    const lower = view.toLowerCase();
    const found = parts.map((part) => lower.indexOf(part)).find((at) => at !== -1);
    return found === undefined ? [] : [`${how}: …${view.slice(Math.max(0, found - 40), found + 60)}…`];
  });
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

function viewsOf(text: string): Array<readonly [how: string, view: string]> {
  const read = once(text);
  const twice = read.flatMap(([how, view]) =>
    once(view).map(([again, seen]) => [`${how}, ${again}`, seen] as const),
  );
  const decoded = [text, ...read.map(([, view]) => view)].map(
    (view) => ['in base64', base64In(view)] as const,
  );
  return [['as it is', text], ...read, ...twice, ...decoded];
}

function once(text: string): Array<readonly [how: string, view: string]> {
  const ofCode = (base: number) => (_: string, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, base));
  const views = [
    ['URL-encoded', text.replaceAll(/%([0-9a-f]{2})/gi, ofCode(16))],
    ['in JSON', text.replaceAll(/\\u([0-9a-f]{4})/gi, ofCode(16)).replaceAll(/\\(.)/g, '$1')],
    [
      'in HTML',
      text
        .replaceAll(/&#(\d+);/g, ofCode(10))
        .replaceAll(/&#x([0-9a-f]+);/gi, ofCode(16))
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&'),
    ],
    ['in UTF-16', text.replaceAll('\u0000', '')],
  ] as const;
  return views.filter(([, view]) => view !== text);
}

/** What the runs of base64 in a text say, wherever in them it begins. */
function base64In(text: string): string {
  const runs = text.match(/[A-Za-z0-9+/_-]{16,}/g) ?? [];
  return runs
    .flatMap((run) => [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64').toString('latin1')))
    .join('\n')
    .replaceAll('\u0000', '');
}
