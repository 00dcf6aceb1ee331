import { clip } from '../../lib/explain/clip.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import { layoutOf, plainLayout, type Layout, type TextLayout } from '../terminal/layout.js';
import { groupBy, requirementRanges } from '../text.js';
import { markdownPage } from '../markdown.js';
import { changeKinds, type Change, type Comparison } from './compare-runs.js';

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
