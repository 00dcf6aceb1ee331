import { expect, it } from 'vitest';
import { exchangeOf } from '../../verdict/testing/exchange.js';
import { plans } from '../../specification/plan.js';
import { bansIn, withoutBans } from './bans.js';
import { historyOf, type History } from './history.js';

const begin = Date.parse('2026-03-01T10:00:20Z');

/** A request a second; a number is the Retry-After of its 429. */
function historyWith(...outcomes: ReadonlyArray<'admitted' | number>): History {
  const exchanges = outcomes.map((outcome, index) => ({
    ...exchangeOf(
      outcome === 'admitted'
        ? { status: 200, json: [] }
        : { status: 429, headers: [['Retry-After', String(outcome)]] },
    ),
    sentAt: new Date(begin + index * 1_000).toISOString(),
  }));
  return historyOf(exchanges, { plan: plans.free, caller: 'PETSTORE_API_KEY', readOnly: false });
}

it('takes a wait that grows beyond the window, behind several 429s, for a ban', () => {
  const history = historyWith('admitted', 40, 39, 38, 300, 'admitted');
  expect(bansIn(history)).toHaveLength(1);
  expect(withoutBans(history).own.map(({ status }) => status)).toEqual([200, 429, 429, 429, 200]);
});

it.each([
  ['that is too long from the first 429 on', [300, 299, 298, 297]],
  ['that is too long behind a single 429', [40, 300]],
  ['that is begun anew by each 429', [40, 60, 60, 60, 60]],
])('takes no wait %s for a ban', (_name, waits) => {
  const history = historyWith('admitted', ...waits);
  expect(bansIn(history)).toEqual([]);
  expect(withoutBans(history)).toBe(history);
});
