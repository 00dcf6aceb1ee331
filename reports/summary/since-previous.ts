import type { RunRecord } from '../../lib/record/record.js';
import { moment } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';

/** What came out otherwise than in the previous run, by how: only what is not empty. */
export function changesSince({
  broke,
  fixed,
  otherwise,
}: NonNullable<RunRecord['previous']>): [how: string, ids: readonly string[]][] {
  const all: [how: string, ids: readonly string[]][] = [
    ['broke', broke],
    ['fixed', fixed],
    ['came out otherwise', otherwise],
  ];
  return all.filter(([, ids]) => ids.length > 0);
}

/** The same in a sentence; undefined if there was no previous run, or nothing changed. */
export function sincePreviousSentence({ previous }: Pick<RunRecord, 'previous'>): string | undefined {
  const changes = previous ? changesSince(previous) : [];
  if (!previous || changes.length === 0) return undefined;
  const texts = changes.map(([how, ids]) => `${how}: ${requirementRanges(ids)}`);
  return `Since ${moment(previous.startedAt)} ${texts.join('; ')}.`;
}
