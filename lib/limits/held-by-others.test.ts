import { expect, it } from 'vitest';
import { heldByOthers } from './held-by-others.js';
import { seen, type Seen } from './seen.js';

const begin = Date.parse('2026-11-21T10:00:00Z');

/** An answer with so much Remaining, so many seconds after the run began. */
function answer([second, remaining, status = 200]: readonly [number, number, number?]): Seen {
  return seen({
    id: `e${second}`,
    purpose: 'LIMIT-01',
    operation: 'listPets',
    credential: 'valid',
    input: 'specified',
    sentAt: new Date(begin + second * 1000).toISOString(),
    request: { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [] },
    response: { status, headers: [['X-RateLimit-Remaining', String(remaining)]], body: { bytes: 0 } },
    timing: { wait: 0, firstByte: 1, total: 1 },
  });
}

function held(...answers: ReadonlyArray<readonly [number, number, number?]>): number {
  const all = answers.map(answer);
  const look = all.at(-1);
  if (!look) return 0;
  return heldByOthers(look, {
    before: all.slice(0, -1),
    full: 30,
    windowMs: 60_000,
    strangersAt: [],
    showsMinute: () => true,
  });
}

it('sees what a window is short of that the run did not send', () => {
  expect(held([0, 29], [300, 25])).toBe(4);
});

it('sees others who use a window that slides as fast as it gives back', () => {
  // From quiet, the same key shows 23 at one time and 22 at another.
  expect(held([0, 23], [200, 22], [206, 22], [215, 21])).toBe(1);
});

it('takes a figure that is short by the same each time for the target’s', () => {
  expect(held([0, 23], [200, 23], [220, 22])).toBe(0);
});

it('takes a window that never resets for the target’s, too', () => {
  expect(held([0, 29], [15, 28], [200, 27], [400, 26])).toBe(0);
});

it('counts what the run sent before, refused or not', () => {
  expect(held([0, 29], [20, 28], [21, 0, 429], [40, 26])).toBe(0);
});
