import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { hostileFixtures } from './fixture-list.js';
import type { Measured } from './testing/measure-run.js';

const program = join(import.meta.dirname, 'testing', 'measured-run.ts');
const start = promisify(execFile);

/** Bytes that a run may use, Node and the TypeScript loader included. */
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
  let measured: readonly Measured[];

  // One after the other in one process: memory that one run keeps counts for the next.
  beforeAll(async () => {
    const fixtures = hostileFixtures.filter(({ name }) => large.includes(name));
    const targets = await Promise.all(
      fixtures.map(async ({ name, serve }) => ({ name, target: await serve() })),
    );
    try {
      const addresses = targets.map(({ name, target }) => `${name}=${target.baseUrl}`);
      const { stdout } = await start(process.execPath, ['--import', 'tsx', program, ...addresses]);
      measured = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Measured);
    } finally {
      await Promise.all(targets.map(({ target }) => target.close()));
    }
  }, 120_000);

  it.each(large)('%s', (name) => {
    const run = measured.find((one) => one.name === name);
    const fixture = hostileFixtures.find((one) => one.name === name);
    expect(run?.exit).toBe(fixture?.expects.exit);
    expect(run?.megabytes).toBeLessThan(mostMegabytes);
    expect(run?.seconds).toBeLessThan(mostSeconds);
  });
});
