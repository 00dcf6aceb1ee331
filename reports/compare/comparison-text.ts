import { markdownTable } from 'markdown-table';
import { clip } from '../../lib/explain/clip.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import { layoutOf, type TextLayout } from '../terminal/layout.js';
import { groupBy } from '../text/group-by.js';
import { markdownText } from '../text/markdown-text.js';
import { requirementRanges } from '../text/requirement-id.js';
import { changeKinds, type Change, type Comparison } from './compare-runs.js';

const longestText = 300;

/** What changed between two runs, for a terminal: a group for each kind of change, the most urgent first. */
export function comparisonText(comparison: Comparison, options: TextLayout): string {
  const told = printableDeep(comparison);
  const layout = layoutOf(options);
  /** What is said of several alike is said once, with their ids in ranges. */
  const linesOf = (changes: readonly Change[]): string[] => {
    const groups = groupBy(changes, ({ before, after, detail = '' }) =>
      `${before} → ${after}  ${clip(detail, longestText)}`.trimEnd(),
    );
    return [...groups].map(([text, group]) =>
      layout.paragraph('  ', `${layout.paint('bold', namesOf(group))}  ${text}`, 4),
    );
  };
  return logText([
    '',
    ...[...groupBy(told.changes, ({ kind }) => kind)].flatMap(([kind, group]) => [
      layout.paint(['bold', changeKinds[kind]], `${kind} (${group.length})`),
      ...linesOf(group),
      '',
    ]),
    ...conclusion(told).map((line) => layout.paragraph('', line)),
    '',
  ]);
}

function namesOf(changes: readonly Change[]): string {
  return requirementRanges(changes.map(({ name }) => name));
}

/** `1 broke, 2 fixed; 80 unchanged, 3 still missed.`, and what makes the exit code. */
function conclusion({ changes, unchanged, missed, code }: Comparison): string[] {
  const groups = [...groupBy(changes, ({ kind }) => kind)];
  const counted = groups.map(([kind, group]) => `${group.length} ${kind}`).join(', ');
  const reasons = groups.flatMap(([kind, group]) => {
    const own = group.filter((change) => change.code === code);
    return own.length > 0 ? [`${kind} ${namesOf(own)}`] : [];
  });
  return [
    `${counted || 'nothing changed'}; ${unchanged} unchanged${missed > 0 ? `, ${missed} still missed` : ''}.`,
    ...(code === 0 ? [] : [`Exit code ${code}: ${reasons.join('; ')}.`]),
  ];
}

/** The same for the page of a pull request; everything from the target is escaped. */
export function comparisonMarkdown(comparison: Comparison): string {
  const told = printableDeep(comparison);
  const rows = told.changes.map(({ kind, name, before, after, detail = '' }) =>
    [kind, name, `${before} → ${after}`, clip(detail, longestText)].map(markdownText),
  );
  return [
    '## Pet Store Service: what changed',
    ...conclusion(told).map(markdownText),
    ...(rows.length === 0 ? [] : [markdownTable([['Change', 'What', 'Before and after', 'Why'], ...rows])]),
  ]
    .join('\n\n')
    .concat('\n');
}
