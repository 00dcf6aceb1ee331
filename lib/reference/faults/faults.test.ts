import { describe, expect, it } from 'vitest';
import { catalogue, classOf } from '../../specification/catalogue.js';
import { combineOptions, type ReferenceOptions } from '../options.js';
import { serveReference } from '../serve.js';
import { FaultNotSeen, type Fault } from './fault.js';
import { faults } from './faults.js';

const key = { key: 'pets_test_Wq8ZrN4xJm2K', perMinute: 6_000, perDay: 1_000_000 };

async function lookAt(fault: Fault, options: ReferenceOptions): Promise<void> {
  // The clock is moved away from the end of a minute: a new window would change Remaining.
  const service = await serveReference(combineOptions({ now: steadyClock() }, options, { keys: [key] }));
  try {
    await fault.wire({ baseUrl: service.baseUrl, key: key.key });
  } finally {
    await service.close();
  }
}

function steadyClock(): () => number {
  const started = Date.now();
  const minute = Math.floor(started / 60_000) * 60_000;
  return () => minute + 1_000 + (Date.now() - started);
}

describe('each functional fault', () => {
  it.each(faults.map((fault) => [fault.name, fault] as const))(
    '%s shows on the wire',
    async (_name, fault) => {
      await lookAt(fault, fault.options);
    },
  );

  it.each(faults.map((fault) => [fault.name, fault] as const))(
    '%s does not show on a conforming service',
    async (_name, fault) => {
      await expect(lookAt(fault, {})).rejects.toThrow(FaultNotSeen);
    },
  );
});

describe('the functional faults together', () => {
  it('have names of their own', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  });

  it('are at least 100', () => {
    expect(faults.length).toBeGreaterThanOrEqual(100);
  });

  it('break every functional MUST and SHOULD, and nothing that is only observed', () => {
    const broken = new Set<string>(faults.flatMap(({ breaks }) => breaks));
    const binding = catalogue.filter(({ id, level }) => classOf(id) === 'functional' && level !== 'OBSERVE');
    expect(binding.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
    expect([...broken].filter((id) => !binding.some((row) => row.id === id))).toEqual([]);
  });
});
