import { markdownTable } from 'markdown-table';
import type { RequirementResult } from '../../lib/record/record.js';
import { clip } from '../../lib/usage/clip.js';
import { logText, printableDeep } from '../../lib/usage/printable.js';
import { verdictText } from '../summary/not-judged.js';
import { layoutOf, type Layout, type TextLayout } from '../terminal/layout.js';
import { groupBy } from '../text/group-by.js';
import { markdownText } from '../text/markdown-text.js';
import { requirementRanges } from '../text/requirement-id.js';
import { changeKinds, type Change, type ChangeKind, type Comparison } from './run-comparison.js';

const colours = {
  broke: 'red',
  'newly judged': 'cyan',
  'no longer judged': 'yellow',
  fixed: 'green',
} as const satisfies Record<ChangeKind, string>;

const longestText = 300;

/** What changed between two runs, for a terminal: a group for each kind of change, the most urgent first. */
export function comparisonText(comparison: Comparison, options: TextLayout): string {
  const { changes, facts } = printableDeep(comparison);
  const layout = layoutOf(options);
  const differs = facts.map(({ name, before, after }) =>
    layout.paragraph(`${layout.paint('bold', 'differs')}  `, `${name} ${before} → ${after}`, 9),
  );
  return logText([
    '',
    ...differs,
    ...(differs.length > 0 ? [''] : []),
    ...byKind(changes).flatMap(([kind, own]) => [
      layout.paint(['bold', colours[kind]], `${kind} (${own.length})`),
      ...[...groupBy(own, (change) => `${verdictsOf(change)} ${whyOf(change)}`).values()].flatMap((alike) =>
        alikeLines(alike, layout),
      ),
      '',
    ]),
    totalsText(comparison),
    '',
  ]);
}

/** Changes that came for one reason. */
function alikeLines(alike: readonly Change[], layout: Layout): string[] {
  const [first] = alike;
  if (!first) return [];
  const ids = requirementRanges(alike.map(({ id }) => id));
  const { level = '', title = '' } = first.after ?? first.before ?? {};
  const only = alike.length === 1;
  const why = whyOf(first);
  return [
    layout.paragraph(
      `  ${layout.paint('bold', ids)}  `,
      [...(only ? [level] : []), verdictsOf(first), ...(only ? [title] : [])].join('  '),
      only ? ids.length + 4 : 4,
    ),
    ...(why === '' ? [] : [layout.paragraph('    ', clip(why, longestText))]),
  ];
}

/** The same for the page of a pull request; everything from the target is escaped. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { changes, facts } = printableDeep(comparison);
  const rows = [
    ...byKind(changes).flatMap(([kind, own]) =>
      own.map((change) => [kind, change.id, verdictsOf(change), clip(whyOf(change), longestText)]),
    ),
    ...facts.map(({ name, before, after }) => ['differs', name, `${before} → ${after}`, '']),
  ].map((row) => row.map(markdownText));
  return [
    '## Pet Store Service: what changed',
    totalsText(comparison),
    ...(rows.length === 0 ? [] : [markdownTable([['Change', 'What', 'Verdicts', 'Why'], ...rows])]),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The changes by their kind, the most urgent first. */
function byKind(changes: readonly Change[]): [ChangeKind, Change[]][] {
  return changeKinds
    .map((kind): [ChangeKind, Change[]] => [kind, changes.filter((change) => change.kind === kind)])
    .filter(([, own]) => own.length > 0);
}

/** `1 broke, 2 fixed; 80 unchanged, 3 still missed`. */
function totalsText({ changes, unchanged, missed }: Comparison): string {
  const totals = byKind(changes).map(([kind, own]) => `${own.length} ${kind}`);
  const isNew = ({ after }: Change): boolean => after?.verdict === 'fail' || after?.verdict === 'warn';
  const still = missed - changes.filter(isNew).length;
  const stillMissed = still > 0 ? `, ${still} still missed` : '';
  return `${totals.join(', ') || 'Nothing changed'}; ${unchanged} unchanged${stillMissed}`;
}

function whyOf({ after }: Change): string {
  return after?.findings[0]?.message ?? after?.reason ?? '';
}

function verdictsOf({ before, after }: Change): string {
  return `${verdictOf(before)} → ${verdictOf(after)}`;
}

function verdictOf(result: RequirementResult | undefined): string {
  if (!result) return 'unknown';
  return result.waived ? `${result.verdict} (waived)` : verdictText(result.verdict);
}
