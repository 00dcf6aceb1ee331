import { markdownTable } from 'markdown-table';
import stringWidth from 'string-width';
import { catalogue, type Requirement } from '../lib/specification/catalogue.js';
import type { RequirementResult, RunRecord } from '../lib/record/record.js';
import { withoutLogCommand } from './text/log-commands.js';
import { markdownText } from './text/markdown-text.js';
import { verdictInWords } from './summary/not-judged.js';
import { outcomeOf, tally, type Outcome } from './summary/requirement-outcome.js';
import { clip, printable } from './text/printable.js';
import { requirementClasses } from './summary/requirement-classes.js';
import { layoutOf } from './terminal/layout.js';

/** Implementations side by side: what each run says of each requirement of the catalogue. */
export interface Matrix {
  readonly runs: readonly RunRecord[];
  readonly rows: readonly { requirement: Requirement; results: readonly (RequirementResult | undefined)[] }[];
}

/** The runs in the order given, the requirements in the catalogue's; a run that knows a requirement not has a gap. */
export function matrixOf(runs: readonly RunRecord[]): Matrix {
  const byId = runs.map(({ requirements }) => new Map(requirements.map((row) => [row.id, row])));
  return {
    runs,
    rows: catalogue.map((requirement) => ({
      requirement,
      results: byId.map((rows) => rows.get(requirement.id)),
    })),
  };
}

const marks = {
  passed: '✓',
  failed: '✗',
  warned: '!',
  waived: '~',
  observed: '·',
  'not judged': '-',
} as const satisfies Record<Outcome, string>;

const colours = {
  passed: 'green',
  failed: 'red',
  warned: 'yellow',
  waived: 'yellow',
  observed: 'dim',
  'not judged': 'dim',
} as const satisfies Record<Outcome, string>;

const legend = '✓ passed  ✗ failed  ! warned  ~ waived  · observed  - not judged';

/** For a terminal: the runs are numbered, so that fifteen of them fit into 80 columns. */
export function renderMatrix({ runs, rows }: Matrix, options: { columns: number; colour: boolean }): string {
  const layout = layoutOf(options);
  const named = runs.map(({ target, verdict, run }, index) =>
    layout.paragraph(
      `${String(index + 1).padStart(3)}  `,
      `${printable(target.name)}: ${verdict} (${printable(run.id)})`,
    ),
  );
  const heading = `${' '.repeat(20)}${runs.map((_, index) => String(index + 1).padStart(4)).join('')}`;
  const widest = layout.columns - stringWidth(heading) - 2;
  const lines = rows.map(({ requirement: { id, level, title }, results }) => {
    const cells = results.map((row, index) => {
      const outcome = cellOf(row, runs[index]);
      return outcome === undefined ? '    ' : `   ${layout.paint(colours[outcome], marks[outcome])}`;
    });
    const told = widest > 16 ? `  ${layout.paint('dim', clip(title, widest))}` : '';
    return `${id.padEnd(12)}${level.padEnd(8)}${cells.join('')}${told}`;
  });
  return ['', ...named, '', heading, ...lines, '', legend, ''].map(withoutLogCommand).join('\n');
}

/** For a page: a Markdown table of the classes, then one of the requirements. */
export function matrixMarkdown({ runs, rows }: Matrix): string {
  const names = runs.map(({ target }) => markdownText(target.name));
  const classes = requirementClasses.map((id) => [id, ...runs.map((run) => classCell(id, run))]);
  const requirements = rows.map(({ requirement, results }) => [
    requirement.id,
    requirement.level,
    requirement.title.replaceAll('|', '\\|'),
    ...results.map((row, index) => markdownCell(row, runs[index])),
  ]);
  const centred = runs.map(() => 'c');
  return [
    '# Pet Store Service: implementations side by side',
    markdownTable([['class', ...names], ...classes], { align: ['l', ...centred] }),
    markdownTable([['', 'level', 'requirement', ...names], ...requirements], {
      align: ['l', 'l', 'l', ...centred],
    }),
    runs.map(runLine).join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

function classCell(id: (typeof requirementClasses)[number], run: RunRecord): string {
  const found = run.classes.find((one) => one.id === id);
  return found ? found.verdict : 'not selected';
}

function markdownCell(row: RequirementResult | undefined, run: RunRecord | undefined): string {
  const outcome = cellOf(row, run);
  if (row === undefined || outcome === undefined) return '';
  return outcome === 'passed' || outcome === 'observed'
    ? `${marks[outcome]} ${row.verdict}`
    : `**${marks[outcome]}** ${verdictInWords(row.verdict)}`;
}

function runLine(record: RunRecord): string {
  const { target, run, suite } = record;
  const { passed, failed, 'not judged': open } = tally(record.requirements, record);
  const facts = `${target.baseUrl}, ${target.plan} plan, ${run.profile} profile, ${run.startedAt}, ${suite.name} ${suite.version}`;
  return `- **${markdownText(target.name)}**: ${passed} passed, ${failed} failed, ${open} not judged (${markdownText(facts)})`;
}

function cellOf(row: RequirementResult | undefined, run: RunRecord | undefined): Outcome | undefined {
  return row && run ? outcomeOf(row, run) : undefined;
}
