import { markdownTable } from 'markdown-table';
import type { RequirementResult, RunRecord } from '../lib/record/record.js';
import { catalogue, isRequirementId } from '../lib/specification/catalogue.js';
import { classSummaries } from './summary/class-summary.js';
import { verdictText } from './summary/not-judged.js';
import { outcomeOf, outcomes, outcomeTexts, tally, tallyText } from './summary/requirement-outcome.js';
import { planNamed } from './summary/run-summary.js';
import { layoutOf, type TextLayout } from './terminal/layout.js';
import { markdownText } from './text/markdown-text.js';
import { clip } from '../lib/explain/clip.js';
import { logText, printable } from '../lib/explain/printable.js';

/** Implementations side by side: the result of each run for each requirement of the catalogue. */
export interface Matrix {
  readonly runs: readonly RunRecord[];
  readonly rows: readonly {
    requirement: Pick<RequirementResult, 'id' | 'level' | 'title'>;
    results: readonly (RequirementResult | undefined)[];
  }[];
}

/**
 * The runs in the order given, the requirements in the catalogue's, and those of other versions behind them; a run may not
 * know a requirement.
 */
export function matrixOf(runs: readonly RunRecord[]): Matrix {
  const byId = runs.map(({ requirements }) => new Map(requirements.map((result) => [result.id, result])));
  const others = runs.flatMap(({ requirements }) => requirements.filter(({ id }) => !isRequirementId(id)));
  const known = new Map([...catalogue, ...others].map((one) => [one.id, one]));
  const rows = [...known.values()].map((requirement) => ({
    requirement,
    results: byId.map((results) => results.get(requirement.id)),
  }));
  return { runs, rows };
}

/** For a terminal: the runs are numbered, so that fifteen of them fit into 80 columns. */
export function matrixText({ runs, rows }: Matrix, options: TextLayout): string {
  const layout = layoutOf(options);
  const names = runs.map(({ target, verdict, run }, index) =>
    layout.paragraph(
      `${String(index + 1).padStart(3)}  `,
      `${printable(target.name)}: ${verdict} (${printable(run.id)})`,
    ),
  );
  const head = `${' '.repeat(20)}${runs.map((_, index) => String(index + 1).padStart(4)).join('')}`;
  const widest = layout.columns - head.length - 2;
  const lines = rows.map(({ requirement: { id, level, title }, results }) => {
    const cells = results.map((result, index) => {
      const text = textOf(result, runs[index]);
      return text ? `   ${layout.paint(text.colour, text.mark)}` : '    ';
    });
    const shown = widest > 16 ? `  ${layout.paint('dim', clip(title, widest))}` : '';
    return `${id.padEnd(12)}${level.padEnd(8)}${cells.join('')}${shown}`;
  });
  const legend = outcomes.map((outcome) => {
    const { mark, word } = outcomeTexts[outcome];
    return `${mark} ${word.toLowerCase()}`;
  });
  return logText(['', ...names, '', head, ...lines, '', layout.paragraph('', legend.join('  ')), '']);
}

/** For a page: a Markdown table of the classes, then one of the requirements. */
export function matrixMarkdown({ runs, rows }: Matrix): string {
  const names = runs.map(({ target }) => markdownText(target.name));
  const summaries = runs.map(classSummaries);
  const classes = (summaries[0] ?? []).map(({ id }, index) => [
    id,
    ...summaries.map((summary) => summary[index]?.verdict ?? 'not selected'),
  ]);
  const requirements = rows.map(({ requirement, results }) => [
    requirement.id,
    requirement.level,
    // What another version calls it is text of the record.
    isRequirementId(requirement.id)
      ? requirement.title.replaceAll('|', '\\|')
      : markdownText(requirement.title),
    ...results.map((result, index) => markdownCell(result, runs[index])),
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

function markdownCell(result: RequirementResult | undefined, run: RunRecord | undefined): string {
  const mark = textOf(result, run)?.mark;
  if (!result || mark === undefined) return '';
  const judgedWell = result.verdict === 'pass' || result.verdict === 'observed';
  return `${judgedWell ? mark : `**${mark}**`} ${verdictText(result.verdict)}`;
}

function runLine(record: RunRecord): string {
  const { target, run, suite } = record;
  const facts = [
    target.baseUrl,
    ...planNamed(target),
    `${run.profile} profile`,
    run.startedAt,
    `${suite.name} ${suite.version}`,
  ].join(', ');
  return `- **${markdownText(target.name)}**: ${tallyText(tally(record.requirements, record))} (${markdownText(facts)})`;
}

function textOf(result: RequirementResult | undefined, run: RunRecord | undefined) {
  return result && run ? outcomeTexts[outcomeOf(result, run)] : undefined;
}
