import type { ClassResult, RunRecord } from '../../lib/record/record.js';
import type { RequirementClass } from '../../lib/specification/catalogue.js';
import { count } from '../../lib/usage/count.js';
import { inOrder, leftoverMarker } from '../summary/leftovers.js';
import { notJudged, verdictInWords } from '../summary/not-judged.js';
import { tally, type Outcome } from '../summary/requirement-outcome.js';
import { clip } from '../text/printable.js';
import { classOfRow, requirementClasses, rowsOfSelectedClasses } from '../summary/requirement-classes.js';
import { requirementRanges, requirementRuns } from '../text/requirement-id.js';
import type { Layout } from './layout.js';

const verdictColour = {
  conformant: 'green',
  partial: 'yellow',
  incomplete: 'yellow',
  'non-conformant': 'red',
} as const satisfies Record<ClassResult['verdict'], string>;

/** Reasons that are told on the terminal; a run that tried little has more, and the report has them all. */
const reasonsShown = 10;
const leftoversShown = 3;
/** Ranges of ids told for one reason. */
const rangesShown = 8;

const tableColumns = [
  'passed',
  'failed',
  'waived',
  'warned',
  'not judged',
  'observed',
] as const satisfies Outcome[];

/** The classes as a table: what was not judged stands beside what passed, and a waived miss is not among the failed. */
export function classLines(record: RunRecord, layout: Layout): string[] {
  const { paint } = layout;
  const head = tableColumns.map((name) => `  ${name}`).join('');
  const lines = requirementClasses.map((id) => {
    const found = record.classes.find((one) => one.id === id);
    if (!found) return paint('dim', unselectedLine(id, record, layout));
    const figures = tally(
      record.requirements.filter((row) => classOfRow(row) === id),
      record,
    );
    const cells = tableColumns.map((name) => {
      const text = String(figures[name]).padStart(name.length + 2);
      if (figures[name] === 0) return paint('dim', text);
      return name === 'failed' ? paint('red', text) : text;
    });
    return `${id.padEnd(12)}${paint(verdictColour[found.verdict], found.verdict.padEnd(14))}${cells.join('')}`;
  });
  return [paint('dim', `${' '.repeat(26)}${head}`), ...lines, ''];
}

/** A class that the run left out, and what would have it tried, where one reason holds for all of it. */
function unselectedLine(id: RequirementClass, { requirements }: RunRecord, layout: Layout): string {
  const reasons = new Set(requirements.filter((row) => classOfRow(row) === id).map(({ reason }) => reason));
  const [reason = ''] = reasons;
  const told = reasons.size === 1 && reason.startsWith('not selected') ? reason : 'not selected';
  return layout.paragraph(id.padEnd(12), told);
}

/**
 * What was not judged and why, grouped by reason, within the classes that the run selected: of the others the table has
 * said so already.
 */
export function notJudgedLines(record: RunRecord, layout: Layout, pointer: string): string[] {
  const groups = notJudged(rowsOfSelectedClasses(record));
  if (groups.length === 0) return [];
  const shown = groups.length > reasonsShown + 1 ? groups.slice(0, reasonsShown) : groups;
  const lines = shown.map(({ verdict, reason, ids }) => {
    const beginning = `  ${String(ids.length).padStart(2)} ${verdictInWords(verdict)}  `.padEnd(21);
    // What the user left out needs no list of ids.
    const which = reason.startsWith('not selected') ? '' : ` ${layout.paint('dim', `(${someOf(ids)})`)}`;
    return layout.paragraph(beginning, `${clip(reason, 240)}${which}`);
  });
  const rest = groups.length - shown.length;
  return [
    layout.paint('bold', 'Not judged'),
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more reasons, ${pointer}`] : []),
    '',
  ];
}

/** Ids in ranges, as many as do not drown the rest. */
function someOf(ids: readonly string[]): string {
  const runs = requirementRuns(ids);
  const shown = runs.slice(0, runs.length <= rangesShown + 1 ? runs.length : rangesShown).flat();
  const rest = ids.length - shown.length;
  return `${requirementRanges(shown)}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** What stays in the target's store, which has no operation to delete it: how many, and by what they are found. */
export function leftoverLines({ leftovers }: RunRecord, layout: Layout, pointer: string): string[] {
  if (leftovers.length === 0) return [];
  const ids = inOrder(leftovers)
    .slice(0, leftoversShown)
    .map(({ id }) => id);
  const rest = leftovers.length - ids.length;
  const marked = leftoverMarker(leftovers);
  const others = marked?.others ?? 0;
  const named = marked
    ? ` whose name${leftovers.length - others === 1 ? ' begins' : 's begin'} with ${clip(marked.marker, 40)}`
    : '';
  const besides = others > 0 ? `, and ${count(others, 'other')}` : '';
  const told = `${count(leftovers.length - others, 'animal')}${named}${besides}: ${ids.join(', ')}`;
  return [layout.paragraph('Left behind  ', rest > 0 ? `${told} and ${rest} more, ${pointer}` : told)];
}
