import type { RunRecord } from '../lib/evidence/record/record.js';
import type { RequirementResult } from '../lib/evidence/record/requirement-result.js';

export const attestationFile = 'attestation.json';

/** A file or an image, and its digest: SHA-256 in hexadecimal. */
export interface Resource {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/**
 * What a run shows of a service, as an in-toto Statement with the predicate `test-result` v0.1. The manifest is the subject:
 * whoever has it can check everything else. A MUST that failed, waived or not, makes the result FAILED; only a conformant run
 * is PASSED. What could not be judged is a warning, and what was neither judged nor selected is in no list.
 * @param digest SHA-256 of the manifest, in hexadecimal
 * @param others what was tested, such as an image
 */
export function statementOf(record: RunRecord, digest: string, others: readonly Resource[]) {
  const manifest = { name: 'manifest.json', digest: { sha256: digest } };
  const ids = (wanted: (result: RequirementResult) => boolean): string[] =>
    record.requirements.filter(wanted).map(({ id }) => id);
  const failedTests = ids(({ verdict }) => verdict === 'fail');
  const warnedTests = ids(
    ({ verdict, selected }) =>
      verdict === 'warn' || verdict === 'inconclusive' || (verdict === 'not-tested' && selected === true),
  );
  const isWhole = record.verdict === 'conformant' && record.run.complete && warnedTests.length === 0;
  const fails = record.verdict === 'non-conformant' || failedTests.length > 0;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [manifest, ...others],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: fails ? 'FAILED' : isWhole ? 'PASSED' : 'WARNED',
      configuration: [manifest],
      passedTests: ids(({ verdict }) => verdict === 'pass'),
      warnedTests,
      failedTests,
    },
  } as const;
}
