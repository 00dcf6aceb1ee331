import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';

const payloadType = 'application/vnd.in-toto+json';

/** A signed text, as DSSE (Dead Simple Signing Envelope, v1) wraps it. */
export const envelopeSchema = z.object({
  payloadType: z.literal(payloadType),
  payload: z.base64(),
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.base64() })).min(1),
});
type Envelope = z.infer<typeof envelopeSchema>;

/** Signs a text with an Ed25519 key. The key's id is the SHA-256 of its public part. */
export function envelopeOf(text: string, key: KeyObject): Envelope {
  const payload = Buffer.from(text);
  const sig = sign(null, signedBytes(payload), key).toString('base64');
  const own = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const keyid = createHash('sha256').update(own).digest('hex');
  return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid, sig }] };
}

/** The text of an envelope that this public key has signed; undefined if it has not. */
export function signedText({ payload, signatures }: Envelope, key: KeyObject): string | undefined {
  const bytes = Buffer.from(payload, 'base64');
  const isSigned = signatures.some(({ sig }) =>
    verify(null, signedBytes(bytes), key, Buffer.from(sig, 'base64')),
  );
  return isSigned ? bytes.toString('utf8') : undefined;
}

/** What is signed: the pre-authentication encoding of DSSE. */
function signedBytes(payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}
