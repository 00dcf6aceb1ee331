import { expect, it } from 'vitest';
import type { RecordedExchange } from '../lib/evidence/recorded-exchange.js';
import { exchangeOf } from '../lib/verdict/testing/exchange.js';
import { notTestedResult } from '../lib/verdict/judgement.js';
import { withRequestsBehind } from './requests-behind.js';

const recorded = new Map(
  ['CREATE-12', 'LIST-08', 'stock', 'CREATE-12'].map((purpose, index): [string, RecordedExchange] => [
    `e${index}`,
    exchangeOf({ id: `e${index}`, purpose }).line,
  ]),
);
const exchangesById = async (ids: Iterable<string>) =>
  Promise.resolve(new Map([...recorded].filter(([id]) => [...ids].includes(id))));
const failed = (...exchanges: string[]) => ({
  ...notTestedResult('LIST-08', ''),
  findings: [{ message: 'an animal is missing', exchanges }],
});

it('names the requirements whose requests showed a finding, and nothing else that was sent', async () => {
  expect(await withRequestsBehind({ exchangesById }, [failed('e0', 'e1', 'e2', 'e3')])).toEqual([
    'LIST-08',
    'CREATE-12',
  ]);
  expect(await withRequestsBehind({ exchangesById }, [failed('e1', 'e2')])).toEqual(['LIST-08']);
});
