import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ledgerFileName } from '../evidence/record/run-files.js';
import { ledgerFile, readLedger } from './ledger.js';

/** A ledger of one line, with what a killed run left of the next one. */
function ledgerCutOff(left: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  ledgerFile(directory)({ volley: 'day free', outcome: 'answered', sent: 1 });
  appendFileSync(join(directory, ledgerFileName), left);
  return directory;
}

it('is read to the last whole line of a killed run', async () => {
  const directory = ledgerCutOff('{"volley":"day free","outc');
  expect((await readLedger(directory)).map(({ sent }) => sent)).toEqual([1]);
});

it('makes no file before its first line', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  ledgerFile(directory);
  expect(await readLedger(directory)).toEqual([]);
});
