import { describe, expect, it } from 'vitest';
import { catalogue, classOf } from '../../../specification/catalogue.js';
import { clusterCells } from '../../cluster/cells.js';
import { groupOf } from './groups.js';
import { limitFaults } from './limit-faults.js';

describe('the faults of the limits together', () => {
  it('have names of their own', () => {
    expect(new Set(limitFaults.map(({ name }) => name)).size).toBe(limitFaults.length);
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

  it('have a group each, but for those of the day, which tells too many from too few', () => {
    const ofTheMinute = limitFaults.filter(({ ofTheDay }) => ofTheDay !== true);
    const groups = new Map(ofTheMinute.map((fault) => [fault.name, groupOf(fault)] as const));
    expect(groups.get('limit-one-more')).not.toContain('LIMIT-01');
    expect(groups.get('limit-one-less')).not.toContain('LIMIT-02');
  });
});
