import type { Finding, RequirementResult } from '../../lib/record/record.js';
import { withoutCodeMarks } from '../code-marks.js';
import { fromDifference } from '../from-difference.js';
import { clip } from '../printable.js';
import { requirementRanges } from '../requirement-ranges.js';
import { sectionReference } from '../section-reference.js';
import type { Paper } from './paper.js';

/** How much of the findings fits before the summary drowns: in full, then in a line each, then ids alone. */
export interface Room {
  readonly inFull: number;
  readonly inLines: number;
}

type Kind = 'failed' | 'warned';

/** A longer command is not pasted from a terminal; the report has it. */
const longestCommand = 800;

/** The rows with findings: the first in full, the next in a line, the rest by id with a pointer to the report. */
export function findingLines(
  rows: readonly RequirementResult[],
  kind: Kind,
  { inFull, inLines }: Room,
  paper: Paper,
  pointer: string,
): string[] {
  const full = rows.slice(0, inFull).flatMap((row) => [...inFullLines(row, kind, paper), '']);
  const brief = rows.slice(inFull, inFull + inLines).map((row) => briefLine(row, kind, paper));
  const rest = rows.slice(inFull + inLines).map(({ id }) => id);
  const more =
    rest.length === 0
      ? []
      : [paper.paragraph('  ', `and ${rest.length} more, ${pointer}: ${requirementRanges(rest)}`)];
  const tail = [...brief, ...more];
  return tail.length === 0 ? full : [...full, ...tail, ''];
}

function mark(kind: Kind, { paint }: Paper): string {
  return kind === 'failed' ? paint(['red', 'bold'], '✗') : paint(['yellow', 'bold'], '!');
}

function heading(row: RequirementResult, kind: Kind, paper: Paper): string {
  const { paint } = paper;
  const section = sectionReference(row.section);
  const behind = section === '' ? '' : `  ${section}`;
  const facts = `${row.id}  ${row.level}${behind}  `;
  const painted = `${paint('bold', row.id)}  ${row.level}${paint('dim', behind)}  `;
  return paper.paragraph(`${mark(kind, paper)} `, `${painted}${row.title}`, facts.length > 40 ? 4 : 2);
}

function inFullLines(row: RequirementResult, kind: Kind, paper: Paper): string[] {
  const [shown, ...others] = row.findings.toSorted(shortestCommandFirst);
  if (!shown) return [heading(row, kind, paper)];
  const times =
    shown.occurrences !== undefined && shown.occurrences > 1 ? ` (${shown.occurrences} times)` : '';
  return [
    heading(row, kind, paper),
    paper.paragraph('  ', `${shown.message}${times}`),
    ...values(shown, paper),
    ...place(shown, paper),
    ...also(others, paper),
    ...command(shown, paper),
  ];
}

function also(others: readonly Finding[], paper: Paper): string[] {
  const messages = others.map(({ message }) => message.replace(/\.$/u, ''));
  if (messages.length === 0) return [];
  const told = messages.length > 3 ? `${messages[0]}; and ${messages.length - 1} more` : messages.join('; ');
  return [paper.paragraph('  also: ', told)];
}

function values(finding: Finding, paper: Paper): string[] {
  const [expected, received] = [plain(finding.expected), plain(finding.received)];
  const [wanted, got] =
    expected === undefined || received === undefined
      ? [expected, received]
      : fromDifference(expected, received, paper.columns);
  return [
    ...(wanted === undefined ? [] : [paper.data('    expected  ', wanted)]),
    ...(got === undefined ? [] : [paper.data('    received  ', got)]),
  ];
}

/** Where no request shows a finding, as of a description, the place in the document does. */
function place({ pointer, exchanges }: Finding, paper: Paper): string[] {
  return pointer === undefined || exchanges.length > 0 ? [] : [paper.data('    at        ', pointer)];
}

function plain(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutCodeMarks(text);
}

function command({ reproduce }: Finding, { paint }: Paper): string[] {
  if (reproduce === undefined || reproduce.length > longestCommand) return [];
  return [paint('cyan', `    ${reproduce}`)];
}

function shortestCommandFirst(one: Finding, other: Finding): number {
  return (one.reproduce?.length ?? Infinity) - (other.reproduce?.length ?? Infinity) || 0;
}

function briefLine(row: RequirementResult, kind: Kind, paper: Paper): string {
  const beginning = `  ${row.id}  `;
  const text = row.findings[0]?.message ?? row.title;
  return `${mark(kind, paper)} ${paper.paint('bold', row.id)}  ${clip(text, paper.columns - beginning.length)}`;
}
