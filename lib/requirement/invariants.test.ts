import { describe, expect, it } from 'vitest';
import '../../suites/all.js';
import { judgeExchanges } from './invariants.js';
import { declaredInvariants, type Invariant, type RunFacts } from './requirement.js';
import { exchangeOf } from '../verdict/testing/exchange.js';
import type { Exchange } from '../http/exchange/exchange.js';

const run: RunFacts = {
  plan: { name: 'free', perMinute: 60, perDay: 1_000 },
  planGiven: true,
  clockDifference: 0,
  removalDatePassed: false,
  redact: (text) => text,
  keyMayBeWord: false,
};

/** An invariant that finds fault with every status but 200. */
function onlyOk(id: Invariant['id'], includingBroken = false): Invariant {
  return {
    id,
    kinds: [],
    includingBroken,
    begin: (judgement) => ({
      see: (response) => judgement.check(response.status === 200, response, () => ({ message: 'not 200' })),
    }),
  };
}

async function judged(invariants: readonly Invariant[], exchanges: readonly Exchange[]) {
  return judgeExchanges(invariants, exchanges, run);
}

describe('invariants', () => {
  it('see every exchange with an operation', async () => {
    const results = await judged([onlyOk('PET-01')], [exchangeOf(), exchangeOf({ status: 404 })]);
    expect(results.get('PET-01')).toMatchObject({ verdict: 'fail', checks: 2 });
  });

  it('pass over what the specification does not list', async () => {
    const results = await judged(
      [onlyOk('PET-01')],
      [exchangeOf(), exchangeOf({ operation: null, status: 405 })],
    );
    expect(results.get('PET-01')).toMatchObject({ verdict: 'pass', checks: 1 });
  });

  it('pass over what the network may have broken, but for the one that judges that', async () => {
    const exchanges = [
      exchangeOf(),
      exchangeOf({ status: 502 }),
      exchangeOf({ status: null, failure: 'reset' }),
    ];
    const results = await judged([onlyOk('PET-01'), onlyOk('ROBUST-01', true)], exchanges);
    expect(results.get('PET-01')).toMatchObject({ verdict: 'pass', checks: 1 });
    expect(results.get('ROBUST-01')).toMatchObject({ verdict: 'fail', checks: 3 });
  });

  it('that saw nothing do not pass', async () => {
    expect((await judged([onlyOk('PET-01')], [])).get('PET-01')?.verdict).toBe('inconclusive');
  });

  it('that err take nothing from the others', async () => {
    const broken: Invariant = {
      ...onlyOk('PET-02'),
      begin: () => ({
        see() {
          throw new TypeError('x is undefined');
        },
      }),
    };
    const results = await judged([broken, onlyOk('PET-01')], [exchangeOf(), exchangeOf()]);
    expect(results.get('PET-02')?.reason).toContain('an error of the suite');
    expect(results.get('PET-01')).toMatchObject({ verdict: 'pass', checks: 2 });
  });

  it('conclude once everything was seen', async () => {
    const counting: Invariant = {
      ...onlyOk('PET-02'),
      begin: (judgement) => {
        let seen = 0;
        return {
          see: () => (seen += 1),
          conclude: () => judgement.observe('exchanges', String(seen)),
        };
      },
    };
    const results = await judged([counting], [exchangeOf(), exchangeOf(), exchangeOf()]);
    expect(results.get('PET-02')?.observations).toMatchObject([{ behaviour: '3' }]);
  });
});

/** A day's run: the same listing again and again. */
async function* aLongDay(): AsyncGenerator<Exchange> {
  const pet = { id: 7n, name: 'pc1 a long day', categoryId: 1n, status: 'sold' };
  const common = { method: 'POST', operation: 'createPet', sent: { ...pet, id: undefined } } as const;
  yield exchangeOf({ ...common, status: 201, json: pet });
  for (let time = 0; time < 1_000; time += 1) {
    yield exchangeOf({ json: [time % 2 === 0 ? pet : { ...pet, name: 'pc1 another' }] });
  }
}

it('counts what is seen again and again, and keeps some of it', async () => {
  const rows = await judgeExchanges(declaredInvariants(), aLongDay(), run);
  expect(rows.get('LIST-10')).toMatchObject({
    verdict: 'fail',
    checks: 1_000,
    findings: [{ message: 'the listing shows another `name` than the creation returned', occurrences: 500 }],
  });
  expect(rows.get('LIST-10')?.findings[0]?.exchanges).toHaveLength(4);
});
