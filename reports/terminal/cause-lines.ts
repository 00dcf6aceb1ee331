import type { Finding } from '../../lib/evidence/record/requirement-result.js';
import { clip } from '../../lib/explain/clip.js';
import { outcomeTexts } from '../summary/requirement-outcome.js';
import type { NamedRequirement, RunCause } from '../summary/run-causes.js';
import { fromDifference } from '../text/difference.js';
import { firstSentence, messageText, sectionText } from '../text/finding-text.js';
import { count } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import { plainLayout, type Layout } from './layout.js';

/** A longer command is not pasted from a terminal. */
const longestCommand = 2_000;
const requirementsShown = 5;
/** Further findings of one requirement, and the columns of each. */
const messagesShown = 12;
const longestMessage = 300;

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
  const ids = requirementRanges([...new Set(rest.flatMap(({ named }) => named.map(({ id }) => id)))]);
  const text = `and ${count(rest.length, 'more cause')}, ${where}: ${ids}`;
  return [...full, layout.paragraph(`${markOf(rest[0], layout)} `, text, 2), ''];
}

/** A cause as plain text, a line for each part of it. */
export function causeText(cause: RunCause): string[] {
  return fullLines(cause, plainLayout, 'in the record');
}

function markOf({ outcome }: Pick<RunCause, 'outcome'>, layout: Layout): string {
  const { colour, mark } = outcomeTexts[outcome];
  return layout.paint([colour, 'bold'], mark);
}

/** What it is about, what is wrong, and what to do. */
function fullLines(cause: RunCause, layout: Layout, where: string): string[] {
  const { named, root, message, shown, remarks, fix, explain } = cause;
  const command = shown?.reproduce ?? '';
  const isLong = command.length > longestCommand;
  const curl = layout.paint('cyan', `    ${isLong ? `(a long command: ${where})` : command}`);
  return [
    ...(root ? [requirementLine(root, layout)] : []),
    layout.paragraph('  ', shown ? messageText(shown) : message),
    ...(shown ? dataLines(shown, layout) : []),
    ...(root ? findingLines('  also: ', root, layout) : []),
    ...requirementLines(
      named.filter((one) => one !== root),
      layout,
    ),
    ...remarks.map((remark) => layout.paragraph('  ', remark)),
    ...(fix === undefined ? [] : [layout.paragraph('  Fix: ', firstSentence(fix))]),
    ...(command === '' ? [] : [curl]),
    ...(explain === undefined ? [] : [layout.paint('dim', `    ${explain}`)]),
  ];
}

/** What was expected and received, from shortly before the place at which they differ; else the place in a document. */
export function dataLines({ expected, received, pointer, exchanges }: Finding, layout: Layout): string[] {
  const both = [expected ?? received ?? '', received ?? expected ?? ''] as const;
  const [wanted, came] = fromDifference(...both, layout.columns);
  return [
    ...(expected === undefined ? [] : [layout.data('    expected  ', wanted)]),
    ...(received === undefined ? [] : [layout.data('    received  ', came)]),
    ...(pointer === undefined || exchanges.length > 0 ? [] : [layout.data('    at        ', pointer)]),
  ];
}

function requirementLines(named: readonly NamedRequirement[], layout: Layout): string[] {
  const shown = named.slice(0, named.length > requirementsShown + 1 ? requirementsShown : undefined);
  const rest = named.slice(shown.length);
  const text = `and ${count(rest.length, 'more requirement')}: ${requirementRanges(rest.map(({ id }) => id))}`;
  return [
    ...shown.flatMap((one) => [requirementLine(one, layout), ...findingLines('  ', one, layout)]),
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

function findingLines(prefix: string, { others }: NamedRequirement, layout: Layout): string[] {
  const rest = others.length - messagesShown;
  return [
    ...others
      .slice(0, messagesShown)
      .map(({ message }) => layout.paragraph(prefix, clip(message, longestMessage))),
    ...(rest > 0 ? [layout.paragraph('  ', `and ${count(rest, 'more finding')}, in the report`)] : []),
  ];
}
