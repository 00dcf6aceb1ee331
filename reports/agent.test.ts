import { expect, it } from 'vitest';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { agent } from './agent.js';
import { collect } from './testing/collect.js';
import { sampleRun } from './testing/sample-folder.js';
import { conformingRecord, faultyRecord, oneCauseRecord } from './testing/sample-record.js';

async function linesOf(record: RunRecord): Promise<Array<Record<string, unknown>>> {
  const text = (await collect(agent.render(await sampleRun(record)))).join('');
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it('tells an agent of each cause what is wrong, how to see it, how to fix it and what to run next', async () => {
  const lines = await linesOf(faultyRecord());
  expect(lines.find(({ requirement }) => requirement === 'LIST-02')).toMatchObject({
    level: 'MUST',
    problem: 'A page holds more animals than `limit` allows.',
    expected: 'at most 2 animals',
    received: '3 animals',
    curl: expect.stringContaining('$PETSTORE_API_KEY'),
    fix: expect.stringContaining('`LIMIT n`'),
    explain: 'npm run explain -- LIST-02',
    next: expect.stringMatching(/^npm test -- --again=\//),
  });
  expect(lines.at(-1)).toMatchObject({ verdict: 'non-conformant', exitCode: 1 });
});

it('tells an agent of each requirement of a cause alike', async () => {
  const [cause] = await linesOf(oneCauseRecord());
  const failed = { verdict: 'fail', level: 'MUST', section: expect.stringMatching(/^§ 4/) };
  expect(cause).toMatchObject({
    ...failed,
    requirement: 'CREATE-05',
    rule: 'A body without name gets 400',
    also: [
      { ...failed, requirement: 'CREATE-06' },
      { ...failed, requirement: 'ROBUST-01' },
    ],
    notJudgedBecauseOfIt: ['CREATE-11'],
  });
});

it('tells an agent of a conforming run its verdict alone', async () => {
  expect(await linesOf(conformingRecord())).toEqual([
    {
      verdict: expect.stringMatching(/conformant|partial/),
      exitCode: 0,
      summary: expect.any(String),
      report: expect.any(String),
    },
  ]);
});
