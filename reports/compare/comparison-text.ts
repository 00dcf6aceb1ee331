import type { RequirementResult } from '../../lib/record/record.js';
import { verdictText } from '../summary/not-judged.js';
import { layoutOf, type Layout, type TextLayout } from '../terminal/layout.js';
import { groupBy } from '../text/group-by.js';
import { clip } from '../../lib/explain/clip.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import { count } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import { percent, type LoadComparison, type MeasureChange } from './load-comparison.js';
import { changeKinds, type Change, type ChangeKind, type Comparison } from './run-comparison.js';
import { markdownTable } from 'markdown-table';
import { markdownText } from '../text/markdown-text.js';

const colourOf = {
  broke: 'red',
  'newly judged': 'cyan',
  'no longer judged': 'yellow',
  fixed: 'green',
  'behaves differently': 'cyan',
  differs: 'dim',
  worse: 'red',
  better: 'green',
  equal: 'dim',
} as const satisfies Record<ChangeKind | MeasureChange['kind'] | 'differs', string>;

/** Up to this number, similar changes are shown one by one. */
const fewAlike = 2;
const longestText = 300;

const runHead = ['Change', 'What', 'Verdicts', 'Why'];
const loadHead = ['Change', 'What', 'Before and after', 'Difference'];

/** What changed between two runs, for a terminal: a group for each kind of change, the most urgent first. */
export function comparisonText(comparison: Comparison, options: TextLayout): string {
  const { changes, facts, bounds, load } = printableDeep(comparison);
  const layout = layoutOf(options);
  const groups = groupsOf(changes);
  const others = [...facts, ...bounds].map(({ kind, name, before, after }) =>
    layout.paragraph(
      `${layout.paint(['bold', colourOf[kind]], kind)}  `,
      `${name} ${before} → ${after}`,
      kind.length + 2,
    ),
  );
  const measures = (load?.measures ?? []).map(
    ({ kind, name, before, after, difference }) =>
      `${layout.paint(['bold', colourOf[kind]], kind.padEnd(6))}  ${name.padEnd(12)}  ${before} → ${after} (${difference})`,
  );
  return logText([
    '',
    ...others,
    ...(others.length > 0 ? [''] : []),
    ...measures,
    ...(measures.length > 0 ? [''] : []),
    ...groups.flatMap(([kind, group]) => [
      layout.paint(['bold', group[0] ? colourOf[group[0].kind] : 'dim'], `${kind} (${group.length})`),
      ...[...groupBy(group, likeness)].flatMap(([, alike]) => alikeLines(alike, layout)),
      '',
    ]),
    totalsText(comparison),
    '',
  ]);
}

/** The changes by their kind, the most urgent first. */
function groupsOf(changes: readonly Change[]) {
  return [...groupBy(changes, ({ kind }) => kind)].toSorted(([one], [other]) => rankOf(one) - rankOf(other));
}

/** `1 broke, 2 fixed; 80 unchanged, 3 still missed`. */
function totalsText({ changes, bounds, load, unchanged, missed }: Comparison): string {
  if (load) return loadTotals(load);
  const nothing = bounds.length === 0 ? 'Nothing changed' : 'No requirement changed';
  const totals = groupsOf(changes).map(([kind, group]) => `${group.length} ${kind}`);
  const isNew = ({ kind, after }: Change): boolean =>
    (kind === 'broke' || kind === 'newly judged') && (after?.verdict === 'fail' || after?.verdict === 'warn');
  const still = missed - changes.filter(isNew).length;
  const stillMissed = still > 0 ? `, ${still} still missed` : '';
  return `${totals.join(', ') || nothing}; ${unchanged} unchanged${stillMissed}`;
}

/** `1 figure got worse by more than 10 % (latency p99 +37 %), 0 got better, 7 within the tolerance`. */
function loadTotals({ tolerance, measures }: LoadComparison): string {
  const of = (wanted: MeasureChange['kind']): MeasureChange[] =>
    measures.filter(({ kind }) => kind === wanted);
  const worse = of('worse');
  const which = worse.map(({ name, difference }) => `${name} ${difference}`).join(', ');
  return [
    `${count(worse.length, 'figure')} got worse by more than ${percent(tolerance)}${which && ` (${which})`}`,
    `${of('better').length} got better`,
    `${of('equal').length} within the tolerance`,
  ].join(', ');
}

/** The same for the page of a pull request; everything from the target is escaped. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { changes, facts, bounds, load } = printableDeep(comparison);
  const rows = groupsOf(changes).flatMap(([kind, group]) =>
    group.map(({ id, before, after, behaviour }) => [
      kind,
      id,
      `${verdictOf(before)} → ${verdictOf(after)}`,
      clip(after?.findings[0]?.message ?? after?.reason ?? behaviour ?? '', longestText),
    ]),
  );
  const others = [...facts, ...bounds].map(({ kind, name, before, after }) => [
    kind,
    name,
    `${before} → ${after}`,
    '',
  ]);
  const measures = (load?.measures ?? []).map(({ kind, name, before, after, difference }) => [
    kind,
    name,
    `${before} → ${after}`,
    difference,
  ]);
  const cells = [...rows, ...others, ...measures].map((row) => row.map((cell) => markdownText(cell)));
  return [
    '## Pet Store Service: what changed',
    totalsText(comparison),
    ...(cells.length === 0 ? [] : [markdownTable([load ? loadHead : runHead, ...cells])]),
  ]
    .join('\n\n')
    .concat('\n');
}

function rankOf(kind: string): number {
  return changeKinds.findIndex((known) => known === kind);
}

/** Changes that one sentence describes have one key: the same verdicts, for the same reason, and no finding. */
function likeness({ id, before, after }: Change): string {
  const plain = after?.findings.length === 0 && (after.reason !== undefined || after.verdict === 'pass');
  return plain ? `${verdictOf(before)} ${verdictOf(after)} ${after.reason ?? ''}` : id;
}

function alikeLines(group: readonly Change[], layout: Layout): string[] {
  const [first] = group;
  if (!first || group.length <= fewAlike) return group.flatMap((change) => changeLines(change, layout));
  const facts = `${verdictOf(first.before)} → ${verdictOf(first.after)}  ${first.after?.reason ?? ''}`;
  const number = layout.paint('bold', String(group.length));
  return [
    layout.paragraph('  ', `${number}  ${clip(facts, longestText)}`, 6),
    layout.paragraph('      ', requirementRanges(group.map(({ id }) => id))),
  ];
}

function changeLines({ id, before, after, behaviour }: Change, layout: Layout): string[] {
  const result = after ?? before;
  const facts = `${result?.level ?? ''}  ${verdictOf(before)} → ${verdictOf(after)}  ${result?.title ?? ''}`;
  const detail = after?.findings[0]?.message ?? after?.reason ?? behaviour;
  return [
    layout.paragraph(`  ${layout.paint('bold', id)}  `, facts, id.length + 4),
    ...(detail === undefined ? [] : [layout.paragraph('    ', clip(detail, longestText))]),
  ];
}

function verdictOf(result: RequirementResult | undefined): string {
  if (!result) return 'unknown';
  return result.waived ? `${result.verdict} (waived)` : verdictText(result.verdict);
}
