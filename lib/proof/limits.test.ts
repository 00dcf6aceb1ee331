import { describe, expect, it } from 'vitest';
import { combineOptions } from '../reference/options.js';
import { withOtherClient } from '../reference/variants/limit-circumstances.js';
import { compressedForEveryone } from '../reference/variants/transport-variants.js';
import { parts } from './cases.js';
import { differences, isFound, prove } from './matrix.js';
import { limitSettings, proveAgainst, turnedIn } from './prove.js';

// Every fault and every variant, as each is, is tried by CI's proof, and those under circumstances by
// `npm run proof -- --parts=circumstances`: some of them are sampled here.

describe('beside another client no limiter that conforms is accused', () => {
  it.each([
    ['a sliding log, every 7 seconds', 'sliding-log', withOtherClient(7_000, 120_000)],
    ['a sliding counter, every 20 seconds', 'sliding-counter', withOtherClient(20_000, 120_000)],
    // A window that is asked about less than half a second after the client's request looks like one with one less.
    ['windows of the clock, as each begins', 'fixed-window-aligned', withOtherClient(60_000, 64_600)],
    [
      'windows from the first request, each minute',
      'fixed-window-from-first-request',
      withOtherClient(60_000, 63_600),
    ],
  ] as const)('%s', async (_name, algorithm, otherClient) => {
    const options = combineOptions({ limiter: { algorithm } }, otherClient);
    const record = await proveAgainst(options, limitSettings);
    expect(turnedIn(record)).toEqual([]);
  });
});

/** What is drawn by some seeds. `npm run proof -- --parts=random-limiters --sample=1000 --seed=S` draws others. */
describe('a conforming limiter that is drawn at random is not accused:', () => {
  it.each([
    ...parts['random-limiters'](4_000, 10).map((one) => [one.name, one] as const),
    ...(
      [
        [6_000_046, 'a bucket by steps for which errors are free'],
        [6_000_146, 'a counter of parts behind a Date that lags'],
        [6_000_192, 'a bucket by steps without a Date'],
        [6_000_273, 'half of its limit is used up each minute'],
        [7_000_159, 'what it gives back is taken by another client'],
        [7_500_391, 'a crowd takes what a response showed to be left'],
        [9_500_398, 'a crowd comes with the burst'],
      ] as const
    ).flatMap(([seed, title]) => parts['random-limiters'](seed, 1).map((one) => [title, one] as const)),
  ])('%s', async (_title, one) => {
    expect(differences(await prove(one))).toEqual([]);
  });
});

it('the responses to the limit probes are decoded as all others are', async () => {
  const { settings, target } = limitSettings;
  const only = ['LIST-01', 'RATE', 'LIMIT'];
  const record = await proveAgainst(compressedForEveryone, { target, settings: { ...settings, only } });
  expect(turnedIn(record)).toEqual([]);
  expect(record.requirements.find(({ id }) => id === 'LIST-01')?.verdict).toBe('pass');
});

describe('under circumstances a fault is found by its group', () => {
  const sample = new Set(['limit-one-more + token-bucket', 'limit-one-more + no-reset']);
  const sampled = parts.circumstances().filter(({ name }) => sample.has(name));
  it.each(sampled.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const entry = await prove(one);
    expect(differences(entry)).toEqual([]);
    expect(isFound(entry)).toBe(true);
  });
});
