import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../lib/record/record.js';
import { conformingRecord, faultyRecord } from '../testing/sample-record.js';
import { attestationOf, attestationProblem } from './attestation.js';
import { envelopeSchema } from './envelope.js';
import { statementOf, statementSchema, type Resource } from './statement.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const manifest: Resource = { name: 'manifest.json', digest: { sha256: 'a'.repeat(64) } };
const image: Resource = { name: 'petstore:1.4', digest: { sha256: 'b'.repeat(64) } };

function withVerdict(
  record: RunRecord,
  id: string,
  change: Partial<RunRecord['requirements'][number]>,
): RunRecord {
  const requirements = record.requirements.map((row) => (row.id === id ? { ...row, ...change } : row));
  return { ...record, requirements };
}

const resultOf = (record: RunRecord) => statementOf(record, manifest, []).predicate.result;

describe('the statement of a run', () => {
  it('has the manifest and what was tested as subjects, and the requirements by what became of them', () => {
    const record = faultyRecord();
    const { subject, predicate } = statementOf(record, manifest, [image]);
    expect(subject).toEqual([manifest, image]);
    const named = (verdict: string) =>
      record.requirements.filter((row) => row.verdict === verdict).map(({ id }) => id);
    expect(predicate.failedTests).toEqual(named('fail'));
    expect(predicate.passedTests).toEqual(named('pass'));
    expect(predicate.result).toBe('FAILED');
  });

  it('never says PASSED of a failure that is waived, of what could not be judged, or of a run cut short', () => {
    const whole: RunRecord = {
      ...conformingRecord(),
      verdict: 'conformant',
      requirements: conformingRecord().requirements.filter(({ verdict }) => verdict === 'pass'),
    };
    expect(resultOf(whole)).toBe('PASSED');
    const waived = { reason: 'known', owner: 'us', until: '2999-01-01' };
    expect(resultOf(withVerdict(whole, 'AUTH-01', { verdict: 'fail', waived }))).toBe('FAILED');
    expect(resultOf(withVerdict(whole, 'AUTH-01', { verdict: 'inconclusive' }))).toBe('WARNED');
    expect(resultOf(withVerdict(whole, 'AUTH-01', { verdict: 'not-tested', selected: true }))).toBe('WARNED');
    expect(resultOf({ ...whole, verdict: 'partial' })).toBe('WARNED');
    expect(resultOf({ ...whole, verdict: 'incomplete' })).toBe('WARNED');
    expect(resultOf({ ...whole, run: { ...whole.run, complete: false } })).toBe('WARNED');
    const open = withVerdict(whole, 'AUTH-01', { verdict: 'inconclusive' });
    expect(statementOf(open, manifest, []).predicate.passedTests).not.toContain('AUTH-01');
  });
});

describe('an attestation', () => {
  const record = faultyRecord();
  const signed = attestationOf(record, manifest, { others: [image], key: privateKey });

  it('that this key has signed for this run is right', () => {
    expect(attestationProblem(signed, record, manifest, publicKey)).toBeUndefined();
  });

  it('without a key is the statement alone', () => {
    const text = attestationOf(record, manifest, { others: [] });
    expect(statementSchema.parse(JSON.parse(text)).predicate.result).toBe('FAILED');
    expect(attestationProblem(text, record, manifest, publicKey)).toContain('not a signed envelope');
  });

  it('of another key, another run, or with another text is not', () => {
    const other = generateKeyPairSync('ed25519');
    expect(attestationProblem(signed, record, manifest, other.publicKey)).toContain('not signed');
    const elsewhere = { ...manifest, digest: { sha256: 'c'.repeat(64) } };
    expect(attestationProblem(signed, record, elsewhere, publicKey)).toContain('another manifest.json');
    expect(attestationProblem(signed, conformingRecord(), manifest, publicKey)).toContain(
      'something else than the record',
    );
    const envelope = envelopeSchema.parse(JSON.parse(signed));
    const payload = Buffer.from(envelope.payload, 'base64').toString().replace('FAILED', 'PASSED');
    const forged = JSON.stringify({ ...envelope, payload: Buffer.from(payload).toString('base64') });
    expect(attestationProblem(forged, record, manifest, publicKey)).toContain('not signed');
  });
});
