import type { ClassResult, RunRecord } from '../../lib/run/record.js';
import { notJudged, verdictInWords } from '../not-judged.js';
import { tally, type Outcome } from '../outcome.js';
import { clip } from '../printable.js';
import { classOfRow, requirementClasses } from '../requirement-classes.js';
import { requirementRanges } from '../requirement-ranges.js';
import type { Paper } from './paper.js';

const verdictColour = {
  conformant: 'green',
  partial: 'yellow',
  incomplete: 'yellow',
  'non-conformant': 'red',
} as const satisfies Record<ClassResult['verdict'], string>;

/** Reasons that are told on the terminal; a run that tried little has more, and the report has them all. */
const reasonsShown = 10;
const leftoversShown = 3;

const tableColumns = [
  'passed',
  'failed',
  'waived',
  'warned',
  'not judged',
  'observed',
] as const satisfies Outcome[];

/** The classes as a table: what was not judged stands beside what passed, and a waived miss is not among the failed. */
export function classLines(record: RunRecord, { paint }: Paper): string[] {
  const head = tableColumns.map((name) => `  ${name}`).join('');
  const lines = requirementClasses.map((id) => {
    const found = record.classes.find((one) => one.id === id);
    if (!found) return paint('dim', `${id.padEnd(12)}not selected`);
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

/** What was not judged and why, grouped by reason. */
export function notJudgedLines(record: RunRecord, paper: Paper, pointer: string): string[] {
  const groups = notJudged(record.requirements);
  if (groups.length === 0) return [];
  const lines = groups.slice(0, reasonsShown).map(({ verdict, reason, ids }) => {
    const beginning = `  ${String(ids.length).padStart(2)} ${verdictInWords(verdict)}  `.padEnd(21);
    return paper.paragraph(
      beginning,
      `${clip(reason, 240)} ${paper.paint('dim', `(${requirementRanges(ids)})`)}`,
    );
  });
  const rest = groups.length - reasonsShown;
  return [
    paper.paint('bold', 'Not judged'),
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more reasons, ${pointer}`] : []),
    '',
  ];
}

/** What stays in the target's store, which has no operation to delete it: how many, and by what they are found. */
export function leftoverLines({ leftovers }: RunRecord, paper: Paper, pointer: string): string[] {
  if (leftovers.length === 0) return [];
  const ids = leftovers.slice(0, leftoversShown).map(({ id }) => id);
  const rest = leftovers.length - ids.length;
  const marker = commonBeginning(leftovers.map(({ name }) => name));
  const named = marker === '' ? '' : ` whose names begin with ${marker}`;
  const told = `${leftovers.length} animal${leftovers.length === 1 ? '' : 's'}${named}: ${ids.join(', ')}`;
  return [paper.paragraph('Left behind  ', rest > 0 ? `${told} and ${rest} more, ${pointer}` : told)];
}

/** The words that all names begin with: the run's marker, where there is more than one name. */
function commonBeginning(names: readonly string[]): string {
  const [first = [], ...others] = names.map((name) => name.split(' '));
  const differs = first.findIndex((word, index) => others.some((words) => words[index] !== word));
  return clip((differs === -1 ? first : first.slice(0, differs)).join(' '), 40);
}
