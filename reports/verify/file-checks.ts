import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { errorCode } from '../../lib/explain/error-code.js';
import { brokenChain } from '../../lib/evidence/record/read-exchanges.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { NotRegular, readRegular } from '../../lib/evidence/record/regular-file.js';
import { reportFiles, serviceLog } from '../../lib/evidence/record/run-files.js';
import { attestationFile, attestationProblem } from '../attest/attestation.js';
import {
  describeFile,
  manifestDigest,
  manifestResource,
  namesIn,
  readManifest,
  type ManifestEntry,
} from '../manifest.js';
import { count } from '../text/quantity.js';
import { attention, contradicted, fine, note, notWhole, type Remark } from './remark.js';

/** Whether the files of a run are those that its manifest describes. */
export async function checkFiles(directory: string): Promise<{ manifest: boolean; remarks: Remark[] }> {
  // Each line of the evidence follows the one before it: that holds for a killed run, too.
  const broken = await brokenChain(join(directory, 'exchanges.jsonl')).catch(() => undefined);
  const chain = broken
    ? [contradicted(`exchanges.jsonl: line ${broken.line} does not follow the line before it`)]
    : [];
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
    return { manifest: false, remarks: [notWhole(text), ...chain] };
  }
  const wrong: Remark[] = [];
  for (const entry of manifest.files) wrong.push(...(await checkFile(directory, entry)));
  const names = manifest.files.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const lacking = ['exchanges.jsonl', 'report.json'].filter((name) => !names.includes(name));
  const known = new Set([...names, attestationFile, serviceLog]);
  const added = (await namesIn(directory)).filter((name) => !known.has(name));
  const unchanged = `${names.length - wrong.length} of ${count(names.length, 'file')} are unchanged.`;
  return {
    manifest: true,
    remarks: [
      wrong.length === 0 ? fine(unchanged) : note(unchanged),
      ...wrong,
      ...chain,
      ...twice.map((name) => contradicted(`${name}: listed twice in manifest.json`)),
      ...lacking.map((name) => contradicted(`${name}: not listed in manifest.json`)),
      ...added.map((name) => attention(`${name}: not covered by manifest.json`)),
    ],
  };
}

/** A report follows from the record and the evidence: it may be lost, or made again. */
async function checkFile(directory: string, { name, bytes, sha256 }: ManifestEntry): Promise<Remark[]> {
  const isReport = reportFiles.some((report) => report === name);
  try {
    const now = await describeFile(directory, name);
    if (now.bytes === bytes && now.sha256 === sha256) return [];
    const text = `${name}: changed since the run ended`;
    return [isReport ? attention(text) : contradicted(text)];
  } catch (error) {
    if (error instanceof NotRegular) return [contradicted(`${name}: not a regular file, and not opened`)];
    return [isReport ? notWhole(`${name}: lost`) : contradicted(`${name}: missing`)];
  }
}

/** What others have kept of a run, so that whoever changes its folder must change it, too. */
export interface Witnesses {
  /** SHA-256 of the manifest in hexadecimal, as the log of the run's job shows it. */
  readonly digest?: string | undefined;
  /** The public part of the key that signed the attestation. */
  readonly key?: KeyObject | undefined;
  /** The file of the user's own requirements. */
  readonly rules?: string | undefined;
}

/** Whether the folder is the one that its witnesses saw. */
export async function checkWitnesses(
  directory: string,
  record: RunRecord | undefined,
  { digest, key }: Witnesses,
): Promise<Remark[]> {
  const remarks: Remark[] = [];
  if (digest !== undefined) {
    const now = await manifestDigest(directory).catch(() => undefined);
    remarks.push(
      now === digest
        ? fine('manifest.json has the digest that was given.')
        : contradicted(`manifest.json has the digest ${now ?? 'of no file'}, not the one that was given.`),
    );
  }
  if (key !== undefined && record !== undefined) {
    const problem = await attestationWrong(directory, record, key);
    remarks.push(
      problem === undefined
        ? fine(`${attestationFile} is signed by this key, and says what the record says.`)
        : contradicted(`${attestationFile}: ${problem}.`),
    );
  } else if ((await namesIn(directory)).includes(attestationFile)) {
    remarks.push(attention(`${attestationFile} is there, and was not checked: add --key=FILE.pem.`));
  }
  return remarks;
}

async function attestationWrong(
  directory: string,
  record: RunRecord,
  key: KeyObject,
): Promise<string | undefined> {
  try {
    const text = await readRegular(join(directory, attestationFile));
    return attestationProblem(text, record, await manifestResource(directory), key);
  } catch (error) {
    return `it can't be read (${errorCode(error)})`;
  }
}
