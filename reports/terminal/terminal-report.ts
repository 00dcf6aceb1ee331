import { join } from 'node:path';
import type { PlanMeasurement } from '../../lib/evidence/record/plan-measurement.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import { classSummaries } from '../summary/class-summary.js';
import { leftoversText } from '../summary/leftovers.js';
import { behaviourOf, countsOfPlan, phaseText } from '../summary/limit-summary.js';
import { isLoad } from '../summary/load-summary.js';
import type { NotJudgedGroup } from '../summary/not-judged.js';
import { outcomeTexts, resultsWith, tallyText, verdictText } from '../summary/requirement-outcome.js';
import {
  clockSentence,
  retriesSentence,
  runFacts,
  runLine,
  sincePreviousSentence,
} from '../summary/run-facts.js';
import { viewOf, type RunView } from '../summary/run-view.js';
import { outcomeOfVerdict, wasNothingJudged } from '../summary/verdict-sentences.js';
import { waiverText } from '../text/finding-text.js';
import { count, integer } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import { layoutOf, type Layout, type TextLayout } from './layout.js';
import { factLine, loadLines } from './load-lines.js';
import { causeLines } from './terminal-causes.js';

export interface TerminalOptions extends TextLayout {
  /** The folder of the run's files. */
  readonly directory?: string | undefined;
  /** The file in it that a reader is sent to. */
  readonly file?: string | undefined;
  /** All facts of the run, and all reasons why something was not judged. */
  readonly verbose?: boolean | undefined;
}

/** Causes that are shown in full before the summary drowns. */
const failuresShown = 8;
const warningsShown = 3;
/** Reasons and phases in a line each; a run that tested little, or a day that was resumed, has more. */
const reasonsShown = 10;
const phasesShown = 8;

/**
 * A run as an implementer reads it in ten seconds: what is wrong and how to see it again, then the warnings, the classes,
 * what was not judged, what was left behind, and the verdict as the last thing on the screen. Everything from the target
 * is made printable first.
 */
export function renderTerminal(
  run: RunRecord,
  { directory, file = 'report.html', verbose = false, ...options }: TerminalOptions,
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
  const where = report === undefined ? 'in the report' : `see ${report}`;
  const body = isLoad(record)
    ? loadLines(record, layout)
    : judgedLines(record, view, layout, { where, verbose });
  const facts = verbose
    ? runFacts(record).map((fact) => factLine(fact, layout))
    : [layout.paint('dim', layout.paragraph('', runLine(record)))];
  return logText([
    '',
    ...body,
    ...facts,
    ...(report === undefined ? [] : [factLine(['Report', report], layout)]),
    '',
    ...ending,
  ]);
}

function badgeOf({ word, outcome }: RunView, layout: Layout): string {
  const { colour } = outcomeTexts[outcome];
  const ground = colour === 'green' ? 'bgGreen' : colour === 'red' ? 'bgRed' : 'bgYellow';
  return layout.paint([ground, 'black', 'bold'], ` ${word.toUpperCase()} `);
}

interface Told {
  readonly where: string;
  readonly verbose: boolean;
}

function judgedLines(record: RunRecord, view: RunView, layout: Layout, { where, verbose }: Told): string[] {
  const failing = view.causes.filter(({ isUrgent }) => isUrgent);
  const warning = view.causes.filter(({ outcome }) => outcome === 'warn');
  return [
    ...(record.obstacle === undefined ? [] : [layout.paragraph('! ', record.obstacle), '']),
    ...causeLines(failing, failuresShown, layout, where),
    ...causeLines(warning, failing.length > failuresShown ? 0 : warningsShown, layout, where),
    ...waivedLines(record, view, layout),
    ...classLines(record, layout),
    ...notJudgedLines(view.notJudged, layout, verbose ? Infinity : reasonsShown),
    ...(record.plans ?? []).flatMap((plan) => planLines(plan, record, layout)),
    ...newsLines(record, view, layout),
  ];
}

/** Who tolerates what, and what can't be judged because of it. */
function waivedLines(record: RunRecord, { causes }: RunView, layout: Layout): string[] {
  const { mark } = outcomeTexts.waived;
  const open = causes.flatMap((cause) => (cause.outcome === 'waived' ? cause.consequences : []));
  const lines = [
    ...resultsWith(record, 'waived').flatMap(({ id, waived }) =>
      waived ? [layout.paragraph(`${mark} ${id}  `, waiverText(waived))] : [],
    ),
    ...open.map((text) => layout.paragraph('  ', text)),
  ];
  return lines.length === 0 ? [] : [...lines, ''];
}

/** A line for each class: what was not judged stands beside what passed. */
function classLines(record: RunRecord, { paint, paragraph }: Layout): string[] {
  const lines = classSummaries(record).map(({ id, verdict, counts, reason }) => {
    const label = (id === 'own' ? 'own rules' : id).padEnd(13);
    if (!verdict) return paint('dim', paragraph(label, reason));
    const { colour } = outcomeTexts[outcomeOfVerdict[verdict]];
    const word = paint(colour === 'dim' ? 'yellow' : colour, verdict);
    return paragraph(label, `${word}: ${tallyText(counts)}`);
  });
  return [...lines, ''];
}

/** What was not judged within the selected classes and why, grouped by reason. */
function notJudgedLines(groups: readonly NotJudgedGroup[], layout: Layout, most: number): string[] {
  if (groups.length === 0) return [];
  const shown = groups.slice(0, groups.length > most + 1 ? most : undefined);
  const rest = groups.length - shown.length;
  return [
    layout.paint('bold', 'Not judged'),
    ...shown.map(({ verdict, reason, ids }) => {
      const beginning = `  ${String(ids.length).padStart(2)} ${verdictText(verdict)}  `.padEnd(21);
      // What the user left out needs no list of ids.
      const isChosen = reason.startsWith('not selected');
      const which = isChosen ? '' : ` ${layout.paint('dim', `(${clip(requirementRanges(ids), 160)})`)}`;
      return layout.paragraph(beginning, `${clip(reason, 240)}${which}`);
    }),
    ...(rest > 0 ? [`  and ${rest} more reasons: --verbose names them`] : []),
    '',
  ];
}

/** The limiter of a plan: what it behaves like, what no conforming limiter explains, and what each phase admitted. */
function planLines(plan: PlanMeasurement, { requirements }: RunRecord, layout: Layout): string[] {
  const phases = plan.phases.filter(({ sent }) => sent > 1);
  const rest = phases.length - phasesShown;
  const afterFirst429 = plan.phases.reduce((sum, phase) => sum + phase.sentAfterFirst429, 0);
  // A finding that is its certificate's sentence has been shown.
  const messages = [...requirements, ...plan.requirements]
    .flatMap((one) => one.findings)
    .map((one) => one.message);
  const certificates = (plan.explanation?.certificates ?? []).filter(
    ({ sentence }) => !messages.some((message) => message.includes(sentence)),
  );
  const counts = countsOfPlan(plan);
  const like = behaviourOf(plan);
  const behaviour = like === undefined ? '' : `: behaves like ${like}`;
  const detail = (name: string, text: string): string => layout.paragraph(`  ${name.padEnd(17)}`, text);
  return [
    factLine(['Limits', `${plan.plan}, ${integer(plan.perMinute)} a minute${behaviour}`], layout),
    ...certificates.map(({ requirement, sentence }) => detail(requirement, sentence)),
    ...phases.slice(0, phasesShown).map((phase) => detail(phase.name, phaseText(phase))),
    ...(rest > 0 ? [`  and ${rest} more, in the report`] : []),
    ...(counts ? [detail('counted', counts)] : []),
    `  ${count(afterFirst429, 'request')} sent after a first 429`,
  ];
}

/** What is not as in every run. */
function newsLines(record: RunRecord, { notes }: RunView, layout: Layout): string[] {
  const { leftovers, target } = record;
  // Date has whole seconds: a difference of one may be rounding.
  const clocksDiffer = Math.abs(target.clockDifferenceMs ?? 0) >= 2_000;
  const facts: [name: string, text: string | undefined][] = [
    ['Left behind', leftovers.length > 0 ? leftoversText(leftovers) : undefined],
    ...notes.map((note): [string, string] => ['Note', note]),
    ['Note', clocksDiffer ? clockSentence(target.clockDifferenceMs) : undefined],
    ['Note', retriesSentence(record)],
    ['Changed', sincePreviousSentence(record)],
  ];
  return facts.flatMap(([name, text]) => (text === undefined ? [] : [factLine([name, text], layout)]));
}
