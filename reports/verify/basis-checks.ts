import { createHash } from 'node:crypto';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { readRegular } from '../../lib/evidence/record/regular-file.js';
import { requirementRanges } from '../text/requirement-id.js';
import { applyWaivers } from '../waivers/waiver-outcome.js';
import { compareRecords } from './compare-records.js';
import { attention, contradicted, fine, type Remark } from './remark.js';

/** What was checked of something that stands in no exchange, and what could not be. */
interface Checked {
  readonly remarks: readonly Remark[];
  readonly notLookedAt: readonly string[];
}

const shortDigest = (digest: string): string => `sha256:${digest.slice(0, 12)}…`;

/** Whether the code that judges again is that of the run. */
export function checkCode({ suite }: RunRecord, digest: string | undefined, verify: string): Remark[] {
  if (suite.digest === undefined || digest === undefined || suite.digest === digest) return [];
  const text = `The run was made by other code of version ${suite.version} (${shortDigest(suite.digest)}) than this (${shortDigest(digest)}), which may judge otherwise; ${verify} runs the published one.`;
  return [attention(text)];
}

/**
 * Whether the waivers of a record are those of the file that was applied, if that file is there and as it was. Otherwise
 * they are the word of whoever gave them: a waiver stands in no exchange.
 */
export async function checkWaivers(record: RunRecord): Promise<Checked> {
  const waived = record.requirements.filter((row) => row.waived).map(({ id }) => id);
  const given = record.run.waivers;
  const [whose, were] = waived.length === 1 ? ['waiver of', 'was'] : ['waivers of', 'were'];
  const notLookedAt =
    waived.length === 0 ? [] : [`whether the ${whose} ${requirementRanges(waived)} ${were} given`];
  const text = given && (await readRegular(given.file).catch(() => undefined));
  if (!given || text === undefined) return { remarks: [], notLookedAt };
  const { file } = given;
  if (sha256(text) !== given.sha256)
    return { remarks: [attention(changed(file, given.sha256))], notLookedAt };
  const { parseWaivers } = await import('../waivers/read-waivers.js');
  const again = applyWaivers(record, parseWaivers(text, file), {
    now: new Date(record.run.finishedAt),
    file: given,
  });
  const isSame = compareRecords(record, again).differences.length === 0;
  const remark = isSame
    ? fine(`${file} is the file that the run used, and its waivers are those of the record.`)
    : contradicted(`${file} is the file that the run used, and it gives other waivers than the record has`);
  return { remarks: [remark], notLookedAt: [] };
}

/** Whether the interface description is still the file that the run compared. What is judged again is its recorded text. */
export async function checkDescription({ run }: RunRecord): Promise<Remark[]> {
  const { source, sha256: recorded } = run.options?.description ?? {};
  if (source === undefined || recorded === undefined || URL.canParse(source)) return [];
  const text = await readRegular(source).catch(() => undefined);
  return text === undefined || sha256(text) === recorded ? [] : [attention(changed(source, recorded))];
}

function changed(file: string, recorded: string): string {
  return `${file} is no longer the file that the run used (${shortDigest(recorded)}).`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
