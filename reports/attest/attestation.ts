import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { readAs } from '../../lib/options/option.js';
import { UsageProblem } from '../../lib/explain/usage-problem.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { envelopeOf, envelopeSchema, signedText } from './envelope.js';
import { statementOf, type Resource } from './statement.js';
import { errorCode } from '../../lib/explain/error-code.js';
import { jsonOf } from '../../lib/evidence/record/record-text.js';

export const attestationFile = 'attestation.json';

/** `petstore:1.4@sha256:…`: what the run was a test of, such as an image. */
export const subject = readAs((text): Resource | undefined => {
  const [, name, sha256] = /^(.+)@sha256:([0-9a-f]{64})$/u.exec(text) ?? [];
  return name === undefined || sha256 === undefined ? undefined : { name, digest: { sha256 } };
}, 'must be NAME@sha256: and 64 hexadecimal digits');

/**
 * The attestation of a run as a text: a DSSE envelope if there is a key to sign with, otherwise the statement alone, for
 * tools that sign it (`cosign attest-blob --statement`).
 */
export function attestationOf(
  record: RunRecord,
  manifest: Resource,
  { others, key }: { others: readonly Resource[]; key?: KeyObject | undefined },
): string {
  const text = JSON.stringify(statementOf(record, manifest, others), null, 2);
  return `${key === undefined ? text : JSON.stringify(envelopeOf(text, key), null, 2)}\n`;
}

/** Of what is signed, the subjects: the manifest, and what was tested. The rest must be what the record says. */
const signedSchema = z.object({
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })).min(1),
});

/** What is wrong with an attestation of a run, in a sentence; undefined if this key has signed what the run shows. */
export function attestationProblem(
  text: string,
  record: RunRecord,
  manifest: Resource,
  key: KeyObject,
): string | undefined {
  const envelope = envelopeSchema.safeParse(jsonOf(text));
  if (!envelope.success) return 'it is not a signed envelope (DSSE)';
  const signed = signedText(envelope.data, key);
  if (signed === undefined) return 'this key has not signed it';
  const statement = jsonOf(signed);
  const { data } = signedSchema.safeParse(statement);
  if (!data) return 'what is signed is not a test result of in-toto';
  const [own, ...others] = data.subject;
  if (!isDeepStrictEqual(own, manifest)) return 'it was made for another manifest.json';
  const isSame = isDeepStrictEqual(statement, statementOf(record, manifest, others));
  return isSame ? undefined : 'it says something else than the record';
}

/** @throws UsageProblem for a file that is not an Ed25519 key, private to sign and public to check. */
export function readKey(file: string, use: 'sign' | 'check'): KeyObject {
  const wanted = `an Ed25519 ${use === 'sign' ? 'private' : 'public'} key in PEM`;
  try {
    const pem = readFileSync(file);
    const key = use === 'sign' ? createPrivateKey(pem) : createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    throw new UsageProblem(`--key: ${file} can't be read as ${wanted} (${errorCode(error)})`, {
      cause: error,
    });
  }
  throw new UsageProblem(`--key: ${file} must hold ${wanted}`);
}
