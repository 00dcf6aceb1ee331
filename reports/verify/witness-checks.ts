import { join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { readRegular } from '../../lib/evidence/record/regular-file.js';
import { attestationFile, attestationProblem } from '../attest/attestation.js';
import { manifestDigest, manifestResource } from '../manifest.js';
import { contradicted, fine, type Remark } from './remark.js';
import { errorCode } from '../../lib/explain/error-code.js';

/** What others have kept of a run, so that whoever changes its folder must change it, too. */
export interface Witnesses {
  /** SHA-256 of the manifest in hexadecimal, as the log of the run's job shows it. */
  readonly digest?: string | undefined;
  /** The public part of the key that signed the attestation. */
  readonly key?: KeyObject | undefined;
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
    const problem = await problemOf(directory, record, key);
    remarks.push(
      problem === undefined
        ? fine(`${attestationFile} is signed by this key, and says what the record says.`)
        : contradicted(`${attestationFile}: ${problem}.`),
    );
  }
  return remarks;
}

async function problemOf(directory: string, record: RunRecord, key: KeyObject): Promise<string | undefined> {
  try {
    const text = await readRegular(join(directory, attestationFile));
    return attestationProblem(text, record, await manifestResource(directory), key);
  } catch (error) {
    return `it can't be read (${errorCode(error)})`;
  }
}
