import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../http/clock/clock.js';
import { OutputProblem, RecordLost } from '../evidence/record/run-files.js';
import { run } from './conformance.js';
import { startReference } from './reference-target.js';
import type { Listener } from './settings.js';

async function runInto(directory: string, listener: Listener = {}): Promise<unknown> {
  const { service, target } = await startReference();
  onTestFinished(async () => service.close());
  const settings = {
    target,
    directory,
    profile: 'quick',
    limits: 'none',
    only: ['VERSION-01'],
    except: [],
    strict: false,
    seed: 1,
    command: 'test',
    clock: systemClock,
    environment: {},
  } as const;
  return run(settings, { listener }).catch((error: unknown) => error);
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
