import { join } from 'node:path';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { logText } from '../../lib/explain/printable.js';
import { outcomeTexts } from '../summary/outcomes.js';
import type { RunCause } from '../summary/run-causes.js';
import { runFacts, runLine } from '../summary/run-facts.js';
import { viewOf, type RunView } from '../summary/run-view.js';
import { wasNothingJudged } from '../summary/verdict-sentences.js';
import { count, type Part, requirementRanges, waiverText } from '../text.js';
import { causeLines, markOf } from './cause-lines.js';
import { layoutOf, type Layout, type TextLayout } from './layout.js';

export interface TerminalOptions extends TextLayout {
  /** The folder of the run's files. */
  readonly directory?: string | undefined;
  /** The file in it that a reader is sent to. */
  readonly file?: string | undefined;
  /** All facts of the run, and all reasons why something was not judged. */
  readonly verbose?: boolean | undefined;
}

/** Causes that are shown in full before the summary drowns. */
const causesShown = 8;
/** Of a part, in a line each; a run that tested little, or a day that was resumed, has more. */
const factsShown = 12;

/**
 * A run as an implementer reads it in ten seconds: what is wrong and how to see it again, then the warnings, the classes,
 * what was not judged, what was left behind, and the verdict as the last thing on the screen.
 */
export function renderTerminal(
  run: RunRecord,
  { directory, file = 'report.html', verbose = false, ...options }: TerminalOptions,
): string {
  const layout = layoutOf(options);
  const report = directory && join(directory, file);
  const view = viewOf(run);
  const { record } = view;
  const ending = [
    ...view.warnings.map((warning) => layout.paragraph('! ', warning)),
    layout.paragraph(`${badgeOf(view, layout)} `, view.headline, view.word.length + 3),
    '',
  ];
  if (wasNothingJudged(record)) return logText(['', ...ending]);
  const told = view.causes.filter(({ outcome }) => outcome !== 'waived');
  const waived = view.causes.filter(({ outcome }) => outcome === 'waived');
  const named = new Set(view.causes.flatMap(({ named }) => named.map(({ id }) => id)));
  const tolerated = [
    ...waived.flatMap(({ ids, remarks }) => remarks.map((remark) => [ids, remark] as const)),
    ...record.requirements.flatMap(({ id, waived: waiver }) =>
      waiver && !named.has(id) ? [[id, waiverText(waiver)] as const] : [],
    ),
  ];
  const parts = [{ title: 'Waived', facts: tolerated }, ...view.parts];
  return logText([
    '',
    ...causesLines(told, layout, report === undefined ? 'in the report' : `see ${report}`),
    ...parts.flatMap((part) => partLines(part, layout, verbose || record.load ? Infinity : factsShown)),
    ...(verbose
      ? partLines({ title: '', facts: runFacts(record) }, layout, Infinity)
      : [layout.paint('dim', layout.paragraph('', runLine(record)))]),
    ...(report === undefined ? [] : [layout.paragraph('Report       ', report)]),
    '',
    ...ending,
  ]);
}

function badgeOf({ word, outcome }: RunView, layout: Layout): string {
  const { colour } = outcomeTexts[outcome];
  const ground = colour === 'green' ? 'bgGreen' : colour === 'red' ? 'bgRed' : 'bgYellow';
  return layout.paint([ground, 'black', 'bold'], ` ${word.toUpperCase()} `);
}

/** The first causes in full, and where the others are. */
function causesLines(causes: readonly RunCause[], layout: Layout, where: string): string[] {
  const full = causes.slice(0, causesShown).flatMap((cause) => [...causeLines(cause, layout, where), '']);
  const rest = causes.slice(causesShown);
  if (!rest[0]) return full;
  const ids = requirementRanges([...new Set(rest.flatMap(({ named }) => named.map(({ id }) => id)))]);
  const text = `and ${count(rest.length, 'more cause')}, ${where}: ${ids}`;
  return [...full, layout.paragraph(`${markOf(rest[0], layout)} `, text, 2), ''];
}

/** A part with the names of its facts in one column. */
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
