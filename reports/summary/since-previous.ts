import type { RunRecord } from '../../lib/record/record.js';
import { moment } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';

/** What came out otherwise than in the previous run, by how; undefined if there was none, or nothing changed. */
export function sincePreviousSentence({ previous }: Pick<RunRecord, 'previous'>): string | undefined {
  if (!previous) return undefined;
  const { broke, fixed, otherwise } = previous;
  const changes = Object.entries({ broke, fixed, 'came out otherwise': otherwise });
  const texts = changes.flatMap(([how, ids]) =>
    ids.length > 0 ? [`${how}: ${requirementRanges(ids)}`] : [],
  );
  return texts.length === 0 ? undefined : `Since ${moment(previous.startedAt)} ${texts.join('; ')}.`;
}
