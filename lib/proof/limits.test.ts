import { describe, expect, it } from 'vitest';
import { limitFaults } from '../reference/faults/limits/limit-faults.js';
import { withOtherClient } from '../reference/variants/limit-conditions.js';
import type { RequirementId } from '../specification/catalogue.js';
import { circumstanceCases, limitFaultCase, limitVariantCase } from './limit-case.js';
import { differences, prove } from './matrix.js';
import type { ProofCase } from './proof-case.js';

// Every fault and every variant, as each is, is tried by CI's proof. Circumstances are sampled here: CI does not try them all
// (`npm run proof -- --parts=circumstances`).

describe('beside a client that comes every few seconds, what comes back bit by bit is no smaller limit', () => {
  const hides: readonly RequirementId[] = ['LIMIT-01', 'LIMIT-03', 'LIMIT-05', 'LIMIT-09', 'LIMIT-14'];
  it.each([
    ['sliding-log', 7],
    ['sliding-counter', 20],
  ] as const)('%s, every %d seconds', async (algorithm, seconds) => {
    const title = `${algorithm}, another client every ${seconds} seconds`;
    const options = withOtherClient(seconds * 1_000, 120_000);
    const variant = { name: algorithm, title, options: { limiter: { algorithm } } };
    const one = limitVariantCase(variant, { name: 'other-client', title, options, turns: [], hides });
    expect(differences(await prove(one))).toEqual([]);
  });
});

describe('a look just as a minute begins shows whether a client comes then, or the limit is one less', () => {
  const behind = ['fixed-window-aligned', 'fixed-window-from-first-request'] as const;
  // Windows that the client's requests begin are like those of another phase, with one less: that stays open.
  const beganByOthers: readonly RequirementId[] = ['LIMIT-01', 'LIMIT-03', 'LIMIT-09'];
  it.each(behind)('%s: the client', async (algorithm) => {
    const options = withOtherClient(60_000, 64_600);
    const title = `${algorithm}, another client less than half a second into each minute`;
    const variant = { name: algorithm, title, options: { limiter: { algorithm } } };
    const hides = algorithm === 'fixed-window-aligned' ? [] : beganByOthers;
    const one = limitVariantCase(variant, { name: 'other-client', title, options, turns: [], hides });
    expect(differences(await prove(one))).toEqual([]);
  });
  it.each(behind)('%s: the limit', async (algorithm) => {
    const oneLess = limitFaults.filter(({ name }) => name === 'limit-one-less');
    const results = await Promise.all(oneLess.map((fault) => prove(limitFaultCase(fault, { algorithm }))));
    expect(results.map(differences)).toEqual([[]]);
  });
});

describe('behind each algorithm and under each condition', () => {
  const cases = circumstanceCases();
  const isOneMore = ({ name }: ProofCase): boolean => name.startsWith('limit-one-more + ');
  const sampled = cases.filter((one, place) => isOneMore(one) || (one.kind === 'variant' && place % 4 === 0));
  // A condition may be a second defect with a cause of its own.
  it.each(sampled.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    expect(differences(await prove(one))).toEqual([]);
  });
});
