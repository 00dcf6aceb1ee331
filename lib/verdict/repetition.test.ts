import { expect, test } from 'vitest';
import type { Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult, RunRecord } from '../record/record.js';
import { toRepeat } from './repetition.js';

function record(...results: ReadonlyArray<Partial<RequirementResult>>): RunRecord {
  const requirements = results.map((result) => ({
    level: 'MUST' as const,
    section: '4',
    title: 'A title',
    verdict: 'pass' as const,
    checks: 1,
    findings: [],
    id: '',
    ...result,
  }));
  return { requirements, run: { strict: false } } as unknown as RunRecord;
}
const fail = { verdict: 'fail', findings: [{ message: 'wrong', exchanges: ['e7'] }] } as const;
const exchanges = [
  { id: 'e1', purpose: 'survey' },
  { id: 'e7', purpose: 'LIST-05' },
  { id: 'e8', purpose: 'LIST-06' },
] as Exchange[];

test.each([
  ['those that failed', [{ id: 'LIST-02', ...fail }, { id: 'AUTH-01' }], ['LIST-02', 'LIST-05']],
  [
    'and not those that are open beside them',
    [
      { id: 'LIST-05', ...fail },
      { id: 'AUTH-01', verdict: 'inconclusive' },
    ],
    ['LIST-05'],
  ],
  [
    'those that are open if none failed',
    [{ id: 'AUTH-01', verdict: 'inconclusive' }, { id: 'AUTH-02' }],
    ['AUTH-01'],
  ],
  [
    'none that is waived',
    [{ id: 'LIST-02', ...fail, waived: { reason: 'r', owner: 'o', until: '2030-01-01' } }],
    undefined,
  ],
  ['none if all passed', [{ id: 'LIST-02' }], undefined],
] as ReadonlyArray<readonly [string, ReadonlyArray<Partial<RequirementResult>>, string[] | undefined]>)(
  'the requirements to repeat are %s',
  async (_, results, only) => {
    expect((await toRepeat(record(...results), exchanges))?.only).toEqual(only);
  },
);
