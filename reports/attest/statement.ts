import { z } from 'zod';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { RequirementResult } from '../../lib/evidence/record/requirement-result.js';

const statementType = 'https://in-toto.io/Statement/v1';
const predicateType = 'https://in-toto.io/attestation/test-result/v0.1';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u, 'a SHA-256 in hexadecimal');
/** A file or an image, and its digest. */
const resourceSchema = z.strictObject({ name: z.string().min(1), digest: z.strictObject({ sha256 }) });
export type Resource = z.infer<typeof resourceSchema>;

/** What a run shows of a service, as an in-toto Statement with the predicate `test-result` v0.1. */
export const statementSchema = z.strictObject({
  _type: z.literal(statementType),
  subject: z.array(resourceSchema).min(1),
  predicateType: z.literal(predicateType),
  predicate: z.strictObject({
    result: z.enum(['PASSED', 'WARNED', 'FAILED']),
    configuration: z.array(resourceSchema),
    passedTests: z.array(z.string()),
    warnedTests: z.array(z.string()),
    failedTests: z.array(z.string()),
  }),
});
export type Statement = z.infer<typeof statementSchema>;

/**
 * What a run shows. The manifest is the subject: whoever has it can check everything else. A MUST that failed, waived or
 * not, makes the result FAILED; only a conformant run is PASSED. What could not be judged is a warning, and what was
 * neither judged nor selected is in no list.
 */
export function statementOf(record: RunRecord, manifest: Resource, others: readonly Resource[]): Statement {
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
    _type: statementType,
    subject: [manifest, ...others],
    predicateType,
    predicate: {
      result: fails ? 'FAILED' : isWhole ? 'PASSED' : 'WARNED',
      configuration: [manifest],
      passedTests: ids(({ verdict }) => verdict === 'pass'),
      warnedTests,
      failedTests,
    },
  };
}
