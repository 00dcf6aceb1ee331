import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HostileFixture } from './fixture.js';
import { hostileFixtures } from './fixture-list.js';
import type { Measured } from './testing/measure-run.js';

/** In one file, which Node loads in a quarter of the time; where the package finds its own files. */
const program = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'measure-run.mjs');
beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'testing', 'measure-run.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    // Libraries that are no ES modules call it.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
});
const start = promisify(execFile);

/** What a run may hold, Node and the TypeScript loader included. */
const mostMegabytes = 300;
const mostSeconds = 60;

/** Two that are given up at the limit of a body, as plain bytes and as gzip, and two that are kept. */
const large = ['body-without-end', 'gzip-bomb', 'ten-thousand-animals', 'name-of-a-megabyte'];

describe(`a whole run stays under ${mostMegabytes} MB and ${mostSeconds} s of CPU against`, () => {
  // A process for each: what one run leaves behind would count for the next.
  const measure = async (name: string): Promise<Measured> => {
    const target = await fixtureOf(name).serve();
    try {
      const argument = `${name}=${target.baseUrl}`;
      const { stdout } = await start(process.execPath, [program, argument]);
      return JSON.parse(stdout) as Measured;
    } finally {
      await target.close();
    }
  };

  it.each(large)('%s', async (name) => {
    const { exit, megabytes, seconds } = await measure(name);
    expect(exit).toBe(fixtureOf(name).expects.exit);
    expect(megabytes).toBeLessThan(mostMegabytes);
    expect(seconds).toBeLessThan(mostSeconds);
  });
});

function fixtureOf(name: string): HostileFixture {
  const fixture = hostileFixtures.find((one) => one.name === name);
  if (!fixture) throw new Error(`there is no fixture ${name}`);
  return fixture;
}
