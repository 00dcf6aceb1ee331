import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faults } from '../lib/reference/faults/faults.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import type { ReferenceOptions } from '../lib/reference/options.js';
import { runRecordSchema, type RunRecord } from '../lib/record/record.js';
import { closedPort } from '../lib/testing/ports.js';
import { start, type Ended } from './testing/program.js';

/**
 * The program as people start it. Each start takes a second, so parsing and checking have tests of their own; these
 * are for what only the whole shows: exit codes, output, files and signals.
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

function verdictOf(record: RunRecord, id: string): string | undefined {
  return record.requirements.find((row) => row.id === id)?.verdict;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-command-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const withKey = { PETSTORE_API_KEY: apiKey };
const quick = ['--profile=quick', '--report=none', '--output=out'];

/** A usage problem: one line, exit code 2, nothing sent, nothing written. */
function expectOneLine({ code, stdout, stderr }: Ended, line: string): void {
  expect(stderr).toMatch(/^petstore-conformance: [^\n]+\n$/);
  expect(stderr).toContain(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
}

describe('a run', () => {
  test('judges a target in .env and writes every report, with the key in none of them', async () => {
    const { baseUrl } = await serve();
    writeFileSync(
      join(folder, '.env'),
      `STAGING_BASE_URL=${baseUrl}\nSTAGING_API_KEY=${apiKey}\nSTAGING_PLAN=business\n`,
    );
    const ended = await conformance(['--target=staging', '--profile=quick', '--report=all', '--seed=1'], {
      folder,
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(' PARTIAL  No failures in what was tested.');
    const [run = ''] = readdirSync(join(folder, 'reports', 'runs'));
    expect(run).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-staging$/);
    const output = join(folder, 'reports', 'runs', run);
    expect(readdirSync(output)).toEqual(
      expect.arrayContaining(['exchanges.jsonl', 'junit.xml', 'manifest.json', 'report.html', 'report.json']),
    );
    expect(recordIn(output).requests.sent).toBeLessThanOrEqual(60);
  });

  test('ends at the first failure with --bail, and says so of what it did not reach', async () => {
    const { baseUrl } = await serve(fault('one-more-than-limit'));
    const ended = await conformance([`--base-url=${baseUrl}`, '--bail', '--report=none', '--output=out'], {
      folder,
      environment: withKey,
    });
    expect(ended.code).toBe(1);
    const reasons = recordIn(join(folder, 'out')).requirements.map(({ reason }) => reason);
    expect(reasons).toContain('not reached: the run stopped at a failure (--bail)');
  });

  test('fails for a warning if it is strict', async () => {
    const { baseUrl } = await serve(fault('401-without-challenge'));
    const args = [`--base-url=${baseUrl}`, '--only=AUTH', '--report=none'];
    const [lenient, strict] = await Promise.all([
      conformance([...args, '--output=lenient'], { folder, environment: withKey }),
      conformance([...args, '--output=strict', '--strict'], { folder, environment: withKey }),
    ]);
    expect([lenient.code, strict.code]).toEqual([0, 1]);
    expect(verdictOf(recordIn(join(folder, 'strict')), 'AUTH-07')).toBe('warn');
  });

  test('keeps within --max-requests, and is incomplete', async () => {
    const service = await serve();
    const ended = await conformance([`--base-url=${service.baseUrl}`, '--max-requests=10', ...quick], {
      folder,
      environment: withKey,
    });
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('the budget of 10 requests (--max-requests) is used up');
    expect(service.requestCount()).toBe(10);
  });

  test('with --dry-run sends nothing, and writes nothing', async () => {
    const service = await serve();
    const ended = await conformance([`--base-url=${service.baseUrl}`, '--plan=free', '--dry-run'], {
      folder,
      environment: withKey,
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(
      /Nothing was sent.*\d+ requests, \d+ of them creates; about .* of\s+waiting\s+on\s+the\s+free\s+plan/s,
    );
    expect(service.requestCount()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'that is interrupted by %s ends with 130, and leaves the record of what was done',
    async (signal) => {
      const { baseUrl } = await serve({ keys: [{ key: apiKey, perMinute: 25, perDay: 100_000 }] });
      const plan = ['--plan=enterprise', '--per-minute=25', '--per-day=100000'];
      const ended = await conformance([`--base-url=${baseUrl}`, ...plan, ...quick], {
        folder,
        environment: withKey,
        onSaid: (said, interrupt) => {
          if (said.includes('waiting')) interrupt(signal);
        },
      });
      expect(ended.code).toBe(130);
      expect(ended.stderr).toMatch(/waiting \d+ s: .*\n+ending the run: its record is being written/s);
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
    },
  );
});

describe('a target', () => {
  test('that rejects the key is not judged, and the first line asks whose key it is', async () => {
    const service = await serve({ keys: [{ ...key, key: 'another-key' }] });
    const ended = await conformance([`--base-url=${service.baseUrl}`, ...quick], {
      folder,
      environment: withKey,
    });
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/^\s* INCOMPLETE {2}No operation accepts the key of PETSTORE_API_KEY/);
    const record = recordIn(join(folder, 'out'));
    expect(record.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(service.requestCount()).toBeLessThan(30);
  });

  test('that is not there, or not known, is a run without a verdict', async () => {
    const [refused, unknown] = await Promise.all([
      conformance([`--base-url=http://127.0.0.1:${closedPort}/v1`, '--report=none', '--output=refused'], {
        folder,
        environment: withKey,
      }),
      conformance(['--base-url=http://petstore.invalid/v1', '--report=none', '--output=unknown'], {
        folder,
        environment: withKey,
      }),
    ]);
    expect([refused.code, unknown.code]).toEqual([3, 3]);
    expect(unfolded(refused)).toContain(
      "the target can't be reached: the connection was refused: nothing listens at that address.",
    );
    expect(unfolded(unknown)).toContain(
      "the target can't be reached: the name of the host is not known (DNS).",
    );
    const fails = recordIn(join(folder, 'refused')).requirements.filter(({ verdict }) => verdict === 'fail');
    expect(fails).toEqual([]);
  });
});

/** The last lines of the terminal report, without the breaks of 80 columns. */
function unfolded({ stdout }: Ended): string {
  return stdout.replaceAll(/\n */g, ' ');
}

describe('before anything is sent', () => {
  test('an output folder that can not be written is one line', async () => {
    const service = await serve();
    // Even root can't write below a file.
    writeFileSync(join(folder, 'file'), '');
    const ended = await conformance([`--base-url=${service.baseUrl}`, '--output=file/run'], {
      folder,
      environment: withKey,
    });
    expectOneLine(ended, "file/run can't be written (ENOTDIR)");
    expect(service.requestCount()).toBe(0);
  });

  test('a mistake is one line, whoever finds it', async () => {
    writeFileSync(join(folder, 'waivers.yaml'), 'waivers: everything\n');
    const mistakes: ReadonlyArray<readonly [args: readonly string[], line: string]> = [
      [['--target=staging'], 'the target staging is not configured: set STAGING_BASE_URL in the environment'],
      [['--reporter=junit'], 'unknown option --reporter. Did you mean --report?'],
      [['--waivers=waivers.yaml'], 'waivers'],
    ];
    const ended = await Promise.all(mistakes.map(async ([args]) => conformance(args, { folder })));
    for (const [index, [, line]] of mistakes.entries())
      expectOneLine(ended[index] ?? { code: null, stdout: '', stderr: '' }, line);
    expect(existsSync(join(folder, 'reports'))).toBe(false);
  });

  test('--help and --version answer', async () => {
    const [help, version] = await Promise.all([
      conformance(['--help'], { folder }),
      conformance(['--version'], { folder }),
    ]);
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--base-url=URL') });
    expect(version).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});
