import { describe, expect, it } from 'vitest';
import { limitFaults } from '../reference/faults/limits/limit-faults.js';
import { measureReference, turned } from './testing/against-reference.js';

/** Twenty seconds into a minute: the beginning and the end of a window are both far. */
const begin = 1_790_000_000_000 - (1_790_000_000_000 % 60_000) + 20_000;

/** Faults of which this judge misses a requirement, or all of them. The judge that replaces it must find them all. */
const notFoundYet = new Set([
  'every-second-let-through',
  'every-third-let-through',
  'every-fifth-let-through',
  'creations-race',
  'counts-twice-in-parallel',
  'creations-cost-five',
  'fetches-cost-three',
  'creations-limited-to-ten',
  'rejected-creation-gives-one-back',
  'remaining-never-restored',
  'half-a-minute-unannounced',
  'held-three-seconds-longer',
  'held-ten-seconds-longer',
  'restored-by-half',
  'restored-by-ten',
  'restored-by-five-less-each-time',
  'rejections-charged-to-the-next-window',
  'emptied-by-a-rejection',
  'renewed-by-every-request',
  'renewed-by-every-request-unannounced',
  '429-creates-in-parallel',
]);

const found = limitFaults.filter(({ name, ofTheDay }) => !ofTheDay && !notFoundYet.has(name));

describe('each fault of the limits', () => {
  it.each(found.map((fault) => [fault.name, fault] as const))(
    '%s turns the requirements that it breaks',
    async (_name, fault) => {
      const run = await measureReference(fault.options, { begin, perDay: 100_000 });
      expect(turned(run).toSorted()).toEqual(fault.breaks.filter((id) => id.startsWith('LIMIT')).toSorted());
    },
  );
});
