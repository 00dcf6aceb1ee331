import { join } from 'node:path';
import { brokenChain } from '../../lib/evidence/record/read-exchanges.js';
import { serviceLog } from '../../lib/evidence/record/run-files.js';
import { NotRegular } from '../../lib/evidence/record/regular-file.js';
import { attestationFile } from '../attest/attestation.js';
import { describeFile, namesIn, readManifest } from '../manifest.js';
import { count } from '../text/quantity.js';
import { attention, contradicted, fine, note, notWhole, type Remark } from './remark.js';

/** Whether each line of the evidence follows the one before it: that holds for a killed run, too. */
async function checkChain(directory: string): Promise<Remark[]> {
  const broken = await brokenChain(join(directory, 'exchanges.jsonl')).catch(() => undefined);
  return broken === undefined
    ? []
    : [contradicted(`exchanges.jsonl: line ${broken.line} does not follow the line before it`)];
}

/** Whether the files of a run are those that its manifest describes. */
export async function checkFiles(directory: string): Promise<{ manifest: boolean; remarks: Remark[] }> {
  let manifest;
  try {
    manifest = await readManifest(directory);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { manifest: true, remarks: [contradicted(text)] };
  }
  if (!manifest) {
    const text =
      'There is no manifest.json: the run did not finish, or the file was removed. Nothing proves that the files are unchanged.';
    return { manifest: false, remarks: [notWhole(text), ...(await checkChain(directory))] };
  }
  const wrong: Remark[] = [];
  for (const { name, bytes, sha256 } of manifest.files) {
    const now = await describeFile(directory, name).catch((error: unknown) =>
      error instanceof NotRegular ? error : undefined,
    );
    if (now instanceof NotRegular) wrong.push(contradicted(`${name}: not a regular file, and not opened`));
    else if (!now) wrong.push(contradicted(`${name}: missing`));
    else if (now.bytes !== bytes || now.sha256 !== sha256)
      wrong.push(contradicted(`${name}: changed since the run ended`));
  }
  const names = manifest.files.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const lacking = ['exchanges.jsonl', 'report.json'].filter((name) => !names.includes(name));
  const added = (await namesIn(directory)).filter(
    (name) => !names.includes(name) && name !== attestationFile && name !== serviceLog,
  );
  const unchanged = `${names.length - wrong.length} of ${count(names.length, 'file')} are unchanged.`;
  return {
    manifest: true,
    remarks: [
      wrong.length === 0 ? fine(unchanged) : note(unchanged),
      ...wrong,
      ...(await checkChain(directory)),
      ...twice.map((name) => contradicted(`${name}: listed twice in manifest.json`)),
      ...lacking.map((name) => contradicted(`${name}: not listed in manifest.json`)),
      ...added.map((name) => attention(`${name}: not the run's, or added after it ended`)),
    ],
  };
}
