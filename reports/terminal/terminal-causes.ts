import { outcomeTexts, type Outcome } from '../summary/requirement-outcome.js';
import type { NamedRequirement, RunCause } from '../summary/run-causes.js';
import { fromDifference } from '../text/difference.js';
import { firstSentence, sectionText } from '../text/finding-text.js';
import { count } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import type { Layout } from './layout.js';

/** A longer command is not pasted from a terminal. */
const longestCommand = 2_000;
const requirementsShown = 5;

/** The first causes in full, and where the others are. @param most how many are shown in full */
export function causeLines(
  causes: readonly RunCause[],
  most: number,
  layout: Layout,
  where: string,
): string[] {
  const full = causes.slice(0, most).flatMap((cause) => [...fullLines(cause, layout, where), '']);
  const [first, ...others] = causes.slice(most);
  if (!first) return full;
  const rest = [first, ...others];
  const more = `${most === 0 ? '' : 'and '}${count(rest.length, most === 0 ? 'cause' : 'more cause')}`;
  const ids = new Set(rest.flatMap(({ named }) => named.map(({ id }) => id)));
  const text = `${more}, ${where}: ${requirementRanges([...ids])}`;
  return [...full, layout.paragraph(`${markOf(first, layout)} `, text), ''];
}

function markOf({ outcome }: { readonly outcome: Outcome }, layout: Layout): string {
  const { colour, mark } = outcomeTexts[outcome];
  return layout.paint([colour, 'bold'], mark);
}

/** A requirement of a cause: id, level, section, and what must hold. */
function requirementLine(named: NamedRequirement, layout: Layout): string {
  const { id, level, section, title } = named;
  const behind = section === '' ? '' : `  ${sectionText(section)}`;
  const facts = `${layout.paint('bold', id)}  ${level}${layout.paint('dim', behind)}  ${title}`;
  return layout.paragraph(`${markOf(named, layout)} `, facts, behind.length > 22 ? 4 : 2);
}

function requirementLines(named: readonly NamedRequirement[], layout: Layout): string[] {
  const shown = named.slice(0, named.length > requirementsShown + 1 ? requirementsShown : undefined);
  const rest = named.slice(shown.length);
  const text = `and ${count(rest.length, 'more requirement')}: ${requirementRanges(rest.map(({ id }) => id))}`;
  return [
    ...shown.flatMap((one) => [
      requirementLine(one, layout),
      // If there is only one, they stand behind what shows the cause.
      ...(named.length > 1 ? alsoLines(one, layout) : []),
    ]),
    ...(rest.length > 0 ? [layout.paragraph('  ', text)] : []),
  ];
}

function fullLines(cause: RunCause, layout: Layout, where: string): string[] {
  const { named, only, lines, shown, remarks, fix, explain } = cause;
  const texts = new Map(lines);
  const [expected, received] = [texts.get('expected'), texts.get('received')];
  if (expected !== undefined && received !== undefined) {
    const [wanted, got] = fromDifference(expected, received, layout.columns);
    texts.set('expected', wanted).set('received', got);
  }
  // If no request shows a finding, as with a description, its place in the document does.
  const labels = ['expected', 'received', ...(shown?.exchanges.length === 0 ? ['at'] : [])];
  return [
    ...requirementLines(named, layout),
    layout.paragraph('  ', texts.get('') ?? ''),
    ...labels.flatMap((label) => {
      const text = texts.get(label);
      return text === undefined ? [] : [layout.data(`    ${label.padEnd(10)}`, text)];
    }),
    ...(only ? named.flatMap((one) => alsoLines(one, layout)) : []),
    ...remarks.map((remark) => layout.paragraph('  ', remark)),
    ...(fix === undefined ? [] : [layout.paragraph('  Fix: ', firstSentence(fix))]),
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

function alsoLines({ others }: NamedRequirement, layout: Layout): string[] {
  return others.map(({ message }) => layout.paragraph('  also: ', message));
}
