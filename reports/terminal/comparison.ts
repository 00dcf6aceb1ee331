import type { RequirementResult } from '../../lib/run/record.js';
import { changeKinds, type Change, type ChangeKind, type Comparison } from '../compare.js';
import { withoutLogCommand } from '../log-commands.js';
import { verdictInWords } from '../not-judged.js';
import { clip, printableDeep } from '../printable.js';
import { paperOf, type Paper } from './paper.js';

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
  const { changes, circumstances, unchanged } = printableDeep(comparison);
  const paper = paperOf(options);
  const groups = changeKinds.flatMap((kind) =>
    groupLines(
      kind,
      changes.filter((change) => change.kind === kind),
      paper,
    ),
  );
  return [
    '',
    ...circumstances.map(({ name, before, after }) =>
      paper.paragraph('Differs      ', `${name}: ${before} → ${after}`),
    ),
    ...(circumstances.length > 0 ? [''] : []),
    ...groups,
    `${
      changes.length === 0
        ? 'Nothing changed'
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

function count(kind: ChangeKind, changes: readonly Change[]): string {
  const number = changes.filter((change) => change.kind === kind).length;
  return number === 0 ? '' : `${number} ${kind}`;
}

function groupLines(kind: ChangeKind, changes: readonly Change[], paper: Paper): string[] {
  if (changes.length === 0) return [];
  const heading = paper.paint(['bold', colourOf[kind]], `${kind} (${changes.length})`);
  return [heading, ...changes.flatMap((change) => changeLines(change, paper)), ''];
}

function changeLines({ id, before, after }: Change, paper: Paper): string[] {
  const row = after ?? before;
  const facts = `${verdictOf(before)} → ${verdictOf(after)}`;
  const detail = explanation(before, after);
  return [
    paper.paragraph(
      `  ${paper.paint('bold', id)}  `,
      `${row?.level ?? ''}  ${facts}  ${row?.title ?? ''}`,
      id.length + 4,
    ),
    ...(detail === '' ? [] : [paper.paragraph('    ', clip(detail, 300))]),
  ];
}

function verdictOf(row: RequirementResult | undefined): string {
  if (!row) return 'unknown';
  return row.waived ? `${row.verdict} (waived)` : verdictInWords(row.verdict);
}

function explanation(before: RequirementResult | undefined, after: RequirementResult | undefined): string {
  const [finding] = after?.findings ?? [];
  if (finding) return finding.message;
  if (after?.reason !== undefined) return after.reason;
  return otherBehaviour(before, after);
}

/** Of what the specification leaves open, the first thing that the target does otherwise now. */
function otherBehaviour(before: RequirementResult | undefined, after: RequirementResult | undefined): string {
  const earlier = new Map((before?.observations ?? []).map(({ subject, behaviour }) => [subject, behaviour]));
  const changed = (after?.observations ?? []).find(
    ({ subject, behaviour }) => earlier.get(subject) !== behaviour,
  );
  return changed
    ? `${changed.subject}: ${earlier.get(changed.subject) ?? 'not seen'} → ${changed.behaviour}`
    : '';
}
