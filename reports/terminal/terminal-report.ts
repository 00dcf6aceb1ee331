import { join } from 'node:path';
import type { RunRecord } from '../../lib/record/record.js';
import { leftoversText } from '../summary/leftovers.js';
import { isLoad } from '../summary/load-summary.js';
import { outcomeTexts, resultsWith } from '../summary/requirement-outcome.js';
import { clockSentence, retriesSentence, runFacts } from '../summary/run-summary.js';
import { sincePreviousSentence } from '../summary/since-previous.js';
import { viewOf, type RunView } from '../summary/run-view.js';
import { wasNothingJudged } from '../summary/verdict-sentences.js';
import { waiverText } from '../text/finding-text.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import { layoutOf, type Layout, type TextLayout } from './layout.js';
import { factLine, loadLines } from './load-lines.js';
import { causeLines } from './terminal-causes.js';
import { limitLines } from './terminal-limits.js';
import { classLines, notJudgedLines } from './terminal-summary.js';

export interface TerminalOptions extends TextLayout {
  /** The folder of the run's files. */
  readonly directory?: string | undefined;
  /** The file in it that a reader is sent to. */
  readonly file?: string | undefined;
}

/** Causes that are shown in full before the summary drowns. */
const failuresShown = 8;
const warningsShown = 3;

/**
 * A run as an implementer reads it in ten seconds: what is wrong and how to see it again, then the warnings, the classes,
 * what was not judged, what was left behind, and the verdict as the last thing on the screen. Everything from the target
 * is made printable first.
 */
export function renderTerminal(
  run: RunRecord,
  { directory, file = 'report.html', ...options }: TerminalOptions,
): string {
  const record = printableDeep(run);
  const layout = layoutOf(options);
  const report = directory && join(directory, file);
  const view = viewOf(record);
  const ending = [
    ...view.warnings.map((warning) => layout.paragraph('! ', warning)),
    layout.paragraph(`${badgeOf(view, layout)} `, view.headline, view.word.length + 3),
    '',
  ];
  if (wasNothingJudged(record)) return logText(['', ...ending]);
  if (isLoad(record)) {
    const target = factLine(['Target', record.target.baseUrl], layout);
    const folder = report === undefined ? [] : [factLine(['Report', report], layout)];
    return logText(['', target, ...loadLines(record, layout), ...folder, '', ...ending]);
  }
  const where = report === undefined ? 'in the report' : `see ${report}`;
  const failing = view.causes.filter(({ isUrgent }) => isUrgent);
  const warning = view.causes.filter(({ outcome }) => outcome === 'warn');
  return logText([
    '',
    ...(record.obstacle === undefined ? [] : [layout.paragraph('! ', record.obstacle), '']),
    ...causeLines(failing, failuresShown, layout, where),
    ...causeLines(warning, failing.length > failuresShown ? 0 : warningsShown, layout, where),
    ...waivedLines(record, layout),
    ...classLines(record, layout),
    ...notJudgedLines(view.notJudged, layout, where),
    ...limitLines(record, layout),
    ...factLines(record, layout, report),
    '',
    ...ending,
  ]);
}

function waivedLines(record: RunRecord, layout: Layout): string[] {
  const { mark } = outcomeTexts.waived;
  const lines = resultsWith(record, 'waived').flatMap(({ id, waived }) =>
    waived ? [layout.paragraph(`${mark} ${id}  `, waiverText(waived))] : [],
  );
  return lines.length === 0 ? [] : [...lines, ''];
}

function factLines(record: RunRecord, layout: Layout, report: string | undefined): string[] {
  const { leftovers, notes = [], target, run } = record;
  // Date has whole seconds: a difference of one may be rounding.
  const clocksDiffer = Math.abs(target.clockDifferenceMs ?? 0) >= 2_000;
  const facts: [name: string, text: string | undefined][] = [
    ['Left behind', leftovers.length > 0 ? leftoversText(leftovers) : undefined],
    ...notes.map((note): [string, string] => ['Note', note]),
    ['Note', clocksDiffer ? clockSentence(target.clockDifferenceMs) : undefined],
    ['Note', retriesSentence(record)],
    ['Changed', sincePreviousSentence(record)],
    ['Target', target.baseUrl],
    ['Run', runFacts(record)],
    ['Command', run.command],
    ['Report', report],
  ];
  return facts.flatMap(([name, text]) => (text === undefined ? [] : [factLine([name, text], layout)]));
}

function badgeOf({ word, outcome }: RunView, layout: Layout): string {
  const { colour } = outcomeTexts[outcome];
  const ground = colour === 'green' ? 'bgGreen' : colour === 'red' ? 'bgRed' : 'bgYellow';
  return layout.paint([ground, 'black', 'bold'], ` ${word.toUpperCase()} `);
}
