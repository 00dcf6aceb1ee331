import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { hostileFixtures } from './index.js';
import type { Measured } from './testing/measured-run.js';

vi.setConfig({ maxConcurrency: 2, testTimeout: 120_000 });

const program = join(import.meta.dirname, 'testing', 'measured-run.ts');
const start = promisify(execFile);

/** What a run may hold, Node and the TypeScript loader included. */
const mostMegabytes = 300;
const mostSeconds = 60;

const large = [
  'body-of-a-gigabyte',
  'body-without-end',
  'gzip-bomb',
  'a-million-animals',
  'ten-thousand-animals',
  'name-of-a-megabyte',
];

describe(`a whole run stays under ${mostMegabytes} MB and ${mostSeconds} s against`, () => {
  it.concurrent.each(large)('%s', async (name) => {
    const fixture = hostileFixtures.find((candidate) => candidate.name === name);
    const target = await fixture?.serve();
    try {
      const { stdout } = await start(process.execPath, [
        '--import',
        'tsx',
        program,
        target?.baseUrl ?? '',
        'standard',
      ]);
      const measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
      expect(measured.exit).toBe(fixture?.expects.exit);
      expect(measured.megabytes).toBeLessThan(mostMegabytes);
      expect(measured.seconds).toBeLessThan(mostSeconds);
    } finally {
      await target?.close();
    }
  });
});
