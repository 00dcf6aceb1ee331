import { describe, expect, it, vi } from 'vitest';
import { exitCode } from '../verdict/class-verdict.js';
import { idsWith, runAgainst, explanationsOf, type HostileRun } from './conformance-run.js';
import { overFlakyNetwork, type NetworkFault } from './targets/lifecycle.js';

vi.setConfig({ maxConcurrency: 4 });

const faults: ReadonlyArray<readonly [fault: NetworkFault, effect: 'before' | 'after']> = [
  ['reset', 'before'],
  ['502', 'after'],
  ['silence', 'before'],
  ['cut', 'after'],
];

/** A quick run with this seed over a network that loses one request in `every`, from number `first` on. */
async function runOver(
  [fault, effect]: (typeof faults)[number],
  seed: number,
  every: number,
  first: number,
): Promise<HostileRun> {
  const target = await overFlakyNetwork(fault, effect, every, first)();
  try {
    return await runAgainst(target, {
      seed,
      target: { deadlineMs: fault === 'silence' ? 1_000 : 8_000 },
    });
  } finally {
    await target.close();
  }
}

const namesTheNetwork = /reset|within \d+ ms|gateway responded with 502|broke off during the sequences/;
const told = 'succeeded when repeated: attributed to the network';

describe('a network that loses one request in twenty turns no verdict, and is named', () => {
  for (const [index, lost] of faults.entries()) {
    const seed = 100 + index;
    const first = 1 + index * 5;
    it.concurrent(`seed ${seed}, a ${lost[0]} ${lost[1]} the effect, from request ${first} on`, async () => {
      const { record } = await runOver(lost, seed, 20, first);
      expect(idsWith(record, 'fail', 'warn')).toEqual([]);
      // A retry may be lost as well. Then the requirement says so.
      const open = record.requirements.filter(({ verdict }) => verdict === 'inconclusive');
      expect(open.filter(({ reason }) => !namesTheNetwork.test(reason ?? ''))).toEqual([]);
      expect(exitCode(record)).toBe(open.some(({ level }) => level === 'MUST') ? 3 : 0);
      expect(explanationsOf(record)).toContain(told);
      expect(record.requests.repeated?.length).toBeGreaterThan(0);
    });
  }
});

describe('a target that breaks off too much is not excused by the network', () => {
  it.concurrent('one request in three, though each is answered when sent again', async () => {
    const { record } = await runOver(['reset', 'after'], 1, 3, 1);
    expect(idsWith(record, 'fail')).toEqual(['ROBUST-01']);
    // Which of them are lost twice depends on the order of arrival.
    expect(explanationsOf(record)).toMatch(
      /requests broke off and succeeded only when repeated|gives no complete response/,
    );
  });
});
