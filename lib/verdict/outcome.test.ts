import { expect, it } from 'vitest';
import { Budget, RunStopped } from '../http/client/run-end.js';
import { ifPossible, Inconclusive, NotTested } from './outcome.js';

it('a preparation that the target, or a read-only run, does not allow gives nothing', async () => {
  for (const outcome of [new NotTested('read-only'), new Inconclusive('no body was accepted')])
    await expect(ifPossible(Promise.reject(outcome))).resolves.toBeUndefined();
  await expect(ifPossible(Promise.resolve(1))).resolves.toBe(1);
});

it('a preparation passes on the end of the run, and an error of the suite', async () => {
  for (const error of [new RunStopped('gone'), new Budget(1).error, new TypeError('x')])
    await expect(ifPossible(Promise.reject(error))).rejects.toBe(error);
});
