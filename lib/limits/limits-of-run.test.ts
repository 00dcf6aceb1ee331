import { expect, it } from 'vitest';
import type { Exchange } from '../evidence/exchange.js';
import { proveAgainst } from '../proof/prove.js';
import { runRecordSchema } from '../evidence/record/record.js';
import { dayFaults } from '../reference/faults/limits/day-faults.js';
import { limitsOfRecord } from './limits-of-run.js';
import { judgedBy } from './testing/limited.js';

it.each([
  ['a day of the plan passes', {}, 'pass'],
  ['one that admits one more fails', dayFaults.find(({ name }) => name === 'day-one-more')?.options, 'fail'],
] as const)('from the record alone %s, as in the run', async (_name, options, verdict) => {
  const exchanges: Exchange[] = [];
  const record = await proveAgainst(options ?? {}, {
    settings: { limits: 'day', only: ['LIMIT-10'] },
    target: { plan: { name: 'enterprise', perMinute: 60, perDay: 200 } },
    listener: { exchange: (exchange) => exchanges.push(exchange) },
  });
  const result = record.requirements.find(({ id }) => id === 'LIMIT-10');
  expect(result?.verdict).toBe(verdict);
  const limits = limitsOfRecord(runRecordSchema.parse(JSON.parse(JSON.stringify(record))), exchanges);
  if (!limits) throw new Error('the day was counted');
  expect(judgedBy('LIMIT-10', limits)).toEqual(result);
});
