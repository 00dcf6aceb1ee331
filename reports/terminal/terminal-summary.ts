import type { RunRecord } from '../../lib/record/record.js';
import { classSummaries } from '../summary/class-summary.js';
import { verdictText, type NotJudgedGroup } from '../summary/not-judged.js';
import { outcomeTexts, tallyText } from '../summary/requirement-outcome.js';
import { outcomeOfVerdict } from '../summary/verdict-sentences.js';
import { clip } from '../../lib/explain/clip.js';
import { requirementRanges, requirementRuns } from '../text/requirement-id.js';
import type { Layout } from './layout.js';

/** Reasons shown on the terminal; a run that tested little has more, and the report has them all. */
const reasonsShown = 10;
/** Ranges of ids shown for one reason. */
const rangesShown = 8;

/** A line for each class: what was not judged stands beside what passed. */
export function classLines(record: RunRecord, { paint, paragraph }: Layout): string[] {
  const lines = classSummaries(record).map(({ id, verdict, counts, reason }) => {
    if (!verdict) return paint('dim', paragraph(id.padEnd(13), reason));
    const { colour } = outcomeTexts[outcomeOfVerdict[verdict]];
    const word = paint(colour === 'dim' ? 'yellow' : colour, verdict);
    return paragraph(id.padEnd(13), `${word}: ${tallyText(counts)}`);
  });
  return [...lines, ''];
}

/** What was not judged within the selected classes and why, grouped by reason. */
export function notJudgedLines(groups: readonly NotJudgedGroup[], layout: Layout, where: string): string[] {
  if (groups.length === 0) return [];
  const shown = groups.slice(0, groups.length > reasonsShown + 1 ? reasonsShown : undefined);
  const rest = groups.length - shown.length;
  return [
    layout.paint('bold', 'Not judged'),
    ...shown.map(({ verdict, reason, ids }) => {
      const beginning = `  ${String(ids.length).padStart(2)} ${verdictText(verdict)}  `.padEnd(21);
      // What the user left out needs no list of ids.
      const which = reason.startsWith('not selected') ? '' : ` ${layout.paint('dim', `(${someOf(ids)})`)}`;
      return layout.paragraph(beginning, `${clip(reason, 240)}${which}`);
    }),
    ...(rest > 0 ? [`  and ${rest} more reasons, ${where}`] : []),
    '',
  ];
}

/** Ids in ranges, as many as do not drown the rest. */
function someOf(ids: readonly string[]): string {
  const runs = requirementRuns(ids);
  const shown = runs.slice(0, runs.length > rangesShown + 1 ? rangesShown : undefined).flat();
  const rest = ids.length - shown.length;
  return `${requirementRanges(shown)}${rest > 0 ? ` and ${rest} more` : ''}`;
}
