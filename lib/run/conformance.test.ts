import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OutputProblem, RecordLost } from '../evidence/record/run-files.js';
import { proveAgainst } from '../proof/prove.js';
import type { Listener } from './settings.js';

async function runInto(directory: string, listener: Listener = {}): Promise<unknown> {
  const settings = { directory, profile: 'quick', only: ['VERSION-01'] } as const;
  return proveAgainst({}, { settings, listener }).catch((error: unknown) => error);
}

it('still has what it found if the folder is gone when it ends', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-lost-'));
  const error = await runInto(directory, { exchange: () => rmSync(directory, { recursive: true }) });
  if (!(error instanceof RecordLost)) throw new Error('expected the record to be lost', { cause: error });
  expect(error.message).toBe(`the output folder ${directory} can't be written (ENOENT)`);
  expect(error.record.verdict).toBe('partial');
});

it('sends nothing if the folder can not be made', async () => {
  const sent: unknown[] = [];
  const error = await runInto('/dev/null/run', { exchange: (exchange) => sent.push(exchange) });
  expect(error).toBeInstanceOf(OutputProblem);
  expect(sent).toEqual([]);
});
