import type { Finding } from '../../lib/record/record.js';
import { outcomeTexts } from '../summary/requirement-outcome.js';
import { leftOpenText, type RunCause } from '../summary/run-causes.js';
import { fromDifference } from '../text/difference.js';
import { findingLines, sectionText } from '../text/finding-text.js';
import { clip } from '../../lib/usage/printable.js';
import type { Layout } from './layout.js';

/** How many causes are shown before the summary drowns: in full, then in a line each, then ids alone. */
export interface Room {
  readonly inFull: number;
  readonly inLines: number;
}

/** A longer command is not pasted from a terminal; the report has it. */
const longestCommand = 800;
const findingsNamed = 3;

/** The first causes in full, the next in a line, the rest by id. */
export function causeLines(
  causes: readonly RunCause[],
  { inFull, inLines }: Room,
  layout: Layout,
  where: string,
): string[] {
  const markOf = ({ outcome }: RunCause): string =>
    layout.paint([outcomeTexts[outcome].colour, 'bold'], outcomeTexts[outcome].mark);
  const full = causes.slice(0, inFull).flatMap((cause) => [...fullLines(cause, markOf(cause), layout), '']);
  const brief = causes.slice(inFull, inFull + inLines).map((cause) => {
    const { ids, message } = cause;
    const text = clip(message, Math.max(20, layout.columns - ids.length - 4));
    return `${markOf(cause)} ${layout.paragraph('', `${layout.paint('bold', ids)}  ${text}`, 2)}`;
  });
  const rest = causes.slice(inFull + inLines).map(({ ids }) => ids);
  if (rest.length > 0) {
    brief.push(layout.paragraph('  ', `and ${rest.length} more, ${where}: ${rest.join(', ')}`));
  }
  return brief.length === 0 ? full : [...full, ...brief, ''];
}

function fullLines(cause: RunCause, mark: string, layout: Layout): string[] {
  const { ids, only, extent, message, shown, others } = cause;
  const behind = only && only.section !== '' ? `  ${sectionText(only.section)}` : '';
  const facts = only
    ? `${only.level}${layout.paint('dim', behind)}  ${only.title}`
    : layout.paint('dim', extent);
  return [
    layout.paragraph(
      `${mark} `,
      `${layout.paint('bold', ids)}  ${facts}`,
      ids.length + behind.length > 30 ? 4 : 2,
    ),
    ...(shown ? findingParagraphs(shown, others, layout) : [layout.paragraph('  ', clip(message, 400))]),
    ...[leftOpenText(cause)].filter((text) => text !== '').map((text) => layout.paragraph('  ', text)),
    ...commandLines(shown, layout),
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
  return [
    layout.paragraph('  ', texts.get('') ?? ''),
    ...labels.flatMap((label) => {
      const text = texts.get(label);
      return text === undefined ? [] : [layout.data(`    ${label.padEnd(10)}`, text)];
    }),
    ...(others.length === 0 ? [] : [layout.paragraph('  also: ', alsoText(others))]),
  ];
}

function commandLines(finding: Finding | undefined, layout: Layout): string[] {
  const command = finding?.reproduce ?? '';
  return command === '' || command.length > longestCommand ? [] : [layout.paint('cyan', `    ${command}`)];
}

function alsoText(others: readonly Finding[]): string {
  const messages = others.map(({ message }) => message.replace(/\.$/u, ''));
  return messages.length > findingsNamed
    ? `${messages[0]}; and ${messages.length - 1} more`
    : messages.join('; ');
}
