import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Exchange } from '../evidence/exchange.js';
import { ledgerFileName } from '../evidence/record/run-files.js';
import { evidenceOf } from '../evidence/testing/evidence-of.js';
import { uncounted } from '../evidence/recorded-exchange.js';
import { historyOf } from '../limits/history/history.js';
import { plans } from '../specification/plan.js';
import { exchangeOf } from '../verdict/testing/exchange.js';
import { countsAgree, ledgerFile, readLedger } from './ledger.js';

const count = { sent: 3, byStatus: { '200': 2, '429': 1 }, errors: 0 };

it.each([
  ['the same', count, true],
  ['one less sent', { ...count, sent: 2 }, false],
  ['another error', { ...count, errors: 1 }, false],
  ['one more admitted in the place of a rejection', { ...count, byStatus: { '200': 3 } }, false],
])('two counts of a volley agree if the second is %s: %s', (_, autocannon, agree) => {
  expect(countsAgree({ ledger: count, autocannon })).toBe(agree);
});

it('nothing is judged by a volley whose counts do not agree', () => {
  const facts = { plan: plans.free, caller: 'PETSTORE_API_KEY', readOnly: false };
  const counted = exchangeOf({ status: 500 });
  const volley = [new Exchange({ ...counted.line, phase: uncounted })];
  expect([evidenceOf([counted]).all.length, historyOf([counted], facts).own.length]).toEqual([1, 1]);
  expect([evidenceOf(volley).all.length, historyOf(volley, facts).own.length]).toEqual([0, 0]);
});

/** A ledger of one line, with what a killed run left of the next one. */
function ledgerCutOff(left: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  ledgerFile(directory)({ volley: 'day free', outcome: 'answered', sent: 1 });
  appendFileSync(join(directory, ledgerFileName), left);
  return directory;
}

it.each(['{"volley":"day free","outc', ''])(
  'goes on behind the last whole line, if %j is left',
  async (left) => {
    const directory = ledgerCutOff(left);
    const append = ledgerFile(directory);
    for (const sent of [2, 3]) append({ volley: 'day free', outcome: 'answered', sent });
    expect((await readLedger(directory)).map(({ sent }) => sent)).toEqual([1, 2, 3]);
  },
);

it('makes no file before its first line', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  ledgerFile(directory);
  expect(await readLedger(directory)).toEqual([]);
});
