import type { Finding } from '../../lib/evidence/record/requirement-result.js';
import { clip } from '../../lib/explain/clip.js';
import { outcomeTexts } from '../summary/outcomes.js';
import type { NamedRequirement, RunCause } from '../summary/run-causes.js';
import {
  count,
  firstSentence,
  fromDifference,
  messageText,
  requirementRanges,
  sectionText,
} from '../text.js';
import { plainLayout, type Layout } from './layout.js';

/** A longer command is not pasted from a terminal. */
const longestCommand = 2_000;
const requirementsShown = 5;
/** Columns of a further finding. */
const longestMessage = 300;

/** A cause as plain text, a line for each part of it. */
export function causeText(cause: RunCause): string[] {
  return causeLines(cause, plainLayout, 'in the record');
}

/** The mark of an outcome, in its colour. */
export function markOf({ outcome }: Pick<RunCause, 'outcome'>, layout: Layout): string {
  const { colour, mark } = outcomeTexts[outcome];
  return layout.paint([colour, 'bold'], mark);
}

/** What a cause is about, what is wrong, and what to do. @param where the rest is, if something is too long */
export function causeLines(cause: RunCause, layout: Layout, where: string): string[] {
  const { root, message, shown, remarks, fix, explain } = cause;
  const command = shown?.reproduce ?? '';
  const curl = command.length > longestCommand ? `(a long command: ${where})` : command;
  const others = cause.named.filter((one) => one !== root);
  const told = others.slice(0, others.length > requirementsShown + 1 ? requirementsShown : undefined);
  const rest = others.slice(told.length).map(({ id }) => id);
  return [
    ...(root ? [requirementLine(root, layout)] : []),
    layout.paragraph('  ', shown ? messageText(shown) : message),
    ...(shown ? dataLines(shown, layout) : []),
    ...(root ? findingLines('  also: ', root, layout) : []),
    ...told.flatMap((one) => [requirementLine(one, layout), ...findingLines('  ', one, layout)]),
    ...moreLines(rest.length, 'requirement', `: ${requirementRanges(rest)}`, layout),
    ...remarks.map((remark) => layout.paragraph('  ', remark)),
    ...(fix === undefined ? [] : [layout.paragraph('  Fix: ', firstSentence(fix))]),
    ...(command === '' ? [] : [layout.paint('cyan', `    ${curl}`)]),
    ...(explain === undefined ? [] : [layout.paint('dim', `    ${explain}`)]),
  ];
}

/** What was expected and received, from shortly before the place at which they differ; else the place in a document. */
function dataLines({ expected, received, pointer, exchanges }: Finding, layout: Layout): string[] {
  const both = [expected ?? received ?? '', received ?? expected ?? ''] as const;
  const [wanted, came] = fromDifference(...both, layout.columns);
  return [
    ...(expected === undefined ? [] : [layout.data('    expected  ', wanted)]),
    ...(received === undefined ? [] : [layout.data('    received  ', came)]),
    ...(pointer === undefined || exchanges.length > 0 ? [] : [layout.data('    at        ', pointer)]),
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
  const told = others.slice(0, layout.findings);
  return [
    ...told.map(({ message }) => layout.paragraph(prefix, clip(message, longestMessage))),
    ...moreLines(others.length - told.length, 'finding', ', in the report', layout),
  ];
}

function moreLines(rest: number, what: string, where: string, layout: Layout): string[] {
  return rest > 0 ? [layout.paragraph('  ', `and ${count(rest, `more ${what}`)}${where}`)] : [];
}
