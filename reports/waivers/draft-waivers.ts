import { Document, isMap } from 'yaml';
import type { RunRecord } from '../../lib/record/record.js';
import { resultsWith } from '../summary/requirement-outcome.js';
import { clip, printable } from '../../lib/usage/printable.js';
import type { Waiver } from './read-waivers.js';

/** A record's ids are those of the catalogue, by its schema. */
type Drafted = Omit<Waiver, 'id'> & { id: string };

/** How long a drafted waiver holds unless its owner changes it. */
const daysToFix = 30;

const head = ` Waivers for known failures. Each needs a reason and an owner before it can be used; a waiver that expires
 (after its day "until", by UTC) or that no longer matches a failure fails the run.`;

/** A file of waivers to start from, in YAML: one for each failure of the run, its reason and owner still to be filled in. */
export function draftWaivers(record: RunRecord, { now }: { now: Date }): string {
  const until = new Date(now.getTime() + daysToFix * 86_400_000).toISOString().slice(0, 10);
  const failed = resultsWith(record, 'fail');
  const waivers = failed.map(
    ({ id }) => ({ id, target: record.target.name, reason: '', owner: '', until }) satisfies Drafted,
  );
  const document = new Document(waivers);
  document.commentBefore = head;
  for (const [index, row] of failed.entries()) {
    const node: unknown = document.getIn([index], true);
    const message = row.findings[0]?.message ?? row.title;
    if (isMap(node))
      node.commentBefore = ` ${row.level} ${printable(row.title)}: ${clip(printable(message), 160)}`;
  }
  return document.toString({ lineWidth: 0 });
}
