import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { start } from '../../scripts/testing/program.js';
import { expectationOf, hostileKey } from './fixture.js';
import { hostileFixtures } from './fixture-list.js';

/** What the program may hold at its peak while it judges, Node included. */
const mostMegabytes = 300;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-memory-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One that is given up at the limit of a body, and one that is kept. */
const large = hostileFixtures.filter(({ name }) => ['gzip-bomb', 'ten-thousand-animals'].includes(name));

it.each(large)(`a whole run stays under ${mostMegabytes} MB: $title`, async (fixture) => {
  const { baseUrl, close } = await fixture.serve();
  const options = ['--plan=business', '--profile=quick', '--report=none', `--output=${fixture.name}`];
  const program = start('conformance', [`--base-url=${baseUrl}`, ...options], {
    folder,
    environment: { PETSTORE_API_KEY: hostileKey },
  });
  let most = 0;
  // The peak that Linux keeps for a process; once it has ended, nothing can be read any more.
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${program.process.pid ?? 0}/status`, 'utf8');
    most = Math.max(most, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
  }, 50);
  program.process.once('exit', () => clearInterval(timer));
  try {
    const { code } = await program.ended;
    expect(code).toBe(expectationOf(fixture).exit);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(mostMegabytes);
  } finally {
    clearInterval(timer);
    await close();
  }
});
