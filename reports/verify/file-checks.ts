import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { errorCode } from '../../lib/explain/error-code.js';
import { brokenChain } from '../../lib/evidence/record/read-exchanges.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { NotRegular, readRegular } from '../../lib/evidence/record/regular-file.js';
import { reportFiles, serviceLog } from '../../lib/evidence/record/run-files.js';
import { attestationFile, attestationProblem } from '../attest/attestation.js';
import type { FinishedRun } from '../finished-run.js';
import {
  describeFile,
  manifestDigest,
  manifestResource,
  namesIn,
  readManifest,
  type ManifestEntry,
} from '../manifest.js';
import type { Renderer } from '../renderer.js';
import { renderers } from '../renderers.js';
import { count } from '../text/quantity.js';
import { attention, contradicted, fine, note, notWhole, type Remark } from './remark.js';

/** Said of a folder that was no run's, or whose run did not end. */
export const noManifest = notWhole(
  'There is no manifest.json: the run did not finish, or the file was removed. Nothing proves that the files are unchanged.',
);

/** Whether the files of a run are those that its manifest describes, and the lines of its evidence follow each other. */
export async function checkFiles(directory: string): Promise<Remark[]> {
  // The lines of a killed run follow each other, too.
  const broken = await brokenChain(join(directory, 'exchanges.jsonl')).catch(() => undefined);
  const chain = broken
    ? [contradicted(`exchanges.jsonl: line ${broken.line} does not follow the line before it`)]
    : [];
  try {
    const manifest = await readManifest(directory);
    return [...(manifest ? await checkListed(directory, manifest.files) : [noManifest]), ...chain];
  } catch (error) {
    return [contradicted(error instanceof Error ? error.message : String(error)), ...chain];
  }
}

async function checkListed(directory: string, files: readonly ManifestEntry[]): Promise<Remark[]> {
  const wrong: Remark[] = [];
  for (const entry of files) wrong.push(...(await checkFile(directory, entry)));
  const names = files.map(({ name }) => name);
  const lacking = ['exchanges.jsonl', 'report.json'].filter((name) => !names.includes(name));
  const known = new Set([...names, attestationFile, serviceLog]);
  const added = (await namesIn(directory)).filter((name) => !known.has(name));
  const unchanged = `${names.length - wrong.length} of ${count(names.length, 'file')} are unchanged.`;
  return [
    wrong.length === 0 ? fine(unchanged) : note(unchanged),
    ...wrong,
    ...lacking.map((name) => contradicted(`${name}: not listed in manifest.json`)),
    ...added.map((name) => attention(`${name}: not covered by manifest.json`)),
  ];
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

/** Renders each report that the folder holds once more, and compares it byte by byte. */
export async function checkReports(run: FinishedRun): Promise<Remark[]> {
  const checked: [file: string, isSame: boolean][] = [];
  for (const { file, render } of Object.values<Renderer>(renderers)) {
    const found = await readRegular(join(run.directory, file)).catch(() => undefined);
    if (found !== undefined) checked.push([file, (await render(run)) === found]);
  }
  const same = checked.filter(([, isSame]) => isSame).length;
  const others = checked.flatMap(([file, isSame]) => (isSame ? [] : [file]));
  return [
    ...(same > 0 ? [fine(`${count(same, 'report')} rendered again, byte for byte the same.`)] : []),
    ...others.map((file) => contradicted(`${file}: another report than the record and the exchanges give`)),
  ];
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
  const isAttested = (await namesIn(directory)).includes(attestationFile);
  return [
    ...(digest === undefined ? [] : [await checkDigest(directory, digest)]),
    ...(key && record ? [await checkAttestation(directory, record, key)] : []),
    ...(!key && isAttested
      ? [attention(`${attestationFile} is there, and was not checked: add --key=FILE.pem.`)]
      : []),
  ];
}

async function checkDigest(directory: string, digest: string): Promise<Remark> {
  const now = await manifestDigest(directory).catch(() => 'of no file');
  return now === digest
    ? fine('manifest.json has the digest that was given.')
    : contradicted(`manifest.json has the digest ${now}, not the one that was given.`);
}

async function checkAttestation(directory: string, record: RunRecord, key: KeyObject): Promise<Remark> {
  try {
    const text = await readRegular(join(directory, attestationFile));
    const problem = attestationProblem(text, record, await manifestResource(directory), key);
    return problem === undefined
      ? fine(`${attestationFile} is signed by this key, and says what the record says.`)
      : contradicted(`${attestationFile}: ${problem}.`);
  } catch (error) {
    return contradicted(`${attestationFile}: it can't be read (${errorCode(error)}).`);
  }
}
