import { markdownTable } from 'markdown-table';
import { clip } from '../../lib/explain/clip.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import { layoutOf, type Layout, type TextLayout } from '../terminal/layout.js';
import { groupBy } from '../text/group-by.js';
import { markdownText } from '../text/markdown-text.js';
import { requirementRanges } from '../text/requirement-id.js';
import { changeKinds, comparisonExitCode, type Change, type Comparison } from './change.js';

const longestText = 300;

/** What changed between two runs, for a terminal: a group for each kind of change, the most urgent first. */
export function comparisonText(comparison: Comparison, options: TextLayout): string {
  const told = printableDeep(comparison);
  const layout = layoutOf(options);
  const groups = groupBy(told.changes, ({ kind }) => kind);
  return logText([
    '',
    ...[...groups].flatMap(([kind, group]) => [
      layout.paint(['bold', changeKinds[group[0]?.kind ?? 'equal']], `${kind} (${group.length})`),
      ...changeLines(group, layout),
      '',
    ]),
    ...conclusion(told).map((line) => layout.paragraph('', line)),
    '',
  ]);
}

/** What is said of several alike is said once, with their ids in ranges. */
function changeLines(changes: readonly Change[], layout: Layout): string[] {
  const groups = groupBy(changes, ({ before, after, detail = '' }) =>
    `${before} → ${after}  ${clip(detail, longestText)}`.trimEnd(),
  );
  return [...groups].map(([text, group]) => {
    const names = layout.paint('bold', namesOf(group));
    return layout.paragraph('  ', `${names}  ${text}`, 4);
  });
}

function namesOf(changes: readonly Change[]): string {
  return requirementRanges(changes.map(({ name }) => name));
}

/** `1 broke, 2 fixed; 80 unchanged, 3 still missed.`, and what makes the exit code. */
function conclusion({ changes, requirements }: Comparison): string[] {
  const groups = [...groupBy(changes, ({ kind }) => kind)];
  const counted = groups.map(([kind, group]) => `${group.length} ${kind}`).join(', ');
  const { unchanged, missed = 0 } = requirements ?? {};
  const rest = unchanged === undefined ? '' : `; ${unchanged} unchanged`;
  const code = comparisonExitCode({ changes });
  const reasons = groups.flatMap(([kind, group]) => {
    const own = group.filter((change) => change.code === code);
    return own.length > 0 ? [`${kind} ${namesOf(own)}`] : [];
  });
  return [
    `${counted || 'nothing changed'}${rest}${missed > 0 ? `, ${missed} still missed` : ''}.`,
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
