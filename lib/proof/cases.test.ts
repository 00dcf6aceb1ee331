import { describe, expect, it } from 'vitest';
import { parts } from './cases.js';

describe('the cases of the proof', () => {
  const circumstances = parts.circumstances();

  it('have names of their own', () => {
    const names = [...parts.functional(), ...parts.limits(), ...circumstances].map(({ name }) => name);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it('are at most 300 circumstances', () => {
    expect(circumstances.length).toBeGreaterThan(250);
    expect(circumstances.length).toBeLessThanOrEqual(300);
  });

  it('expect what a condition turns by itself, and an id of the group of the fault', () => {
    const withoutRemaining = circumstances.find(({ name }) => name === 'limit-halved + no-remaining');
    expect(withoutRemaining?.breaks).toEqual(['RATE-02']);
    expect(withoutRemaining?.group).toContain('LIMIT-01');
    expect(withoutRemaining?.group).not.toContain('LIMIT-02');
    expect(circumstances.find(({ name }) => name === 'sliding-log + no-reset')?.breaks).toEqual(['RATE-03']);
  });

  it('hold no algorithm behind which a fault is none', () => {
    const names = circumstances.map(({ name }) => name).filter((name) => name.startsWith('reset-drifts'));
    expect(names).not.toContain('reset-drifts + sliding-log');
    expect(names.length).toBeGreaterThan(0);
  });
});
