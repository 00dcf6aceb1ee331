import { describe, expect, it } from 'vitest';
import { catalogue, classOf } from '../../../specification/catalogue.js';
import { clusterCells } from '../../cluster/cells.js';
import { combineOptions, type ReferenceOptions } from '../../options.js';
import { serveReference } from '../../serve.js';
import { FaultNotSeen } from '../fault.js';
import type { LimitFault } from './limit-fault.js';
import { limitFaults } from './limit-faults.js';
import { seenUnder } from './seen-under.js';

/** Twenty seconds into a minute: the beginning and the end of a window are both far. */
const begin = 1_790_000_000_000 - (1_790_000_000_000 % 60_000) + 20_000;
const plan = { perMinute: 36, perDay: 360 };

async function lookAt(fault: LimitFault, options: ReferenceOptions): Promise<void> {
  // The clock goes on when it is looked at, and skips every wait: how long requests take is the machine's doing.
  let at = begin;
  const key = 'pets_looked_at_Wq8ZrN4x';
  const otherKey = 'pets_beside_it_Jm2KuP6d';
  const service = await serveReference(
    combineOptions(options, {
      keys: [
        { key, ...plan },
        { key: otherKey, perMinute: 300, perDay: 3_000 },
      ],
      now: () => (at += 1),
    }),
  );
  const wait = async (milliseconds: number): Promise<void> => {
    at += milliseconds;
    await Promise.resolve();
  };
  try {
    await fault.wire({ baseUrl: service.baseUrl, key, otherKey, ...plan, wait });
  } finally {
    await service.close();
  }
}

const named = limitFaults.map((fault) => [fault.name, fault] as const);

describe('each fault of the limits', () => {
  it.each(named)('%s shows on the wire', async (_name, fault) => {
    await lookAt(fault, fault.options);
  });

  it.each(named)('%s does not show on a conforming service', async (_name, fault) => {
    await expect(lookAt(fault, {})).rejects.toThrow(FaultNotSeen);
  });
});

describe('the faults of the limits together', () => {
  it('have names of their own', () => {
    expect(new Set(limitFaults.map(({ name }) => name)).size).toBe(limitFaults.length);
  });

  it('are those that are told of for circumstances', () => {
    const names = new Set(limitFaults.map(({ name }) => name));
    const told = Object.values(seenUnder).flatMap(({ uncertain = {}, unseen = [] }) => [
      ...Object.keys(uncertain),
      ...unseen,
    ]);
    expect(told.filter((name) => !names.has(name))).toEqual([]);
  });

  it('are at least 90', () => {
    expect(limitFaults.length).toBeGreaterThanOrEqual(90);
  });

  it('break every MUST and SHOULD of the limits, with the clusters', () => {
    const broken = new Set<string>([
      ...limitFaults.flatMap(({ breaks }) => breaks),
      ...clusterCells.flatMap(({ fromFour }) => fromFour),
    ]);
    const binding = catalogue.filter(({ id, level }) => classOf(id) === 'limits' && level !== 'OBSERVE');
    expect(binding.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it('break nothing but rows of the limits and of the rate-limit headers', () => {
    const broken = new Set<string>(limitFaults.flatMap(({ breaks }) => breaks));
    expect([...broken].filter((id) => !/^(?:LIMIT|RATE)-/.test(id))).toEqual([]);
  });
});
