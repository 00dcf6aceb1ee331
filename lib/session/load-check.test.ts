import { describe, expect, it } from 'vitest';
import { proveAgainst, turnedIn } from '../proof/prove.js';
import { faults } from '../reference/faults/faults.js';
import { variants } from '../reference/variants/variants.js';
import { atOnce } from './load-check.js';

const only = ['LIST-01', 'CREATE-04', 'CREATE-09', 'ROBUST-01'];

async function purposesOf(options: Parameters<typeof proveAgainst>[0]) {
  const purposes: string[] = [];
  const record = await proveAgainst(options, {
    settings: { only },
    listener: { exchange: ({ purpose }) => purposes.push(purpose) },
  });
  return { record, rounds: purposes.filter((purpose) => purpose === atOnce).length / 10 };
}

describe('ten requests at once', () => {
  it('are sent again and again if some were lost, and fail ROBUST-01', async () => {
    const fault = faults.find(({ name }) => name === 'six-at-a-time');
    const { record, rounds } = await purposesOf(fault?.options ?? {});
    expect(turnedIn(record)).toEqual(['ROBUST-01']);
    expect(rounds).toBeGreaterThanOrEqual(2);
    const finding = record.requirements.find(({ id }) => id === 'ROBUST-01')?.findings[0];
    expect(finding?.message).toMatch(/^\d+ of \d+ requests broke off and succeeded only when repeated$/);
  });

  it('are not sent if none was lost', async () => {
    const variant = variants.find(({ name }) => name === 'four-at-a-time');
    const { record, rounds } = await purposesOf(variant?.options ?? {});
    expect(turnedIn(record)).toEqual([]);
    expect(rounds).toBe(0);
  });
});
