import { expect, it } from 'vitest';
import { sampleMeasurement } from '../testing/sample-measurement.js';
import { countsSentence, limitFacts } from './limit-summary.js';

const count = { sent: 1_061, byStatus: { '200': 990, '404': 10, '429': 61 }, errors: 0 };

it('says that two counts agree, and of what', () => {
  expect(countsSentence({ ledger: count, autocannon: count })).toBe(
    'two counts agree: 1,061 sent, 990 x 200, 10 x 404, 61 x 429',
  );
});

it('says what each has if they do not', () => {
  const autocannon = { ...count, byStatus: { ...count.byStatus, '200': 989, '503': 1 }, errors: 2 };
  expect(countsSentence({ ledger: count, autocannon })).toBe(
    'two counts do not agree: the ledger has 1,061 sent, 990 x 200, 10 x 404, 61 x 429; ' +
      'autocannon has 1,061 sent, 989 x 200, 10 x 404, 61 x 429, 1 x 503, 2 lost',
  );
});

it('is told of the probes and of the day, and not of records without counts', () => {
  const counts = { ledger: count, autocannon: count };
  const told = 'two counts agree: 1,061 sent, 990 x 200, 10 x 404, 61 x 429';
  const day = { stretches: [], fresh: true, counts };
  expect(limitFacts({ ...sampleMeasurement(), counts, day })).toEqual(
    expect.arrayContaining([
      ['Counted', told],
      ['In the day', told],
    ]),
  );
  expect(new Map(limitFacts(sampleMeasurement())).has('Counted')).toBe(false);
});
