import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RunRecord, RequirementResult } from '../lib/evidence/record/record.js';
import { conformingRecord, faultyRecord } from './testing/sample-record.js';
import { attestationOf, attestationProblem, statementOf } from './attestation.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const digest = 'a'.repeat(64);
const manifest = { name: 'manifest.json', digest: { sha256: digest } };

describe('the statement of a run', () => {
  it('has the manifest as its subject, and the requirements by what became of them', () => {
    const record = faultyRecord();
    const { subject, predicate } = statementOf(record, digest);
    expect(subject).toEqual([manifest]);
    const named = (verdict: string) =>
      record.requirements.filter((row) => row.verdict === verdict).map(({ id }) => id);
    expect(predicate.failedTests).toEqual(named('fail'));
    expect(predicate.passedTests).toEqual(named('pass'));
    expect(predicate.result).toBe('FAILED');
  });

  const passed = conformingRecord();
  const whole: RunRecord = {
    ...passed,
    verdict: 'conformant',
    requirements: passed.requirements.filter(({ verdict }) => verdict === 'pass'),
  };
  const waived = { reason: 'known', owner: 'us', until: '2999-01-01' };

  it.each<[string, 'PASSED' | 'WARNED' | 'FAILED', Partial<RequirementResult>, Partial<RunRecord>]>([
    ['a conformant run', 'PASSED', {}, {}],
    ['a failure that is waived', 'FAILED', { verdict: 'fail', waived }, {}],
    ['what could not be judged', 'WARNED', { verdict: 'inconclusive' }, {}],
    ['what was not reached', 'WARNED', { verdict: 'not-tested', selected: true }, {}],
    ['a partial run', 'WARNED', {}, { verdict: 'partial' }],
    ['an incomplete run', 'WARNED', {}, { verdict: 'incomplete' }],
    ['a run cut short', 'WARNED', {}, { run: { ...whole.run, complete: false } }],
  ])('says of %s: %s', (_, result, change, more) => {
    const requirements = whole.requirements.map((row, index) => (index === 0 ? { ...row, ...change } : row));
    const { predicate } = statementOf({ ...whole, ...more, requirements }, digest);
    expect(predicate.result).toBe(result);
    expect(predicate.passedTests.includes('AUTH-01')).toBe(change.verdict === undefined);
  });
});

describe('an attestation', () => {
  const record = faultyRecord();
  const signed = attestationOf(statementOf(record, digest), privateKey);

  it('that this key has signed for this run is right', () => {
    expect(attestationProblem(signed, statementOf(record, digest), publicKey)).toBeUndefined();
  });

  it('without a key is the statement alone', () => {
    const text = attestationOf(statementOf(record, digest));
    expect(JSON.parse(text)).toMatchObject({ predicate: { result: 'FAILED' } });
    expect(attestationProblem(text, statementOf(record, digest), publicKey)).toContain(
      'not a signed envelope',
    );
  });

  it('of another key, another run, or with another text is not', () => {
    const other = generateKeyPairSync('ed25519');
    const envelope = JSON.parse(signed) as { payload: string };
    const payload = Buffer.from(envelope.payload, 'base64').toString().replace('FAILED', 'PASSED');
    const forged = JSON.stringify({ ...envelope, payload: Buffer.from(payload).toString('base64') });
    expect(attestationProblem(signed, statementOf(record, digest), other.publicKey)).toContain('not signed');
    expect(attestationProblem(signed, statementOf(record, 'c'.repeat(64)), publicKey)).toContain(
      'something else',
    );
    expect(attestationProblem(signed, statementOf(conformingRecord(), digest), publicKey)).toContain(
      'something else',
    );
    expect(attestationProblem(forged, statementOf(record, digest), publicKey)).toContain('not signed');
  });
});
