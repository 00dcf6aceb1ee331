import type { RequirementResult } from '../../lib/record/record.js';
import { changeKinds, type Change, type ChangeKind, type Comparison } from './compare-runs.js';
import { withoutLogCommand } from '../text/log-commands.js';
import { verdictInWords } from '../summary/not-judged.js';
import { clip, printableDeep } from '../text/printable.js';
import { requirementRanges } from '../text/requirement-id.js';
import { layoutOf, type Layout } from '../terminal/layout.js';

const colourOf = {
  broke: 'red',
  'newly judged': 'cyan',
  'no longer judged': 'yellow',
  fixed: 'green',
  'behaving otherwise': 'cyan',
} as const satisfies Record<ChangeKind, string>;

/** What changed between two runs, for a terminal: a group for each kind of change, the most urgent first. */
export function renderComparison(
  comparison: Comparison,
  options: { columns: number; colour: boolean },
): string {
  const { changes, circumstances, unchanged, bounds } = printableDeep(comparison);
  const layout = layoutOf(options);
  const groups = changeKinds.flatMap((kind) =>
    groupLines(
      kind,
      changes.filter((change) => change.kind === kind),
      layout,
    ),
  );
  return [
    '',
    ...circumstances.map(({ name, before, after }) =>
      layout.paragraph('Differs      ', `${name}: ${before} → ${after}`),
    ),
    ...(circumstances.length > 0 ? [''] : []),
    ...groups,
    ...bounds.map(({ kind, name, before, after }) =>
      layout.paragraph(`${layout.paint(['bold', colourOf[kind]], kind)}  `, `${name} ${before} → ${after}`),
    ),
    ...(bounds.length > 0 ? [''] : []),
    `${
      changes.length === 0
        ? bounds.length === 0
          ? 'Nothing changed'
          : 'No requirement changed'
        : changeKinds
            .map((kind) => count(kind, changes))
            .filter(Boolean)
            .join(', ')
    }; ${unchanged} unchanged`,
    '',
  ]
    .map(withoutLogCommand)
    .join('\n');
}

/** So many changes that are alike are told one by one. */
const fewAlike = 2;

function count(kind: ChangeKind, changes: readonly Change[]): string {
  const number = changes.filter((change) => change.kind === kind).length;
  return number === 0 ? '' : `${number} ${kind}`;
}

function groupLines(kind: ChangeKind, changes: readonly Change[], layout: Layout): string[] {
  if (changes.length === 0) return [];
  const heading = layout.paint(['bold', colourOf[kind]], `${kind} (${changes.length})`);
  return [heading, ...alike(changes).flatMap((group) => alikeLines(group, layout)), ''];
}

/** Changes that can be told in one sentence: the same verdicts, for the same reason, and no finding to tell. */
function alike(changes: readonly Change[]): Change[][] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const { id, before, after } = change;
    const plain = after?.findings.length === 0 && (after.reason !== undefined || after.verdict === 'pass');
    const key = plain ? `${verdictOf(before)} ${verdictOf(after)} ${after.reason ?? ''}` : id;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()];
}

function alikeLines(group: readonly Change[], layout: Layout): string[] {
  const [first] = group;
  if (!first || group.length <= fewAlike) return group.flatMap((change) => changeLines(change, layout));
  const ids = requirementRanges(group.map(({ id }) => id));
  const facts = `${verdictOf(first.before)} → ${verdictOf(first.after)}  ${first.after?.reason ?? ''}`;
  return [
    layout.paragraph('  ', `${layout.paint('bold', String(group.length))}  ${clip(facts, 300)}`, 6),
    layout.paragraph('    ', ids),
  ];
}

function changeLines(change: Change, layout: Layout): string[] {
  const { id, before, after } = change;
  const row = after ?? before;
  const facts = `${verdictOf(before)} → ${verdictOf(after)}`;
  const detail = explanation(change);
  return [
    layout.paragraph(
      `  ${layout.paint('bold', id)}  `,
      `${row?.level ?? ''}  ${facts}  ${row?.title ?? ''}`,
      id.length + 4,
    ),
    ...(detail === '' ? [] : [layout.paragraph('    ', clip(detail, 300))]),
  ];
}

function verdictOf(row: RequirementResult | undefined): string {
  if (!row) return 'unknown';
  return row.waived ? `${row.verdict} (waived)` : verdictInWords(row.verdict);
}

function explanation({ after, otherwise }: Change): string {
  const [finding] = after?.findings ?? [];
  if (finding) return finding.message;
  if (after?.reason !== undefined) return after.reason;
  if (!otherwise) return '';
  return `${otherwise.subject}: ${otherwise.before ?? 'not seen'} → ${otherwise.after ?? 'not seen'}`;
}
