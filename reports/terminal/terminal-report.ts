import { join } from 'node:path';
import type { RunRecord, Finding } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { logText } from '../../lib/explain/printable.js';
import { type Outcome, outcomeTexts } from '../summary/outcomes.js';
import type { NamedRequirement, RunCause } from '../summary/run-causes.js';
import { viewOf } from '../summary/run-view.js';
import { wasNothingJudged } from '../summary/verdict-sentences.js';
import {
  count,
  firstSentence,
  fromDifference,
  levelText,
  type Part,
  requirementRanges,
  waiverText,
} from '../text.js';
import { layoutOf, plainLayout, type Layout, type TextLayout } from './layout.js';

export interface TerminalOptions extends TextLayout {
  readonly directory?: string | undefined;
  /** The file in it that a reader is sent to. */
  readonly file?: string | undefined;
  /** All facts of the run, and all reasons why something was not judged. */
  readonly verbose?: boolean | undefined;
}

/** Causes that are shown in full before the summary drowns, and requirements of each. */
const causesShown = 8;
const requirementsShown = 5;
/** Further findings of one requirement, which plain text has all. */
const findingsShown = 12;
/** Of a part, in a line each; a run that tested little, or a day that was resumed, has more. */
const factsShown = 12;
const longestMessage = 300;
/** A longer command is not pasted from a terminal. */
const longestCommand = 2_000;

/** A run as an implementer reads it in ten seconds: what is wrong first, and the verdict as the last thing on the screen. */
export function renderTerminal(
  run: RunRecord,
  { directory, file = 'report.html', verbose = false, ...options }: TerminalOptions,
): string {
  const layout = layoutOf(options);
  const report = directory && join(directory, file);
  const { record, causes, parts, problems, word, outcome, headline, line, facts } = viewOf(run);
  const { colour } = outcomeTexts[outcome];
  const ground = colour === 'green' ? 'bgGreen' : colour === 'red' ? 'bgRed' : 'bgYellow';
  const badge = layout.paint([ground, 'black', 'bold'], ` ${word.toUpperCase()} `);
  const ending = [
    // What the headline says is said once.
    ...problems
      .filter(([, what]) => !headline.includes(what))
      .map((problem) => layout.paragraph('! ', problem.join(': '))),
    layout.paragraph(`${badge} `, headline, word.length + 3),
    '',
  ];
  if (wasNothingJudged(record)) return logText(['', ...ending]);
  const told = causes.filter((cause) => cause.outcome !== 'waived');
  const waived = causes.filter((cause) => cause.outcome === 'waived');
  const named = new Set(idsIn(causes));
  const tolerated = [
    ...waived.flatMap(({ ids, remarks }) => remarks.map((remark) => [ids, remark] as const)),
    ...record.requirements.flatMap(({ id, waived: waiver }) =>
      waiver && !named.has(id) ? [[id, waiverText(waiver)] as const] : [],
    ),
  ];
  const shown: Part[] = [{ title: 'Waived', facts: tolerated }, ...parts];
  return logText([
    '',
    ...causesLines(told, layout, report === undefined ? 'in the report' : `see ${report}`),
    ...shown.flatMap((part) => partLines(part, layout, verbose || record.load ? Infinity : factsShown)),
    ...(verbose
      ? partLines({ title: '', facts }, layout, Infinity)
      : [layout.paint('dim', layout.paragraph('', line))]),
    ...(report === undefined ? [] : [layout.paragraph('Report       ', report)]),
    '',
    ...ending,
  ]);
}

const idsIn = (causes: readonly RunCause[]) => causes.flatMap(({ named }) => named.map(({ id }) => id));

function causesLines(causes: readonly RunCause[], layout: Layout, where: string): string[] {
  const full = causes.slice(0, causesShown).flatMap((cause) => [...causeLines(cause, layout, where), '']);
  const rest = causes.slice(causesShown);
  if (!rest[0]) return full;
  const ids = requirementRanges([...new Set(idsIn(rest))]);
  const text = `and ${count(rest.length, 'more cause')}, ${where}: ${ids}`;
  return [...full, layout.paragraph(`${markOf(rest[0], layout)} `, text, 2), ''];
}

function partLines({ title, facts }: Part, layout: Layout, most: number): string[] {
  if (facts.length === 0) return [];
  const shown = facts.slice(0, facts.length > most + 1 ? most : undefined);
  const rest = facts.length - shown.length;
  const width = Math.max(11, ...shown.map(([name]) => name.length)) + 2;
  return [
    ...(title === '' ? [] : [layout.paint('bold', title)]),
    ...shown.map(([name, text]) => layout.paragraph(name.padEnd(width), text)),
    ...(rest > 0 ? [`and ${rest} more: --verbose names them`] : []),
    '',
  ];
}

/** A cause as plain text, a line for each part of it. */
export function causeText(cause: RunCause): string[] {
  return causeLines(cause, plainLayout, 'in the record');
}

/** What a cause is about, what is wrong, and what to do. @param where the rest is, if something is too long */
function causeLines(cause: RunCause, layout: Layout, where: string): string[] {
  const { root, message, shown, remarks, fix, explain, named } = cause;
  const { reproduce: command = '', occurrences: seen = 1 } = shown ?? {};
  const curl = command.length > longestCommand ? `(a long command: ${where})` : command;
  const others = named.filter((one) => one !== root);
  const told = others.slice(0, others.length > requirementsShown + 1 ? requirementsShown : undefined);
  const rest = others.slice(told.length).map(({ id }) => id);
  return [
    ...(root ? [requirementLine(root, layout)] : []),
    layout.paragraph('  ', `${message}${seen > 1 ? ` (seen ${seen} times)` : ''}`),
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

function markOf({ outcome }: { readonly outcome: Outcome }, layout: Layout): string {
  const { colour, mark } = outcomeTexts[outcome];
  return layout.paint([colour, 'bold'], mark);
}

/** The label of a requirement: id, level, section, and what must hold. */
function requirementLine(named: NamedRequirement, layout: Layout): string {
  const label = `${layout.paint('bold', named.id)}  ${layout.paint('dim', levelText(named))}`;
  return layout.paragraph(`${markOf(named, layout)} `, `${label}  ${named.title}`, 4);
}

function findingLines(prefix: string, { others }: NamedRequirement, layout: Layout): string[] {
  const told = others.slice(0, layout === plainLayout ? undefined : findingsShown);
  return [
    ...told.map(({ message }) => layout.paragraph(prefix, clip(message, longestMessage))),
    ...moreLines(others.length - told.length, 'finding', ', in the report', layout),
  ];
}

function moreLines(rest: number, what: string, where: string, layout: Layout): string[] {
  return rest > 0 ? [layout.paragraph('  ', `and ${count(rest, `more ${what}`)}${where}`)] : [];
}
