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

  it('tell that an animal is one that an earlier run left, and what to do', async () => {
    const pet02 = declaredInvariants().filter(({ id }) => id === 'PET-02');
    const listed = (name: string): Exchange =>
      exchangeOf({ json: [{ id: 7, name, categoryId: 1, status: 'gone' }] });
    const received = async (...exchanges: Exchange[]) =>
      (await judged(pet02, exchanges)).get('PET-02')?.findings[0]?.received;
    expect(await received(listed('pc1a-CREATE-09 3'))).toContain('left: remove it from the store');
    expect(await received(listed('Rex'))).toBe('"gone" (a string)');
    const created = exchangeOf({ operation: 'createPet', status: 400, sent: { name: 'pc1a CREATE-09 3' } });
    expect(await received(created, listed('pc1a CREATE-09 3'))).toBe('"gone" (a string)');
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

/** A day's run: the same listing again and again, and a service that gives each error a number of its own. */
async function* aLongDay(): AsyncGenerator<Exchange> {
  const pet = { id: 7n, name: 'pc1 a long day', categoryId: 1n, status: 'sold' };
  const common = { method: 'POST', operation: 'createPet', sent: { ...pet, id: undefined } } as const;
  yield exchangeOf({ ...common, status: 201, json: pet });
  for (let time = 0; time < 1_000; time += 1) {
    yield exchangeOf({ json: [time % 2 === 0 ? pet : { ...pet, name: 'pc1 another' }] });
    const error = { code: `E-${time}`, message: 'no key', status: 401 };
    yield exchangeOf({ credential: 'missing', status: 401, json: error });
  }
}

it('counts what is seen again and again, and keeps some of it', async () => {
  const rows = await judgeExchanges(declaredInvariants(), aLongDay(), run);
  const observations = rows.get('ERR-05')?.observations ?? [];
  expect(observations).toHaveLength(201);
  expect(observations.at(-1)).toMatchObject({ behaviour: 'another code, 800 times' });
});
