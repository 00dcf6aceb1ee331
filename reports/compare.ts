import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord, RequirementResult } from '../lib/evidence/record/record.js';
import { clip } from '../lib/explain/clip.js';
import { logText, printableDeep } from '../lib/explain/printable.js';
import { foldersOfRuns, readFinishedRun } from './finished-run.js';
import { markdownPage } from './github.js';
import { isLoad } from './summary/measurements.js';
import { isNotJudged, verdictText } from './summary/outcomes.js';
import { unnamedTarget } from './summary/verdict-sentences.js';
import { layoutOf, plainLayout, type Layout, type TextLayout } from './terminal/layout.js';
import { groupBy, requirementRanges } from './text.js';

/** What can have changed between two runs, the most urgent first. */
const changeKinds = {
  broke: 'red',
  'newly failed': 'red',
  'no longer judged': 'yellow',
  'newly judged': 'cyan',
  fixed: 'green',
} as const;
export type ChangeKind = keyof typeof changeKinds;

type Comparison = ReturnType<typeof compareRuns>;
type Row = RequirementResult | undefined;

/** What changed from one run to another, the most urgent first. */
export function compareRuns(before: RunRecord, after: RunRecord) {
  const [was, is] = [before, after].map(
    ({ requirements }) => new Map(requirements.map((row) => [row.id, row])),
  );
  const ids = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])];
  const changes = ids.flatMap((id) => changeOf(id, was?.get(id), is?.get(id)) ?? []);
  const order = Object.keys(changeKinds);
  const codes = new Set(changes.map(({ code }) => code));
  return {
    changes: changes.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind)),
    unchanged: ids.length - changes.length,
    code: codes.has(1) ? 1 : codes.has(3) ? 3 : 0,
  } as const;
}

/** Strictness and waivers change what a failure means, not what the target does. */
function judgementOf(row: Row): 'met' | 'not met' | 'not judged' {
  if (!row || isNotJudged(row.verdict)) return 'not judged';
  return row.verdict === 'fail' || row.verdict === 'warn' ? 'not met' : 'met';
}

/** How a requirement differs between two runs. The exit code is 1 for a break, 3 for a MUST that is no longer judged. */
function changeOf(id: string, was: Row, is: Row) {
  const [before, after] = [judgementOf(was), judgementOf(is)];
  if (before === after) return undefined;
  const change = (kind: ChangeKind, code: 0 | 1 | 3 = 0) => {
    const [old, recent] = [was, is].map((row) =>
      row ? `${verdictText(row.verdict)}${row.waived ? ' (waived)' : ''}` : 'unknown',
    );
    const detail = is?.findings[0]?.message ?? is?.reason ?? is?.title ?? '';
    return { kind, id, verdicts: `${old} → ${recent}`, detail, code };
  };
  const failure = is?.waived ? 0 : 1;
  if (after === 'not judged') return change('no longer judged', was?.level === 'MUST' ? 3 : 0);
  if (before !== 'not judged') return after === 'met' ? change('fixed') : change('broke', failure);
  // A SHOULD that is judged for the first time, and warns, is not a failure.
  return is?.verdict === 'fail' ? change('newly failed', failure) : change('newly judged');
}

export function comparisonText(comparison: Comparison, options: TextLayout): string {
  return logText(['', ...linesOf(comparison, layoutOf(options)), '']);
}

/** The same for the page of a pull request. */
export function comparisonMarkdown(comparison: Comparison): string {
  return markdownPage('Pet Store Service: what changed', linesOf(comparison, plainLayout).join('\n'));
}

const longestDetail = 300;

function linesOf(comparison: Comparison, layout: Layout): string[] {
  const { changes, unchanged, code } = printableDeep(comparison);
  const groups = [...groupBy(changes, ({ kind }) => kind)];
  const idsOf = (some: Comparison['changes']): string => requirementRanges(some.map(({ id }) => id));
  const counted = groups.map(([kind, group]) => `${group.length} ${kind}`).join(', ');
  const reasons = groups.flatMap(([kind, group]) => {
    const own = idsOf(group.filter((change) => change.code === code));
    return own === '' ? [] : `${kind} ${own}`;
  });
  return [
    ...groups.flatMap(([kind, group]) => {
      // What is said of several alike is said once.
      const alike = groupBy(group, ({ verdicts, detail }) =>
        `${verdicts}  ${clip(detail, longestDetail)}`.trimEnd(),
      );
      return [
        layout.paint(['bold', changeKinds[kind]], `${kind} (${group.length})`),
        ...[...alike].map(([text, own]) =>
          layout.paragraph('  ', `${layout.paint('bold', idsOf(own))}  ${text}`, 4),
        ),
        '',
      ];
    }),
    layout.paragraph('', `${counted || 'nothing changed'}; ${unchanged} unchanged.`),
    ...(code === 0 ? [] : [layout.paragraph('', `Exit code ${code}: ${reasons.join('; ')}.`)]),
  ];
}

/** Runs beside this one that are read, the latest ones: a folder may hold those of many targets. */
const mostRead = 20;

/** The record with what changed since the last like it beside it: reports stay the same when that folder is gone. */
export async function withPreviousRun(record: RunRecord, directory: string): Promise<RunRecord> {
  const before = await previousOf(record, resolve(directory));
  if (!before) return record;
  // What one of them did not try, or does not know, is no news.
  const changes = compareRuns(before, record).changes.filter(
    ({ verdicts }) => !/not tested|unknown/u.test(verdicts),
  );
  const { id, startedAt } = before.run;
  const idsOf = (...kinds: readonly ChangeKind[]): string[] =>
    changes.filter(({ kind }) => kinds.includes(kind)).map((one) => one.id);
  const otherwise = idsOf('newly failed', 'newly judged', 'no longer judged');
  return { ...record, previous: { id, startedAt, broke: idsOf('broke'), fixed: idsOf('fixed'), otherwise } };
}

/** The last run that tested the same target with the same options, earlier, and came to its end. */
async function previousOf(record: RunRecord, own: string): Promise<RunRecord | undefined> {
  const others = (await foldersOfRuns(dirname(own))).filter((folder) => folder !== own);
  // The one that was written last comes first.
  for (const folder of others.slice(0, mostRead)) {
    const { record: before } = (await readFinishedRun(folder).catch(() => undefined)) ?? {};
    if (!before?.run.complete || isLoad(before) || before.run.startedAt >= record.run.startedAt) continue;
    if (isDeepStrictEqual(testOf(before), testOf(record))) return before;
  }
  return undefined;
}

/** What was tested, and how. A target without a name is known by its address. */
function testOf({ target, run }: RunRecord): unknown[] {
  const { only = [], except = [], description } = run.options ?? {};
  return [
    target.name === unnamedTarget ? target.baseUrl : target.name,
    [target.plan, target.planGiven ?? true, target.readOnly],
    [run.profile, run.limits, run.strict ?? false],
    [only, except, description?.source],
  ];
}
