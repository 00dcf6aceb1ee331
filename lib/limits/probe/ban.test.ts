import { expect, it } from 'vitest';
import { withBans } from '../../reference/faults/limits/limiter-changes.js';
import type { Alteration } from '../../reference/behaviour.js';
import { combineOptions, type ReferenceOptions } from '../../reference/options.js';
import type { RequirementResult } from '../../evidence/record/record.js';
import { limitEvidence } from '../limits-of-run.js';
import { judgedBy } from '../testing/limited.js';
import { withReference } from '../testing/probe-reference.js';
import { probeBan } from './probes.js';

async function banOf(options: ReferenceOptions): Promise<RequirementResult> {
  return withReference(options, { begin: Date.UTC(2026, 0, 1, 12) }, async (probe, exchanges) => {
    const facts = await probeBan(probe);
    return judgedBy('LIMIT-12', limitEvidence(exchanges, facts));
  });
}

it('tells a ban, and how long it lasts', async () => {
  const row = await banOf(withBans(10, 300_000));
  expect(row.verdict).toBe('observed');
  expect(row.observations?.[0]?.behaviour).toContain('from response 9 on, Retry-After is 300 s');
  expect(row.observations?.[1]?.behaviour).toMatch(/served again after 30\d s/);
});

it.each([401, 403])('tells a ban that answers %d, and whether it ends', async (status) => {
  const asBanned: Alteration = ({ finish }) => ({
    finish: async (...parts) => {
      const finished = await finish(...parts);
      const isBan = finished.headers.some(([name, value]) => name === 'Retry-After' && Number(value) > 60);
      return isBan ? { ...finished, status } : finished;
    },
  });
  const row = await banOf(combineOptions(withBans(10, 120_000), { alterations: [asBanned] }));
  expect(row.observations?.[0]?.behaviour).toBe(`response 9 is ${status} instead of 429`);
  expect(row.observations?.[1]?.behaviour).toMatch(/served again after 1[12]\d s/);
});

it('tells that there is none', async () => {
  const row = await banOf({});
  expect(row.observations?.map(({ behaviour }) => behaviour)).toEqual([
    'each is rejected with 429 as the first one was',
    expect.stringMatching(/served again after \d+ s/),
  ]);
});

it('can tell nothing of a limiter that never rejects', async () => {
  const row = await banOf({ limiter: { uncounted: [200, 429] } });
  expect(row).toMatchObject({ verdict: 'inconclusive', reason: 'no 429 was seen that could be ignored' });
});
