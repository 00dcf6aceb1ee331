import { describe, expect, it } from 'vitest';
import { FaultNotSeen } from '../reference/faults/fault.js';
import { limitFaults } from '../reference/faults/limits/limit-faults.js';
import type { LimitFault } from '../reference/faults/limits/limit-fault.js';
import { combineOptions, type ReferenceOptions } from '../reference/options.js';
import { serveReference } from '../reference/serve.js';
import { catalogue, classOf } from '../specification/catalogue.js';
import { measureReference, turned } from './testing/against-reference.js';
import { leapingClock } from './testing/leaping-clock.js';

/** Twenty seconds into a minute: a window's beginning and its end are both far. */
const begin = 1_790_000_000_000 - (1_790_000_000_000 % 60_000) + 20_000;
const figures = { perMinute: 60, perDay: 600 };

async function lookAt(fault: LimitFault, options: ReferenceOptions): Promise<void> {
  const clock = leapingClock(begin);
  const key = 'pets_looked_at_Wq8ZrN4x';
  const otherKey = 'pets_beside_it_Jm2KuP6d';
  const service = await serveReference(
    combineOptions(options, {
      keys: [
        { key, ...figures },
        { key: otherKey, perMinute: 300, perDay: 3_000 },
      ],
      now: () => Math.floor(clock.now()),
    }),
  );
  const wait = (milliseconds: number): Promise<void> => clock.sleep(milliseconds);
  try {
    await fault.wire({ baseUrl: service.baseUrl, key, otherKey, ...figures, wait });
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

  it.each(named.filter(([, { ofTheDay }]) => !ofTheDay))(
    '%s turns the rows that it breaks',
    async (_name, fault) => {
      const run = await measureReference(fault.options, { begin, perDay: 100_000 });
      expect(turned(run)).toEqual(fault.breaks.filter((id) => id.startsWith('LIMIT')));
    },
  );
});

describe('the faults of the limits together', () => {
  it('have names of their own', () => {
    expect(new Set(limitFaults.map(({ name }) => name)).size).toBe(limitFaults.length);
  });

  it('are at least 50', () => {
    expect(limitFaults.length).toBeGreaterThanOrEqual(50);
  });

  it('break every MUST and SHOULD of the limits', () => {
    const broken = new Set<string>(limitFaults.flatMap(({ breaks }) => breaks));
    const binding = catalogue.filter(({ id, level }) => classOf(id) === 'limits' && level !== 'OBSERVE');
    expect(binding.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
  });
});
