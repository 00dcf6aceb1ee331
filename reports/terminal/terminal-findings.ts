import type { Finding, RequirementResult } from '../../lib/record/record.js';
import { outcomeTexts, type Outcome } from '../summary/requirement-outcome.js';
import { fromDifference } from '../text/difference.js';
import { findingLines, sectionText } from '../text/finding-text.js';
import { clip } from '../text/printable.js';
import { requirementRanges } from '../text/requirement-id.js';
import type { Layout } from './layout.js';

/** How many results are shown before the summary drowns: in full, then in a line each, then ids alone. */
export interface Room {
  readonly inFull: number;
  readonly inLines: number;
}

/** A longer command is not pasted from a terminal; the report has it. */
const longestCommand = 800;
const findingsNamed = 3;

/** The results with findings: the first in full, the next in a line, the rest by id. */
export function resultLines(
  results: readonly RequirementResult[],
  outcome: Outcome,
  { inFull, inLines }: Room,
  layout: Layout,
  where: string,
): string[] {
  const { mark, colour } = outcomeTexts[outcome];
  const painted = layout.paint([colour, 'bold'], mark);
  const full = results.slice(0, inFull).flatMap((result) => [...fullLines(result, painted, layout), '']);
  const brief = results.slice(inFull, inFull + inLines).map(({ id, findings, title }) => {
    const text = clip(findings[0]?.message ?? title, layout.columns - id.length - 4);
    return `${painted} ${layout.paint('bold', id)}  ${text}`;
  });
  const rest = results.slice(inFull + inLines).map(({ id }) => id);
  if (rest.length > 0) {
    brief.push(layout.paragraph('  ', `and ${rest.length} more, ${where}: ${requirementRanges(rest)}`));
  }
  return brief.length === 0 ? full : [...full, ...brief, ''];
}

function fullLines(result: RequirementResult, mark: string, layout: Layout): string[] {
  const { id, level, title, section } = result;
  const [shown, ...others] = result.findings.toSorted(shortestCommandFirst);
  const behind = section === '' ? '' : `  ${sectionText(section)}`;
  const facts = `${layout.paint('bold', id)}  ${level}${layout.paint('dim', behind)}`;
  return [
    layout.paragraph(`${mark} `, `${facts}  ${title}`, id.length + behind.length > 30 ? 4 : 2),
    ...(shown ? findingParagraphs(shown, others, layout) : []),
  ];
}

function findingParagraphs(finding: Finding, others: readonly Finding[], layout: Layout): string[] {
  const texts = new Map(findingLines(finding));
  const [expected, received] = [texts.get('expected'), texts.get('received')];
  if (expected !== undefined && received !== undefined) {
    const [wanted, got] = fromDifference(expected, received, layout.columns);
    texts.set('expected', wanted).set('received', got);
  }
  // If no request shows a finding, as with a description, its place in the document does.
  const labels = ['expected', 'received', ...(finding.exchanges.length > 0 ? [] : ['at'])];
  const command = texts.get('reproduce') ?? '';
  return [
    layout.paragraph('  ', texts.get('') ?? ''),
    ...labels.flatMap((label) => {
      const text = texts.get(label);
      return text === undefined ? [] : [layout.data(`    ${label.padEnd(10)}`, text)];
    }),
    ...(others.length === 0 ? [] : [layout.paragraph('  also: ', alsoText(others))]),
    ...(command === '' || command.length > longestCommand ? [] : [layout.paint('cyan', `    ${command}`)]),
  ];
}

function alsoText(others: readonly Finding[]): string {
  const messages = others.map(({ message }) => message.replace(/\.$/u, ''));
  return messages.length > findingsNamed
    ? `${messages[0]}; and ${messages.length - 1} more`
    : messages.join('; ');
}

function shortestCommandFirst(one: Finding, other: Finding): number {
  return (one.reproduce?.length ?? Infinity) - (other.reproduce?.length ?? Infinity) || 0;
}
