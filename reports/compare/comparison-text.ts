import { markdownTable } from 'markdown-table';
import { clip } from '../../lib/explain/clip.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import { layoutOf, type Layout, type TextLayout } from '../terminal/layout.js';
import { groupBy } from '../text/group-by.js';
import { markdownText } from '../text/markdown-text.js';
import { requirementRanges } from '../text/requirement-id.js';
import { changeKinds, comparisonExitCode, type Change, type Comparison } from './change.js';

/** Up to this number, similar changes are shown one by one. */
const fewAlike = 2;
const longestText = 300;

/** What changed between two runs, for a terminal: a group for each kind of change, the most urgent first. */
export function comparisonText(comparison: Comparison, options: TextLayout): string {
  const told = printableDeep(comparison);
  const layout = layoutOf(options);
  const groups = [...groupBy(told.changes, ({ kind }) => kind).values()];
  return logText([
    '',
    ...groups.flatMap((group) => [
      ...group
        .slice(0, 1)
        .map(({ kind }) => layout.paint(['bold', changeKinds[kind]], `${kind} (${group.length})`)),
      ...[
        ...groupBy(group, ({ before, after, detail = '' }) => `${before} ${after} ${detail}`).values(),
      ].flatMap((alike) => alikeLines(alike, layout)),
      '',
    ]),
    ...conclusion(told).map((line) => layout.paragraph('', line)),
    '',
  ]);
}

/** Changes that one sentence describes, with the ids in ranges. */
function alikeLines(group: readonly Change[], layout: Layout): string[] {
  const [first] = group;
  if (!first || group.length <= fewAlike) return group.flatMap((change) => changeLines(change, layout));
  const number = layout.paint('bold', String(group.length));
  return [
    layout.paragraph(
      '  ',
      `${number}  ${first.before} → ${first.after}  ${clip(first.detail ?? '', longestText)}`,
      6,
    ),
    layout.paragraph('      ', requirementRanges(group.map(({ name }) => name))),
  ];
}

function changeLines({ name, before, after, detail = '' }: Change, layout: Layout): string[] {
  const beginning = `  ${layout.paint('bold', name)}  `;
  return [
    layout.paragraph(
      beginning,
      `${before} → ${after}  ${clip(detail, longestText)}`.trimEnd(),
      name.length + 4,
    ),
  ];
}

/** `1 broke, 2 fixed; 80 unchanged, 3 still missed.`, and what makes the exit code. */
function conclusion(comparison: Comparison): string[] {
  const { changes, requirements } = comparison;
  const counted = [...groupBy(changes, ({ kind }) => kind)].map(([kind, group]) => `${group.length} ${kind}`);
  const unchanged = requirements && [
    `${requirements.unchanged} unchanged`,
    ...(requirements.missed > 0 ? [`${requirements.missed} still missed`] : []),
  ];
  const code = comparisonExitCode(comparison);
  const reasons = [
    ...groupBy(
      changes.filter((one) => one.code === code),
      ({ kind }) => kind,
    ),
  ].map(([kind, group]) => `${kind} ${requirementRanges(group.map(({ name }) => name))}`);
  const parts = [counted.join(', ') || 'nothing changed', ...(unchanged ? [unchanged.join(', ')] : [])];
  return [`${parts.join('; ')}.`, ...(code === 0 ? [] : [`Exit code ${code}: ${reasons.join('; ')}.`])];
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
