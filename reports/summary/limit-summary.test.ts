import { expect, it } from 'vitest';
import { sampleMeasurement } from '../testing/sample-measurement.js';
import { countsSentence, limitFacts } from './limit-summary.js';

const count = { sent: 1_061, byStatus: { '200': 990, '404': 10, '429': 61 }, errors: 0 };

it('says that two counts agree, and of what', () => {
  expect(countsSentence({ ledger: count, autocannon: count })).toBe(
    'two counts agree: 1,061 sent, 1,000 admitted, 61 rejected',
  );
});

it('says what each has if they do not', () => {
  const autocannon = { ...count, byStatus: { ...count.byStatus, '200': 989, '503': 1 }, errors: 2 };
  expect(countsSentence({ ledger: count, autocannon })).toBe(
    'two counts do not agree: the ledger has 1,061 sent, 1,000 admitted, 61 rejected; ' +
      'autocannon has 1,061 sent, 999 admitted, 61 rejected, 1 with another error, 2 lost',
  );
});

it('is told of the probes and of the day, and not of records without counts', () => {
  const counts = { ledger: count, autocannon: count };
  const told = 'two counts agree: 1,061 sent, 1,000 admitted, 61 rejected';
  const day = { stretches: [], fresh: true, counts };
  expect(limitFacts({ ...sampleMeasurement(), counts, day })).toEqual(
    expect.arrayContaining([
      ['Counted', told],
      ['In the day', told],
    ]),
  );
  expect(new Map(limitFacts(sampleMeasurement())).has('Counted')).toBe(false);
});
