import { outcomeTexts } from '../summary/requirement-outcome.js';
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
  const rest = causes.slice(most);
  if (!rest[0]) return full;
  const number = count(rest.length, most === 0 ? 'cause' : 'more cause');
  const ids = requirementRanges([...new Set(rest.flatMap(({ named }) => named.map(({ id }) => id)))]);
  const text = `${most === 0 ? '' : 'and '}${number}, ${where}: ${ids}`;
  return [...full, layout.paragraph(`${markOf(rest[0], layout)} `, text, 2), ''];
}

function markOf({ outcome }: Pick<RunCause, 'outcome'>, layout: Layout): string {
  const { colour, mark } = outcomeTexts[outcome];
  return layout.paint([colour, 'bold'], mark);
}

/** What it is about, what is wrong, and what to do. */
function fullLines(cause: RunCause, layout: Layout, where: string): string[] {
  const { named, lines, shown, remarks, fix, explain } = cause;
  const texts = new Map(lines);
  const labels = ['expected', 'received', ...(shown?.exchanges.length === 0 ? ['at'] : [])];
  const command = texts.get('reproduce') ?? '';
  const isLong = command.length > longestCommand;
  return [
    ...requirementLines(named, layout),
    layout.paragraph('  ', texts.get('') ?? ''),
    ...labels.flatMap((label) => dataLines(label, texts, layout)),
    // Of several, each has its own above.
    ...(named.length === 1 ? named.flatMap((one) => alsoLines(one, layout)) : []),
    ...remarks.map((remark) => layout.paragraph('  ', remark)),
    ...(fix === undefined ? [] : [layout.paragraph('  Fix: ', firstSentence(fix))]),
    ...(command === ''
      ? []
      : [layout.paint('cyan', isLong ? `    (a long command: ${where})` : `    ${command}`)]),
    ...(explain === undefined ? [] : [layout.paint('dim', `    ${explain}`)]),
  ];
}

/** What was expected or received, from shortly before the place at which they differ. */
function dataLines(label: string, texts: ReadonlyMap<string, string>, layout: Layout): string[] {
  const text = texts.get(label);
  if (text === undefined) return [];
  const other = texts.get(label === 'expected' ? 'received' : 'expected') ?? text;
  const [shown] = fromDifference(text, other, layout.columns);
  return [layout.data(`    ${label.padEnd(10)}`, shown)];
}

function requirementLines(named: readonly NamedRequirement[], layout: Layout): string[] {
  const shown = named.slice(0, named.length > requirementsShown + 1 ? requirementsShown : undefined);
  const rest = named.slice(shown.length);
  const text = `and ${count(rest.length, 'more requirement')}: ${requirementRanges(rest.map(({ id }) => id))}`;
  return [
    ...shown.flatMap((one) => [
      requirementLine(one, layout),
      ...(named.length > 1 ? alsoLines(one, layout) : []),
    ]),
    ...(rest.length > 0 ? [layout.paragraph('  ', text)] : []),
  ];
}

/** The label of a requirement: id, level, section, and what must hold. */
function requirementLine(named: NamedRequirement, layout: Layout): string {
  const { id, level, section, title } = named;
  const behind = section === '' ? '' : `  ${sectionText(section)}`;
  const label = `${layout.paint('bold', id)}  ${level}${layout.paint('dim', behind)}`;
  return layout.paragraph(`${markOf(named, layout)} `, `${label}  ${title}`, 4);
}

function alsoLines({ others }: NamedRequirement, layout: Layout): string[] {
  return others.map(({ message }) => layout.paragraph('  also: ', message));
}
