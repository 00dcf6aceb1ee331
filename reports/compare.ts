import type { RunRecord } from '../lib/evidence/record/record.js';
import type { RequirementResult } from '../lib/evidence/record/requirement-result.js';
import { clip } from '../lib/explain/clip.js';
import { logText, printableDeep } from '../lib/explain/printable.js';
import { markdownPage } from './markdown.js';
import { isNotJudged, verdictText } from './summary/outcomes.js';
import { runFacts } from './summary/run-facts.js';
import { layoutOf, plainLayout, type Layout, type TextLayout } from './terminal/layout.js';
import { groupBy, requirementRanges } from './text.js';

/** What can have changed between two runs, the most urgent first. The last one is no change of the service. */
const changeKinds = {
  broke: 'red',
  'newly failed': 'red',
  'no longer judged': 'yellow',
  'newly judged': 'cyan',
  fixed: 'green',
  differs: 'dim',
} as const;
export type ChangeKind = keyof typeof changeKinds;

/** Something that differs between two runs: a requirement, or a fact that may be the reason. */
interface Change {
  readonly kind: ChangeKind;
  /** The id of a requirement, or the name of the fact. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** Why. */
  readonly detail?: string | undefined;
  /** What it makes the exit code: 1 for a break, 3 for a MUST that is no longer judged. */
  readonly code: 0 | 1 | 3;
}

type Comparison = ReturnType<typeof compareRuns>;

/** What changed from one run to another, the most urgent first. */
export function compareRuns(before: RunRecord, after: RunRecord) {
  const [earlier, later] = [before, after].map(
    ({ requirements }) => new Map(requirements.map((row) => [row.id, row])),
  );
  const ids = [...new Set([...(earlier?.keys() ?? []), ...(later?.keys() ?? [])])];
  const changed = ids.flatMap((id) => changeOf(id, earlier?.get(id), later?.get(id)) ?? []);
  const unchanged = ids.filter((id) => !changed.some(({ name }) => name === id));
  const rank = ({ kind }: Change): number => Object.keys(changeKinds).indexOf(kind);
  const codes = new Set(changed.map(({ code }) => code));
  return {
    changes: [...changed, ...factChanges(before, after)].toSorted((one, other) => rank(one) - rank(other)),
    unchanged: unchanged.length,
    /** How many of these are not met. */
    missed: unchanged.filter((id) => judgementOf(later?.get(id)) === 'not met').length,
    code: codes.has(1) ? 1 : codes.has(3) ? 3 : 0,
  } as const;
}

/** A requirement of a run; a run may not know it. */
type Row = RequirementResult | undefined;

/** Strictness and waivers change what a failure means, not what the target does. */
function judgementOf(row: Row): 'met' | 'not met' | 'not judged' {
  if (!row || isNotJudged(row.verdict)) return 'not judged';
  return row.verdict === 'fail' || row.verdict === 'warn' ? 'not met' : 'met';
}

function changeOf(name: string, was: Row, is: Row): Change | undefined {
  const [before, after] = [judgementOf(was), judgementOf(is)];
  if (before === after) return undefined;
  const textOf = (row: Row): string =>
    row ? `${verdictText(row.verdict)}${row.waived ? ' (waived)' : ''}` : 'unknown';
  const change = (kind: ChangeKind, code: Change['code'] = 0): Change => {
    const detail = is && (is.findings[0]?.message ?? is.reason ?? is.title);
    return { kind, name, before: textOf(was), after: textOf(is), detail, code };
  };
  const failure = is?.waived ? 0 : 1;
  if (after === 'not judged') return change('no longer judged', was?.level === 'MUST' ? 3 : 0);
  if (before !== 'not judged') return after === 'met' ? change('fixed') : change('broke', failure);
  // A SHOULD that is judged for the first time, and warns, is not a failure.
  return is?.verdict === 'fail' ? change('newly failed', failure) : change('newly judged');
}

/** Facts of the runs that may be the reason of other changes. */
function factChanges(before: RunRecord, after: RunRecord): Change[] {
  const [old, recent] = [new Map(runFacts(before)), new Map(runFacts(after))];
  return ['Target', 'Plan', 'Suite', 'Profile', 'Limits', 'Waivers', 'Description']
    .map((name) => ({ name, before: old.get(name) ?? 'none', after: recent.get(name) ?? 'none' }))
    .filter((fact) => fact.before !== fact.after)
    .map((fact) => ({ ...fact, kind: 'differs', name: fact.name.toLowerCase(), code: 0 }));
}

const longestText = 300;

/** What changed between two runs, for a terminal: a group for each kind of change, the most urgent first. */
export function comparisonText(comparison: Comparison, options: TextLayout): string {
  return logText(['', ...linesOf(comparison, layoutOf(options)), '']);
}

/** The same for the page of a pull request. */
export function comparisonMarkdown(comparison: Comparison): string {
  return markdownPage('Pet Store Service: what changed', linesOf(comparison, plainLayout).join('\n'));
}

function linesOf(comparison: Comparison, layout: Layout): string[] {
  const { changes, unchanged, missed, code } = printableDeep(comparison);
  const groups = [...groupBy(changes, ({ kind }) => kind)];
  const counted = groups.map(([kind, group]) => `${group.length} ${kind}`).join(', ');
  const stillNotMet = missed > 0 ? `, ${missed} of them still failing or warning` : '';
  const reasons = groups.flatMap(([kind, group]) => {
    const own = group.filter((change) => change.code === code);
    return own.length > 0 ? [`${kind} ${namesOf(own)}`] : [];
  });
  return [
    ...groups.flatMap(([kind, group]) => [
      layout.paint(['bold', changeKinds[kind]], `${kind} (${group.length})`),
      ...changeLines(group, layout),
      '',
    ]),
    layout.paragraph('', `${counted || 'nothing changed'}; ${unchanged} unchanged${stillNotMet}.`),
    ...(code === 0 ? [] : [layout.paragraph('', `Exit code ${code}: ${reasons.join('; ')}.`)]),
  ];
}

/** What is said of several alike is said once, with their ids in ranges. */
function changeLines(changes: readonly Change[], layout: Layout): string[] {
  const groups = groupBy(changes, ({ before, after, detail = '' }) =>
    `${before} → ${after}  ${clip(detail, longestText)}`.trimEnd(),
  );
  return [...groups].map(([text, group]) =>
    layout.paragraph('  ', `${layout.paint('bold', namesOf(group))}  ${text}`, 4),
  );
}

function namesOf(changes: readonly Change[]): string {
  return requirementRanges(changes.map(({ name }) => name));
}
