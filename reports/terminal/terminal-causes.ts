import type { Finding } from '../../lib/record/record.js';
import { outcomeTexts } from '../summary/requirement-outcome.js';
import type { RunCause } from '../summary/run-causes.js';
import { fromDifference } from '../text/difference.js';
import { sectionText } from '../text/finding-text.js';
import { count } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import type { Layout } from './layout.js';

/** A longer command is not pasted from a terminal. */
const longestCommand = 2_000;
const findingsNamed = 3;

/** The first causes in full, and where the others are. @param most how many are shown in full */
export function causeLines(
  causes: readonly RunCause[],
  most: number,
  layout: Layout,
  where: string,
): string[] {
  const markOf = ({ outcome }: RunCause): string =>
    layout.paint([outcomeTexts[outcome].colour, 'bold'], outcomeTexts[outcome].mark);
  const full = causes
    .slice(0, most)
    .flatMap((cause) => [...fullLines(cause, markOf(cause), layout, where), '']);
  const [first, ...others] = causes.slice(most);
  if (!first) return full;
  const rest = [first, ...others];
  const more = `${most === 0 ? '' : 'and '}${count(rest.length, most === 0 ? 'cause' : 'more cause')}`;
  const text = `${more}, ${where}: ${requirementRanges(rest.flatMap(({ named }) => named.map(({ id }) => id)))}`;
  return [...full, layout.paragraph(`${markOf(first)} `, text), ''];
}

function fullLines(cause: RunCause, mark: string, layout: Layout, where: string): string[] {
  const { ids, only, extent, lines, shown, others, remarks, explain } = cause;
  const behind = only && only.section !== '' ? `  ${sectionText(only.section)}` : '';
  const facts = only
    ? `${only.level}${layout.paint('dim', behind)}  ${only.title}`
    : layout.paint('dim', extent);
  const texts = new Map(lines);
  const [expected, received] = [texts.get('expected'), texts.get('received')];
  if (expected !== undefined && received !== undefined) {
    const [wanted, got] = fromDifference(expected, received, layout.columns);
    texts.set('expected', wanted).set('received', got);
  }
  // If no request shows a finding, as with a description, its place in the document does.
  const labels = ['expected', 'received', ...(shown?.exchanges.length === 0 ? ['at'] : [])];
  return [
    layout.paragraph(
      `${mark} `,
      `${layout.paint('bold', ids)}  ${facts}`,
      ids.length + behind.length > 30 ? 4 : 2,
    ),
    layout.paragraph('  ', texts.get('') ?? ''),
    ...labels.flatMap((label) => {
      const text = texts.get(label);
      return text === undefined ? [] : [layout.data(`    ${label.padEnd(10)}`, text)];
    }),
    ...(others.length === 0 ? [] : [layout.paragraph('  also: ', alsoText(others))]),
    ...remarks.map((remark) => layout.paragraph('  ', remark)),
    ...[texts.get('reproduce') ?? '']
      .filter((command) => command !== '')
      .map((command) =>
        layout.paint(
          'cyan',
          command.length > longestCommand
            ? `    (a command of ${count(command.length, 'character')}: ${where})`
            : `    ${command}`,
        ),
      ),
    layout.paint('dim', `    ${explain}`),
  ];
}

function alsoText(others: readonly Finding[]): string {
  const messages = others.map(({ message }) => message.replace(/\.$/u, ''));
  return messages.length > findingsNamed
    ? `${messages[0]}; and ${messages.length - 1} more`
    : messages.join('; ');
}
