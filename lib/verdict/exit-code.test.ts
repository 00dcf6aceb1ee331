import { expect, it } from 'vitest';
import type { RunRecord, ClassVerdict, RequirementResult } from '../evidence/record/record.js';
import { exitCode } from './class-verdict.js';

const result = (verdict: RequirementResult['verdict']): RequirementResult => ({
  id: 'AUTH-01',
  level: 'MUST',
  section: '5.3, 7',
  title: 'A request without a credential gets 401',
  verdict,
  checks: 1,
  findings: [],
});
const record = (verdict: ClassVerdict, more: { complete?: boolean; waiverProblems?: string[] } = {}) =>
  ({
    verdict,
    run: { complete: more.complete ?? true },
    requirements: [result('pass')],
    ...(more.waiverProblems && { waiverProblems: more.waiverProblems }),
  }) as RunRecord;

it.each([
  ['conformant', 0],
  ['partial', 0],
  ['incomplete', 3],
  ['non-conformant', 1],
] as const)('a run that is %s exits with %i', (verdict, code) => {
  expect(exitCode(record(verdict))).toBe(code);
});

it('exits with 3 if the run was cut off, whatever its classes say, and with 1 if it had failed before', () => {
  expect(exitCode(record('conformant', { complete: false }))).toBe(3);
  expect(exitCode(record('non-conformant', { complete: false }))).toBe(1);
});

it('exits with 1 for a waiver that expired or matches nothing', () => {
  expect(exitCode(record('conformant', { waiverProblems: ['AUTH-01 expired'] }))).toBe(1);
  expect(exitCode(record('conformant', { waiverProblems: [] }))).toBe(0);
});

it('does not exit with 0 if nothing was judged', () => {
  expect(exitCode({ ...record('partial'), requirements: [result('not-tested')] })).toBe(3);
});
