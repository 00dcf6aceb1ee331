import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { jsonOf } from '../lib/evidence/record/regular-file.js';
import { errorCode, UsageProblem } from '../lib/explain/usage-problem.js';

export const attestationFile = 'attestation.json';

/**
 * What a run shows, as an in-toto Statement (`test-result` v0.1) on its manifest, by whose SHA-256 everything else can be checked.
 * A waived MUST makes it FAILED, too. What could not be judged is a warning; what was not selected is in no list.
 */
export function statementOf(record: RunRecord, sha256: string) {
  const manifest = { name: 'manifest.json', digest: { sha256 } };
  const tests = { pass: [] as string[], warn: [] as string[], fail: [] as string[] };
  for (const { id, verdict, selected } of record.requirements) {
    const isOpen = verdict === 'inconclusive' || (verdict === 'not-tested' && selected === true);
    if (isOpen) tests.warn.push(id);
    else if (verdict === 'pass' || verdict === 'warn' || verdict === 'fail') tests[verdict].push(id);
  }
  const isWhole = record.verdict === 'conformant' && record.run.complete && tests.warn.length === 0;
  const fails = record.verdict === 'non-conformant' || tests.fail.length > 0;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [manifest],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: fails ? 'FAILED' : isWhole ? 'PASSED' : 'WARNED',
      configuration: [manifest],
      passedTests: tests.pass,
      warnedTests: tests.warn,
      failedTests: tests.fail,
    },
  } as const;
}

type Statement = ReturnType<typeof statementOf>;

const payloadType = 'application/vnd.in-toto+json';

/** A signed text, as DSSE (Dead Simple Signing Envelope, v1) wraps it. */
const envelopeSchema = z.object({
  payloadType: z.literal(payloadType),
  payload: z.base64(),
  signatures: z.array(z.object({ sig: z.base64() })),
});

/** What is signed: the pre-authentication encoding of DSSE. */
function signedBytes(payload: Buffer): Buffer {
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** The attestation of a run: a DSSE envelope if there is an Ed25519 key, otherwise the statement, which others may sign. */
export function attestationOf(statement: Statement, key?: KeyObject): string {
  const text = JSON.stringify(statement, null, 2);
  if (!key) return `${text}\n`;
  const payload = Buffer.from(text);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const keyid = createHash('sha256').update(publicKey).digest('hex');
  const sig = sign(null, signedBytes(payload), key).toString('base64');
  const envelope = { payloadType, payload: payload.toString('base64'), signatures: [{ keyid, sig }] };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/** What is wrong with an attestation, in a sentence; undefined if this key has signed the statement. */
export function attestationProblem(text: string, statement: Statement, key: KeyObject): string | undefined {
  const { data: envelope } = envelopeSchema.safeParse(jsonOf(text));
  if (!envelope) return 'it is not a signed envelope (DSSE)';
  const payload = Buffer.from(envelope.payload, 'base64');
  const signatures = envelope.signatures.map(({ sig }) => Buffer.from(sig, 'base64'));
  if (!signatures.some((one) => verify(null, signedBytes(payload), key, one)))
    return 'this key has not signed it';
  return isDeepStrictEqual(jsonOf(payload.toString('utf8')), statement)
    ? undefined
    : 'it says something else than the record and manifest.json';
}

/** @throws UsageProblem for a file that is not an Ed25519 key, private to sign and public to check. */
export function readKey(file: string, kind: 'private' | 'public'): KeyObject {
  try {
    const pem = readFileSync(file);
    const key = kind === 'private' ? createPrivateKey(pem) : createPublicKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new TypeError(`it is ${key.asymmetricKeyType}`);
    return key;
  } catch (error) {
    const what = `can't be read as an Ed25519 ${kind} key in PEM (${errorCode(error)})`;
    throw new UsageProblem(`--key: ${file} ${what}`, { cause: error });
  }
}
