import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { readRegular } from '../../lib/evidence/record/regular-file.js';
import { errorCode } from '../../lib/explain/error-code.js';
import { attestationFile, attestationProblem } from '../attest/attestation.js';
import { manifestDigest, namesIn } from '../manifest.js';
import type { Remark } from './remark.js';

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
  const now = await manifestDigest(directory).catch(() => 'of no file');
  const remarks: Remark[] = [];
  if (digest !== undefined)
    remarks.push(
      now === digest
        ? { mark: '✓', text: 'manifest.json has the digest that was given.' }
        : { mark: '✗', text: `manifest.json has the digest ${now}, not the one that was given.` },
    );
  if (key && record) {
    const problem = await readRegular(join(directory, attestationFile)).then(
      (text) => attestationProblem(text, record, now, key),
      (error: unknown) => `it can't be read (${errorCode(error)})`,
    );
    remarks.push(
      problem === undefined
        ? { mark: '✓', text: `${attestationFile} is signed by this key, and says what the record says.` }
        : { mark: '✗', text: `${attestationFile}: ${problem}.` },
    );
  }
  if (!key && (await namesIn(directory)).includes(attestationFile))
    remarks.push({
      mark: '!',
      text: `${attestationFile} is there, and was not checked: add --key=FILE.pem.`,
    });
  return remarks;
}
