import { clip } from '../../lib/explain/clip.js';

/** What GitHub's Markdown reads as structure, a link, a mention or mathematics. */
const active = /[\\`*_[\]<>&|~#@$]|:(?=\S)/gu;

/** Printable text as plain text inside Markdown, also inside a table's cell: one line, with nothing of it active. */
export function markdownText(text: string): string {
  return text
    .replaceAll(active, '\\$&')
    .replaceAll(/www(?=\.)/giu, '$&\\')
    .trim();
}

/** The same, cut to so many columns. */
export function markdownCell(text: string, longest = 200): string {
  return markdownText(clip(text, longest));
}

/** Printable lines as a code block; the fence is longer than every run of backquotes in it. */
export function markdownBlock(lines: readonly string[], longest: number): string {
  const shown = lines.map((line) => clip(line, longest));
  const runs = shown.join('\n').match(/`+/gu) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return [`${fence}text`, ...shown, fence].join('\n');
}
