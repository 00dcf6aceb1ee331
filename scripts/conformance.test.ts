import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faults } from '../lib/reference/faults/faults.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import type { ReferenceOptions } from '../lib/reference/options.js';
import { runRecordSchema, type RunRecord } from '../lib/evidence/record/record.js';
import { closedPort } from '../lib/testing/ports.js';
import { start, type Ended } from './testing/program.js';

/**
 * The program as people start it, by its exit codes. Each start takes a second, so parsing and checking have tests of
 * their own; these are for what only the whole shows.
 */

const apiKey = 'marked-key-of-the-test';
const key = { key: apiKey, perMinute: 100_000, perDay: 1_000_000 };
const services: ReferenceService[] = [];
async function serve(options: ReferenceOptions = {}): Promise<ReferenceService> {
  const service = await serveReference({ keys: [key], ...options });
  services.push(service);
  return service;
}
function fault(name: string): ReferenceOptions {
  const found = faults.find((one) => one.name === name);
  if (!found) throw new Error(`there is no fault ${name}`);
  return found.options;
}
afterAll(async () => {
  await Promise.all(services.map(async (service) => service.close()));
});

interface Start {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Called whenever the program has said something on stderr, with all of it. */
  readonly onSaid?: (said: string, interrupt: (signal: NodeJS.Signals) => void) => void;
}

async function conformance(args: readonly string[], { onSaid, ...place }: Start): Promise<Ended> {
  const program = start('conformance', args, place);
  let said = '';
  program.process.stderr.on('data', (text: string) => {
    said += text;
    onSaid?.(said, (signal) => program.process.kill(signal));
  });
  const ended = await program.ended;
  for (const text of [ended.stdout, ended.stderr, ...filesIn(place.folder)])
    expect(text).not.toContain(apiKey);
  expect(ended.stdout + ended.stderr).not.toMatch(/^\s+at .*(:\d+|\(native\))/m);
  return ended;
}

/** What the program wrote; `.env` is what it was given. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.env')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

function recordIn(folder: string): RunRecord {
  return runRecordSchema.parse(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')));
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-command-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Terminal output without the breaks of 80 columns. */
function unfolded({ stdout }: Ended): string {
  return stdout.replaceAll(/\n */g, ' ');
}

/** A run of the quick profile against a service, with its key. */
async function quick(
  { baseUrl }: Pick<ReferenceService, 'baseUrl'>,
  args: readonly string[] = [],
  onSaid?: Start['onSaid'],
): Promise<Ended> {
  const usual = ['--profile=quick', '--report=none', '--output=out'];
  const environment = { PETSTORE_API_KEY: apiKey };
  return conformance([`--base-url=${baseUrl}`, ...usual, ...args], {
    folder,
    environment,
    ...(onSaid && { onSaid }),
  });
}

describe('exit code 0', () => {
  test('a target in .env is judged and every report written, with the key in none of them', async () => {
    const { baseUrl } = await serve();
    writeFileSync(
      join(folder, '.env'),
      `STAGING_BASE_URL=${baseUrl}\nSTAGING_API_KEY=${apiKey}\nSTAGING_PLAN=business\n`,
    );
    const ended = await conformance(['--target=staging', '--profile=quick', '--report=all', '--seed=1'], {
      folder,
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(' PARTIAL  Conformant in all that was');
    const [run = ''] = readdirSync(join(folder, 'reports', 'runs'));
    expect(run).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-staging$/);
    const output = join(folder, 'reports', 'runs', run);
    expect(readdirSync(output)).toEqual(
      expect.arrayContaining(['exchanges.jsonl', 'junit.xml', 'manifest.json', 'report.html', 'report.json']),
    );
    expect(recordIn(output).requests.sent).toBeLessThanOrEqual(60);
  });

  test('--dry-run sends nothing, and writes nothing', async () => {
    const service = await serve();
    const ended = await quick(service, ['--plan=free', '--dry-run']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(
      /Nothing was sent.*\d+\s+requests: .*no\s+waiting\s+on\s+the\s+free\s+plan/s,
    );
    expect(service.requestCount()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('--help and --version answer', async () => {
    const ended = await Promise.all(
      ['--help', '--version'].map(async (one) => conformance([one], { folder })),
    );
    expect(ended).toMatchObject([
      { code: 0, stderr: '', stdout: expect.stringContaining('--base-url=URL') },
      { code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) },
    ]);
  });
});

describe('exit code 1', () => {
  test('a failure; with --bail the run ends there, and says so of what it did not reach', async () => {
    const ended = await quick(await serve(fault('one-more-than-limit')), ['--bail']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^The run ended early \(--bail\): \d+ requirements not reached\.$/m);
    // What was not reached had been selected.
    expect(ended.stdout).toMatch(/Not selected: RATE-04, the\s+limits, the description/);
    const reasons = recordIn(join(folder, 'out')).requirements.map(({ reason }) => reason);
    expect(reasons).toContain('not reached: the run stopped at a failure (--bail)');
  });

  test('a warning, if the run is strict', async () => {
    const ended = await quick(await serve(fault('401-without-challenge')), ['--only=AUTH', '--strict']);
    expect(ended.code).toBe(1);
    const { requirements } = recordIn(join(folder, 'out'));
    expect(requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(requirements.find(({ id }) => id === 'AUTH-07')?.verdict).toBe('warn');
  });
});

test('exit code 2: a mistake is one line, and nothing is sent or written', async () => {
  const service = await serve();
  writeFileSync(join(folder, 'waivers.yaml'), 'waivers: everything\n');
  // Even root can't write below a file.
  const mistakes: ReadonlyArray<readonly [args: readonly string[], line: string]> = [
    [['--target=staging'], 'STAGING_BASE_URL'],
    [['--waivers=waivers.yaml'], 'waivers'],
    [
      [`--base-url=${service.baseUrl}`, `--api-key=${apiKey}`, '--output=waivers.yaml/run'],
      "waivers.yaml/run can't be written (ENOTDIR)",
    ],
  ];
  for (const [args, line] of mistakes) {
    const { code, stdout, stderr } = await conformance(args, { folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^petstore-conformance: [^\n]+\n$/);
    expect(stderr).toContain(line);
  }
  expect(service.requestCount()).toBe(0);
  expect(readdirSync(folder)).toEqual(['waivers.yaml']);
});

describe('exit code 3', () => {
  test('--max-requests was too few', async () => {
    const service = await serve();
    const ended = await quick(service, ['--max-requests=10']);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('the budget of 10 requests (--max-requests) is used up');
    expect(service.requestCount()).toBe(10);
  });

  test('the key is rejected: the first line asks whose key it is', async () => {
    const service = await serve({ keys: [{ ...key, key: 'another-key' }] });
    const ended = await quick(service);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/^\s* INCOMPLETE {2}No operation accepts the key of PETSTORE_API_KEY/);
    const record = recordIn(join(folder, 'out'));
    expect(record.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(service.requestCount()).toBeLessThan(30);
  });

  test('nothing listens', async () => {
    const ended = await quick({ baseUrl: `http://127.0.0.1:${closedPort}/v1` });
    expect(ended.code).toBe(3);
    expect(unfolded(ended)).toContain(
      "the target can't be reached: the connection was refused: nothing listens at that address.",
    );
    const { requirements } = recordIn(join(folder, 'out'));
    expect(requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });
});

test('exit code 130: an interrupted run leaves the record of what was done', async () => {
  const service = await serve({ keys: [{ key: apiKey, perMinute: 25, perDay: 100_000 }] });
  const plan = ['--plan=enterprise', '--per-minute=25', '--per-day=100000'];
  const ended = await quick(service, plan, (said, interrupt) => {
    if (said.includes('waiting') && !said.includes('ending the run')) interrupt('SIGINT');
  });
  expect(ended.code).toBe(130);
  expect(ended.stderr).toMatch(/waiting: .*, \d+ s\n+ending the run: its record is being written/s);
  const record = recordIn(join(folder, 'out'));
  expect(record).toMatchObject({
    verdict: 'incomplete',
    run: { complete: false, stopped: 'the run was interrupted' },
  });
  const lines = readFileSync(join(folder, 'out', 'exchanges.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(record.requests.sent);
  expect(lines.length).toBeGreaterThan(5);
});
