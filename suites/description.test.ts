import { expect, it } from 'vitest';
import './description.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import { exchangeOf } from '../lib/verdict/testing/exchange.js';

it('VERSION-01 judges the address that listings are requested at', () => {
  const without = exchangeOf({ status: 404 });
  without.request.url = 'http://127.0.0.1:1/pets';
  expect(judged('VERSION-01', [exchangeOf({ json: [] })]).verdict).toBe('pass');
  expect(judged('VERSION-01', [exchangeOf({ status: 401 })]).verdict).toBe('pass');
  expect(judged('VERSION-01', [exchangeOf({ text: '<html>' })]).verdict).toBe('inconclusive');
  expect(judged('VERSION-01', [without]).findings[0]?.message).toBe(
    'the base address does not end with `/v1`',
  );
});
