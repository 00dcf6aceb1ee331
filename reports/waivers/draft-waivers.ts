import { Document, isMap } from 'yaml';
import type { RequirementResult, RunRecord } from '../../lib/record/record.js';
import { resultsWith } from '../summary/requirement-outcome.js';
import { clip } from '../../lib/usage/clip.js';
import { printable } from '../../lib/usage/printable.js';
import type { Waiver } from './read-waivers.js';
import { isOfTarget } from './waiver-outcome.js';

/** A record's ids are those of the catalogue, by its schema. */
type Drafted = Omit<Waiver, 'id'> & { id: string };

/** How long a drafted waiver holds unless its owner changes it. */
const daysToFix = 30;

const head = ` Waivers for known failures. Each needs a reason and an owner before it can be used; a waiver that expires
 (after its day "until", by UTC) or that no longer matches a failure fails the run.`;

/**
 * A file of waivers to start from, in YAML: one for each failure of the run, its reason and owner still to be filled in. What
 * earlier waivers of the target say is kept; those of what fails no longer are left out, and those of others stay.
 */
export function draftWaivers(
  record: RunRecord,
  { now, earlier = [] }: { now: Date; earlier?: readonly Waiver[] },
): string {
  const until = new Date(now.getTime() + daysToFix * 86_400_000).toISOString().slice(0, 10);
  const rows = new Map(record.requirements.map((row) => [row.id, row]));
  const kept = earlier.filter((waiver) => isNeeded(waiver, record, rows.get(waiver.id)));
  const waived = new Set(kept.filter((one) => isOfTarget(one, record)).map(({ id }): string => id));
  const added = resultsWith(record, 'fail')
    .filter(({ id }) => !waived.has(id))
    .map(({ id }) => ({ id, target: record.target.name, reason: '', owner: '', until }) satisfies Drafted);
  const waivers: readonly Drafted[] = [...kept, ...added];
  const document = new Document(waivers);
  document.commentBefore = head;
  for (const [index, { id }] of waivers.entries()) {
    const node: unknown = document.getIn([index], true);
    const row = rows.get(id);
    if (row && isMap(node))
      node.commentBefore = ` ${row.level} ${printable(row.title)}: ${clip(printable(row.findings[0]?.message ?? row.title), 160)}`;
  }
  return document.toString({ lineWidth: 0 });
}

/** A waiver of another target, or of what this run did not judge, may be needed elsewhere. */
function isNeeded(waiver: Waiver, record: RunRecord, row: RequirementResult | undefined): boolean {
  const isMet = row?.verdict === 'pass' || row?.verdict === 'not-applicable';
  return !isOfTarget(waiver, record) || !isMet;
}
