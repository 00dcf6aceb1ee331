import { readFileSync } from 'node:fs';
import { clusterCells } from '../../reference/cluster/cells.js';
import { faults } from '../../reference/faults/faults.js';
import { limitFaults } from '../../reference/faults/limits/limit-faults.js';
import { packageFile } from '../../run/suite-name.js';
import { classOf, requirementRow, sectionOf, type RequirementId } from '../../specification/catalogue.js';
import { clauses } from './clauses.js';

const mostBugs = 8;

/** All that is said of one requirement, as Markdown, which a terminal shows as well as a browser: `docs/requirements.md` has it. */
export function requirementPage(id: RequirementId): string {
  const row = requirementRow(id);
  const { level, section, title, fix, rfc } = row;
  const where = /^\d/.test(section) ? `section ${section} of the specification` : section;
  const bugs = bugsOf(id).map((bug) => `- ${bug}.`);
  return [
    `## ${id}`,
    `**${title}**`,
    [level, ...(where === '' ? [] : [where]), `class ${classOf(id)}`].join(' · '),
    '### What the specification says',
    ...row.clauses.map((anchor) => {
      const { clause, title, text } = quoteOf(anchor);
      return quoted(`**${clause} ${title}**\n\n${text}`);
    }),
    ...(rfc === undefined ? [] : [`${section}:`, quoted(rfc)]),
    '### How it is judged',
    sentence(row.judged),
    ...(bugs.length === 0 ? [] : ['### Usual bugs', bugs.join('\n')]),
    level === 'OBSERVE' ? '### What to make of it' : '### How to fix it',
    `${fix}\n`,
  ].join('\n\n');
}

/** Faults that break it: those that break least beside it come first. */
function bugsOf(id: RequirementId): string[] {
  const clusters = clusterCells.map(({ title, fromFour }) => ({ title, breaks: fromFour }));
  const known: ReadonlyArray<{ readonly title: string; readonly breaks: readonly string[] }> = [
    ...faults,
    ...limitFaults,
    ...clusters,
  ];
  const breaking = known.filter(({ breaks }) => breaks.includes(id));
  const specific = breaking.toSorted((one, other) => one.breaks.length - other.breaks.length);
  return specific.slice(0, mostBugs).map(({ title }) => title);
}

let specification: string | undefined;

/**
 * What the specification says at an anchor of its outline: the text below a heading (`4.1`, `8-headers`), a whole section if
 * it has no text of its own (`8`), or a point of a numbered list (`5.3`).
 * @throws Error if the specification has no such place
 */
export function quoteOf(anchor: string) {
  specification ??= readFileSync(packageFile('docs/specification.md'), 'utf8');
  const section = sectionOf(anchor);
  const title = clauses.find((one) => one.anchor === anchor)?.title ?? '';
  const chapter = specification.split(/^## /m).find((one) => one.startsWith(`${section}. `)) ?? '';
  const parts = chapter.split(/^### /m);
  const named = parts.find((part) => part.replace(/^[\d.]+ /, '').startsWith(title));
  const point = chapter.split('\n').find((line) => line.startsWith(`${anchor.split('.')[1]}. `));
  const text = named === undefined ? point?.slice(3) : bodyOf(named) || bodyOf(chapter);
  if (text === undefined) throw new Error(`the specification has no clause ${anchor}`);
  return { clause: anchor.includes('-') ? String(section) : anchor, title, text };
}

function bodyOf(part: string): string {
  return part.slice(part.indexOf('\n')).trim();
}

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ').replaceAll(/ +$/gm, '');
}

function sentence(text: string): string {
  const begun = /^[a-z]\w* /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
