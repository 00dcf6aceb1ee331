import { clauses } from '../../../lib/specification/clauses.js';

export interface Quote {
  readonly clause: string;
  readonly title: string;
  readonly text: string;
}

/**
 * What the specification says at an anchor of its outline, word for word: the text below a heading (`4.1`, `8-headers`), or
 * a point of a numbered list (`5.3`).
 * @throws Error if the specification has no such place
 */
export function quoteOf(specification: string, anchor: string): Quote {
  const clause = clauses.find((one) => one.anchor === anchor);
  const [section = ''] = /^\d+/.exec(anchor) ?? [];
  const chapter = textBelow(specification, `## ${section}. `);
  if (!clause || chapter === undefined) throw new Error(`the specification has no clause ${anchor}`);
  const { title } = clause;
  if (anchor === section) {
    const [own = ''] = chapter.split(/^### /m);
    return { clause: section, title, text: own.trim() === '' ? chapter.trim() : own.trim() };
  }
  const numbered = /^\d+\.(\d+)$/.exec(anchor)?.[1];
  const text =
    numbered === undefined
      ? (textBelow(chapter, `### ${title}\n`) ?? textBelow(chapter, `### ${title} (`))
      : (textBelow(chapter, `### ${anchor} `) ??
        chapter.split('\n').find((line) => line.startsWith(`${numbered}. `)));
  if (text === undefined) throw new Error(`the specification has no clause ${anchor}`);
  return {
    clause: numbered === undefined ? section : anchor,
    title,
    text: text.replace(/^\d+\. /, '').trim(),
  };
}

/** The text between a heading, which begins so, and the next one of its level. */
function textBelow(text: string, heading: string): string | undefined {
  const at = `\n${text}`.indexOf(`\n${heading}`);
  if (at === -1) return undefined;
  const level = heading.slice(0, heading.indexOf(' ') + 1);
  const [first = '', ...rest] = text.slice(at).split(/(?<=\n)/);
  const end = rest.findIndex((line) => line.startsWith(level) || line.startsWith('## '));
  return first === '' ? undefined : rest.slice(0, end === -1 ? undefined : end).join('');
}
