import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { jsonOf } from '../../lib/evidence/record/record-text.js';
import { errorCode } from '../../lib/explain/error-code.js';
import { UsageProblem } from '../../lib/explain/usage-problem.js';
import { statementOf, subjectSchema, type Resource } from './statement.js';

export const attestationFile = 'attestation.json';

const payloadType = 'application/vnd.in-toto+json';

/** A signed text, as DSSE (Dead Simple Signing Envelope, v1) wraps it. */
const envelopeSchema = z.object({
  payloadType: z.literal(payloadType),
  payload: z.base64(),
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.base64() })).min(1),
});

/** What is signed: the pre-authentication encoding of DSSE. */
function signedBytes(payload: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
    payload,
  ]);
}

/**
 * The attestation of a run as a text: a DSSE envelope if there is an Ed25519 key to sign with, otherwise the statement alone,
 * for tools that sign it (`cosign attest-blob --statement`). The id of the key is the SHA-256 of its public part.
 * @param digest SHA-256 of the manifest, in hexadecimal
 * @param others what was tested, such as an image
 */
export function attestationOf(
  record: RunRecord,
  digest: string,
  others: readonly Resource[],
  key?: KeyObject,
): string {
  const text = JSON.stringify(statementOf(record, digest, others), null, 2);
  if (!key) return `${text}\n`;
  const payload = Buffer.from(text);
  const own = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const envelope: z.infer<typeof envelopeSchema> = {
    payloadType,
    payload: payload.toString('base64'),
    signatures: [
      {
        keyid: createHash('sha256').update(own).digest('hex'),
        sig: sign(null, signedBytes(payload), key).toString('base64'),
      },
    ],
  };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/** What is wrong with an attestation of a run, in a sentence; undefined if this key has signed what the run shows. */
export function attestationProblem(
  text: string,
  record: RunRecord,
  digest: string,
  key: KeyObject,
): string | undefined {
  const { data: envelope } = envelopeSchema.safeParse(jsonOf(text));
  if (!envelope) return 'it is not a signed envelope (DSSE)';
  const payload = Buffer.from(envelope.payload, 'base64');
  const isSigned = envelope.signatures.some(({ sig }) =>
    verify(null, signedBytes(payload), key, Buffer.from(sig, 'base64')),
  );
  if (!isSigned) return 'this key has not signed it';
  const statement = jsonOf(payload.toString('utf8'));
  const [, ...others] = subjectSchema.safeParse(statement).data?.subject ?? [];
  return isDeepStrictEqual(statement, statementOf(record, digest, others))
    ? undefined
    : 'it says something else than the record and manifest.json';
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
