import { describe, expect, test } from 'vitest';
import type { RequirementResult } from '../../../lib/record/record.js';
import { faultyRecord } from '../../testing/sample-record.js';
import { classSentence, countsSentence, rowsOfClass } from './class-sentences.js';

const row = (more: Partial<RequirementResult>): RequirementResult => ({
  id: 'AUTH-01',
  level: 'MUST',
  section: '5',
  title: 'A request without a credential gets 401',
  verdict: 'pass',
  checks: 1,
  findings: [],
  ...more,
});
const waived = { reason: 'known', owner: 'us', until: '2026-04-30' };

describe('the verdict of a class in one sentence', () => {
  test.each([
    [
      'conformant',
      [row({})],
      'conformant: no failure, and every MUST requirement that applies was judged (1).',
    ],
    [
      'partial',
      [row({}), row({ verdict: 'not-tested' }), row({ verdict: 'fail', waived })],
      'partial: no unwaived failure among the 2 MUST requirements judged; 1 was not selected; 1 failure is waived.',
    ],
    [
      'incomplete',
      [row({}), row({ verdict: 'inconclusive' })],
      'incomplete: no failure among the 1 MUST requirement judged, but 1 was not judged.',
    ],
    [
      'non-conformant',
      [row({}), row({ verdict: 'fail' })],
      'non-conformant: 1 of the 2 MUST requirements judged fails.',
    ],
    [
      'non-conformant',
      [row({ level: 'SHOULD', verdict: 'warn' })],
      'non-conformant: 1 warning, and a strict run admits none.',
    ],
  ] as const)('%s', (verdict, rows, sentence) => {
    expect(classSentence(verdict, rows)).toBe(sentence);
  });
});

test('what was not judged stands beside what passed', () => {
  expect(countsSentence(rowsOfClass(faultyRecord(), 'limits'))).toBe(
    'Of 14 requirements: 8 passed, 1 failed, 0 warnings, 2 observed, 3 not judged (3 not tested).',
  );
});
