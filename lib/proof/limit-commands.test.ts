import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limitFaults } from '../reference/faults/limits/limit-faults.js';
import type { ReferenceOptions } from '../reference/options.js';
import { serveReference, type ReferenceService } from '../reference/serve.js';
import { shells } from '../testing/shells.js';
import { limitSettings, proveAgainst } from './prove.js';

// The commands are run as a reader would run them, against the service that was judged and against one that conforms. They
// sleep by the clock of these services: it jumps to the next sleeper's end when nobody does anything.

/** The commonest kinds of commands; `LIMIT_COMMANDS=all` tries those of all faults, in about ten minutes. */
const sample = new Set([
  'limit-one-more',
  'creations-race',
  'counted-by-operation',
  'retry-after-rounded-down',
  'reset-of-the-first-window',
  '429-still-creates',
  'all-keys-rejected-while-one-is-over',
  'remaining-whole-on-429',
]);
const isAll = process.env['LIMIT_COMMANDS'] === 'all';
const faults = limitFaults.filter(({ name, ofTheDay }) => ofTheDay !== true && (isAll || sample.has(name)));

/** Five seconds into a minute. */
const begin = Date.UTC(2026, 2, 2, 10, 0, 5);
/** Real milliseconds without a request or a new sleeper, behind which the clock jumps. */
const idleMs = 100;

const environment = {
  PETSTORE_API_KEY: 'pets_proof_5hVq2TzR8wLx',
  PETSTORE_OTHER_API_KEY: 'pets_other_Vh3NsJ8yGf5PaXeU',
};
const run = promisify(execFile);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limit-commands-'));
  const programs = {
    sleep: 'exec curl -sS -o /dev/null "$CLOCK/sleep?$1"',
    date: 'case $1 in -d) exec curl -sS -G --data-urlencode "of=$2" "$CLOCK/date";; *) exec curl -sS "$CLOCK/now";; esac',
  };
  for (const [name, command] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${command}\n`);
    await chmod(join(folder, name), 0o755);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Services whose clock a command sleeps by. */
class Laboratory {
  #now = begin;
  readonly #sleepers: Array<{ readonly until: number; readonly wake: () => void }> = [];
  #busyAt = performance.now();
  #server: Server | undefined;

  readonly serve = (options: ReferenceOptions): Promise<ReferenceService> =>
    serveReference({
      ...options,
      now: () => {
        this.#busyAt = performance.now();
        return this.#now;
      },
    });

  /** The output of a command, with its clock. */
  async run(shell: string, command: string): Promise<string> {
    const address = await this.#listen();
    const child = run(shell, ['-c', command], {
      env: {
        ...environment,
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        CLOCK: `http://127.0.0.1:${address.port}`,
      },
    }).catch((error: unknown) => error as { stdout: string });
    const jumping = setInterval(() => {
      if (performance.now() - this.#busyAt > idleMs) this.#jump();
    }, 10);
    const { stdout } = await child;
    clearInterval(jumping);
    this.#server?.close();
    return stdout;
  }

  #jump(): void {
    this.#sleepers.sort((a, b) => a.until - b.until);
    const next = this.#sleepers.shift();
    if (!next) return;
    this.#now = Math.max(this.#now, next.until);
    this.#busyAt = performance.now();
    next.wake();
  }

  async #listen(): Promise<AddressInfo> {
    const server = createServer(({ url = '' }, response) => {
      this.#busyAt = performance.now();
      const { pathname, search, searchParams } = new URL(url, 'http://127.0.0.1');
      const until = this.#now + Number(search.slice(1)) * 1_000;
      if (pathname === '/sleep') this.#sleepers.push({ until, wake: () => response.end() });
      else {
        const of = searchParams.get('of');
        response.end(String(Math.floor((of === null ? this.#now : Date.parse(of)) / 1_000)));
      }
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server.address() as AddressInfo;
  }
}

const keys = [
  { key: environment.PETSTORE_API_KEY, perMinute: 60, perDay: 1_000_000 },
  { key: environment.PETSTORE_OTHER_API_KEY, perMinute: 300, perDay: 1_000_000 },
];

/** What a command prints for a service with these options. */
async function outputOf(shell: string, command: string, options: ReferenceOptions): Promise<string> {
  const laboratory = new Laboratory();
  const service = await laboratory.serve({ ...options, keys });
  try {
    return normalised(
      await laboratory.run(shell, command.replaceAll(/http:\/\/127\.0\.0\.1:\d+\/v1/gu, service.baseUrl)),
    );
  } finally {
    await service.close();
  }
}

/** Without what differs from run to run. */
function normalised(output: string): string {
  const date = Date.parse(/^date: (.*)$/imu.exec(output)?.[1] ?? '');
  return output
    .replaceAll(/^(?:date|etag|connection|keep-alive|content-\S+): .*\r?\n/gimu, '')
    .replaceAll(/^(x-ratelimit-reset): (\d+)/gimu, (_all, name: string, reset: string) =>
      Number.isNaN(date)
        ? name
        : `${name} in about ${Math.round((Number(reset) * 1_000 - date) / 5_000) * 5} s`,
    )
    .replaceAll(
      /^(retry-after): (\d+)/gimu,
      (_all, name: string, seconds: string) => `${name}: ${Math.round(Number(seconds) / 5) * 5}`,
    );
}

it.skipIf(shells.length === 0).each(faults.map(({ name, options }) => ({ name, options })))(
  'each command of $name shows the fault, and nothing of a service that conforms',
  async ({ options }) => {
    const record = await proveAgainst(options, limitSettings);
    const commands = record.requirements
      .filter(({ id }) => id.startsWith('LIMIT-') || id === 'RATE-05')
      .flatMap(({ id, findings }) => findings.slice(0, 1).map(({ reproduce = '' }) => ({ id, reproduce })));
    expect(commands).not.toEqual([]);
    for (const [index, { id, reproduce }] of commands.entries()) {
      const shell = shells[index % shells.length] ?? '';
      const faulty = await outputOf(shell, reproduce, options);
      const conforming = await outputOf(shell, reproduce, {});
      expect(faulty, `${id}: ${reproduce}`).not.toBe(conforming);
      expect(faulty).not.toBe('');
    }
  },
  60_000,
);
