import { describe, expect, it } from 'vitest';
import { limitSettings, proveAgainst } from '../../proof/prove.js';
import type { RequirementResult } from '../../evidence/record/record.js';
import { clusterOptions, type Cluster } from '../../reference/cluster/cluster.js';
import { withResponses } from '../../reference/changes.js';
import { withoutHeader } from '../../reference/http-message.js';
import { combineOptions, type ReferenceOptions } from '../../reference/options.js';

const four = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];

async function limit15(
  options: ReferenceOptions,
  localAddresses: readonly string[] = four,
): Promise<{ readonly row: RequirementResult | undefined; readonly sent: number }> {
  let sent = 0;
  const record = await proveAgainst(options, {
    settings: { ...limitSettings.settings, only: ['LIMIT-15'] },
    target: {
      ...limitSettings.target,
      plan: { name: 'enterprise', perMinute: 24, perDay: 10_000 },
      localAddresses,
    },
    listener: {
      exchange: ({ phase, response }) => {
        if (phase === 'vantage points' && response?.status === 429) sent += 1;
      },
    },
  });
  return { row: record.requirements.find(({ id }) => id === 'LIMIT-15'), sent };
}

describe('a window used from several source addresses', () => {
  it('gets one request over the limit from a service that counts a key in one place, and passes', async () => {
    const { row, sent } = await limit15({});
    expect(row).toMatchObject({ verdict: 'pass', findings: [] });
    expect(sent).toBe(1);
  });

  it.each<readonly [Cluster, string]>([
    [{ balancer: 'source-address', counting: 'per-address' }, 'counts each source address by itself'],
    [{ balancer: 'round-robin', counting: 'per-node' }, 'counts one key in several places'],
  ])('says what is counted apart, with the sequences of Remaining: %o', async (cluster, says) => {
    const [finding] = (await limit15(clusterOptions(cluster))).row?.findings ?? [];
    expect(finding?.message).toMatch(
      /^the same key was admitted \d+ times in .* from 4 vantage points together: /,
    );
    expect(finding?.message).toContain(`the limiter ${says}`);
    for (const address of four) expect(finding?.received).toContain(`${address}: 2`);
    expect(finding?.reproduce).toContain('for a in 127.0.0.2 127.0.0.3 127.0.0.4 127.0.0.5; do');
  });

  it('is found without Remaining, too, if more was admitted than two windows hold', async () => {
    const silent = withResponses((response) => withoutHeader(response, 'X-RateLimit-Remaining'));
    const apart = clusterOptions({ balancer: 'source-address', counting: 'per-address' });
    const { row } = await limit15(combineOptions(apart, silent));
    expect(row?.verdict).toBe('fail');
  });

  it('is left open if one of them gets no response', async () => {
    const { row } = await limit15({}, ['127.0.0.2', '::1']);
    expect(row).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('no response came to ::1') as string,
    });
  });
});

it('a single source address is not tested, and says what to do', async () => {
  const { row } = await limit15({}, ['127.0.0.2']);
  expect(row).toMatchObject({
    verdict: 'not-tested',
    reason: expect.stringContaining('--local-address=A,B') as string,
  });
});
