import type { Finding, RequirementResult } from '../../lib/record/record.js';
import { withoutCodeMarks } from '../text/code-marks.js';
import { fromDifference } from '../text/from-difference.js';
import { clip } from '../text/printable.js';
import { requirementRanges } from '../text/requirement-id.js';
import { sectionReference } from '../text/section.js';
import type { Layout } from './layout.js';

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
  layout: Layout,
  pointer: string,
): string[] {
  const full = rows.slice(0, inFull).flatMap((row) => [...inFullLines(row, kind, layout), '']);
  const brief = rows.slice(inFull, inFull + inLines).map((row) => briefLine(row, kind, layout));
  const rest = rows.slice(inFull + inLines).map(({ id }) => id);
  const more =
    rest.length === 0
      ? []
      : [layout.paragraph('  ', `and ${rest.length} more, ${pointer}: ${requirementRanges(rest)}`)];
  const tail = [...brief, ...more];
  return tail.length === 0 ? full : [...full, ...tail, ''];
}

function mark(kind: Kind, { paint }: Layout): string {
  return kind === 'failed' ? paint(['red', 'bold'], '✗') : paint(['yellow', 'bold'], '!');
}

function heading(row: RequirementResult, kind: Kind, layout: Layout): string {
  const { paint } = layout;
  const section = sectionReference(row.section);
  const behind = section === '' ? '' : `  ${section}`;
  const facts = `${row.id}  ${row.level}${behind}  `;
  const painted = `${paint('bold', row.id)}  ${row.level}${paint('dim', behind)}  `;
  return layout.paragraph(`${mark(kind, layout)} `, `${painted}${row.title}`, facts.length > 40 ? 4 : 2);
}

function inFullLines(row: RequirementResult, kind: Kind, layout: Layout): string[] {
  const [shown, ...others] = row.findings.toSorted(shortestCommandFirst);
  if (!shown) return [heading(row, kind, layout)];
  const times =
    shown.occurrences !== undefined && shown.occurrences > 1 ? ` (${shown.occurrences} times)` : '';
  return [
    heading(row, kind, layout),
    layout.paragraph('  ', `${shown.message}${times}`),
    ...values(shown, layout),
    ...place(shown, layout),
    ...also(others, layout),
    ...command(shown, layout),
  ];
}

function also(others: readonly Finding[], layout: Layout): string[] {
  const messages = others.map(({ message }) => message.replace(/\.$/u, ''));
  if (messages.length === 0) return [];
  const told = messages.length > 3 ? `${messages[0]}; and ${messages.length - 1} more` : messages.join('; ');
  return [layout.paragraph('  also: ', told)];
}

function values(finding: Finding, layout: Layout): string[] {
  const [expected, received] = [plain(finding.expected), plain(finding.received)];
  const [wanted, got] =
    expected === undefined || received === undefined
      ? [expected, received]
      : fromDifference(expected, received, layout.columns);
  return [
    ...(wanted === undefined ? [] : [layout.data('    expected  ', wanted)]),
    ...(got === undefined ? [] : [layout.data('    received  ', got)]),
  ];
}

/** Where no request shows a finding, as of a description, the place in the document does. */
function place({ pointer, exchanges }: Finding, layout: Layout): string[] {
  return pointer === undefined || exchanges.length > 0 ? [] : [layout.data('    at        ', pointer)];
}

function plain(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutCodeMarks(text);
}

function command({ reproduce }: Finding, { paint }: Layout): string[] {
  if (reproduce === undefined || reproduce.length > longestCommand) return [];
  return [paint('cyan', `    ${reproduce}`)];
}

function shortestCommandFirst(one: Finding, other: Finding): number {
  return (one.reproduce?.length ?? Infinity) - (other.reproduce?.length ?? Infinity) || 0;
}

function briefLine(row: RequirementResult, kind: Kind, layout: Layout): string {
  const beginning = `  ${row.id}  `;
  const text = row.findings[0]?.message ?? row.title;
  return `${mark(kind, layout)} ${layout.paint('bold', row.id)}  ${clip(text, layout.columns - beginning.length)}`;
}
