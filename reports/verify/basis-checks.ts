import { createHash } from 'node:crypto';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { readRegular } from '../../lib/evidence/record/regular-file.js';
import { requirementRanges } from '../text/requirement-id.js';
import { applyWaivers } from '../waivers/waiver-outcome.js';
import { recordDifferences } from './compare-records.js';
import { attention, contradicted, fine, note, type Remark } from './remark.js';

const shortDigest = (digest: string): string => `sha256:${digest.slice(0, 12)}…`;

/**
 * Whether the waivers of a record are those of the file that was applied, if that file is there and as it was. Otherwise
 * they are the word of whoever gave them: a waiver stands in no exchange.
 */
export async function checkWaivers(record: RunRecord): Promise<Remark[]> {
  const waived = record.requirements.filter((row) => row.waived).map(({ id }) => id);
  const unproved = note(`Not looked at: whether waivers were given for ${requirementRanges(waived)}.`);
  const given = record.run.waivers;
  const [changed, text = ''] = given ? await contentOf(given.file, given.sha256) : [[]];
  if (!given || text === '') return [...changed, ...(waived.length > 0 ? [unproved] : [])];
  const { parseWaivers } = await import('../waivers/read-waivers.js');
  const rules = { now: new Date(record.run.finishedAt), file: given };
  const again = applyWaivers(record, parseWaivers(text, given.file), rules);
  return [
    recordDifferences(record, again).length === 0
      ? fine(`${given.file} is the file that the run used, and its waivers are those of the record.`)
      : contradicted(
          `${given.file} is the file that the run used, and it gives other waivers than the record has`,
        ),
  ];
}

/** Whether the interface description is still the file that the run compared. What is judged again is its recorded text. */
export async function checkDescription({ run }: RunRecord): Promise<Remark[]> {
  const { source, sha256 } = run.options?.description ?? {};
  if (source === undefined || sha256 === undefined || URL.canParse(source)) return [];
  const [changed] = await contentOf(source, sha256);
  return changed;
}

/** The text of a file that a run used, if it is there and as it was then. */
async function contentOf(file: string, sha256 = ''): Promise<[changed: Remark[], text?: string]> {
  const text = await readRegular(file).catch(() => undefined);
  if (text === undefined) return [[]];
  if (createHash('sha256').update(text).digest('hex') === sha256) return [[], text];
  return [[attention(`${file} is no longer the file that the run used (${shortDigest(sha256)}).`)]];
}
