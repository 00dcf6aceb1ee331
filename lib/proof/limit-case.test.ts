import { describe, expect, it } from 'vitest';
import { circumstanceCases, limitCases } from './limit-case.js';
import { functionalCases } from './proof-case.js';

describe('the cases of the proof', () => {
  const all = [...functionalCases(), ...limitCases(), ...circumstanceCases()];

  it('have names of their own', () => {
    const names = all.map(({ name }) => name);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it('hold a fault of the limits behind every algorithm and under every condition', () => {
    const names = circumstanceCases().map(({ name }) => name);
    for (const circumstance of [
      'fixed-window-from-first-request',
      'sliding-log',
      'sliding-counter',
      'token-bucket',
      'jitter',
      'other-client',
      'no-remaining',
      'no-reset',
      'no-date',
    ]) {
      expect(names).toContain(`limit-one-more + ${circumstance}`);
    }
  });

  it('expect what a condition turns by itself, and not what it hides', () => {
    const withoutRemaining = all.find(({ name }) => name === 'listings-not-counted + no-remaining');
    expect(withoutRemaining?.breaks.toSorted()).toEqual(['LIMIT-02', 'LIMIT-03', 'LIMIT-09', 'RATE-02']);
    expect(all.find(({ name }) => name === 'sliding-log + no-reset')?.breaks).toEqual(['RATE-03']);
  });

  it('hold no algorithm behind which a fault is none', () => {
    const names = all.map(({ name }) => name).filter((name) => name.startsWith('reset-drifts'));
    expect(names).toContain('reset-drifts + fixed-window-from-first-request');
    expect(names).not.toContain('reset-drifts + sliding-log');
  });
});
