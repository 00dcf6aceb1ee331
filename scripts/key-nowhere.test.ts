import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withResponses } from '../lib/reference/changes.js';
import { combineOptions, type ReferenceOptions } from '../lib/reference/options.js';
import { serveReference } from '../lib/reference/serve.js';
import { reportCommand } from '../reports/report-command.js';
import { closedPort } from '../lib/testing/ports.js';
import { echoing } from './testing/header-server.js';
import { tracesInFolder, tracesOf } from './testing/key-places.js';
import { start, type Ended } from './testing/program.js';

/** Characters that are written otherwise in addresses, and in the alphabets of base64. */
const key = 'pets+Live/7xR=2m.Wv~9_Kd-zT41q+h/4=';
const otherKey = 'pets+Other/5tY=8n.Bc~3_Gf-uJ42w+k/9=';
const bannedKey = 'pets+Banned/4rE=6v.Xz~1_Ls-oP43e+m/2=';
const keys = [key, otherKey, bannedKey];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-key-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

function tracesIn(ended: Ended): string[] {
  return tracesOf(keys, `${ended.stdout}\n${ended.stderr}`);
}

/** What `npm run report` says. */
async function report(command: readonly string[]): Promise<string> {
  let output = '';
  await reportCommand(command, {
    print: (text) => (output += `${text}\n`),
    columns: 80,
    colour: false,
  }).catch((error: unknown) => (output += `${String(error)}\n`));
  return output;
}

/** Runs the suite against the reference service with these options, its target's keys among them or not. */
async function judge(
  options: ReferenceOptions,
  args: readonly string[],
  environment: Record<string, string>,
) {
  let commandLine = '';
  const seen = withResponses((answer) => {
    // The run's own process, while it goes on: what `ps` shows of it.
    commandLine ||= readFileSync(`/proc/${program.process.pid ?? 0}/cmdline`, 'utf8');
    return answer;
  });
  const service = await serveReference(combineOptions(options, seen));
  const program = start(
    'conformance',
    [`--base-url=${service.baseUrl}`, '--plan=business', '--seed=1', ...args],
    {
      folder,
      environment,
    },
  );
  try {
    return { ended: await program.ended, commandLine };
  } finally {
    await service.close();
  }
}

const known = { keys: [key, otherKey].map((one) => ({ key: one, perMinute: 100_000, perDay: 100_000 })) };

describe.concurrent('the key is nowhere', () => {
  it('in all that a run of everything writes and says, of a target that repeats it', async () => {
    const output = join(folder, 'echoed');
    const waivers = join(folder, 'waivers.yaml');
    await writeFile(
      waivers,
      '- { id: LIST-04, target: other, reason: known, owner: us, until: 2999-01-01 }\n',
    );
    const { ended, commandLine } = await judge(
      combineOptions(known, echoing),
      [
        `--api-key=${key}`,
        `--other-api-key=${otherKey}`,
        `--output=${output}`,
        '--report=all',
        '--profile=quick',
        `--waivers=${waivers}`,
      ],
      { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(output, 'step.md') },
    );
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('ERR-04');
    expect(commandLine).toContain('petstore-conformance');
    expect(tracesOf(keys, commandLine)).toEqual([]);
    expect(tracesIn(ended)).toEqual([]);
    expect(await tracesInFolder(keys, output)).toEqual([]);
    const evidence = await readFile(join(output, 'exchanges.jsonl'), 'utf8');
    expect(evidence).toContain('Bearer $PETSTORE_API_KEY');
    expect(evidence).toContain('[part of PETSTORE_API_KEY]');
    const again = join(folder, 'again');
    for (const command of [
      ['render', output, '--report=all', `--output=${again}`],
      ['render', output, '--report=terminal'],
      ['compare', output, output],
      ['verify', output],
    ]) {
      const said = await report(command);
      expect(said).not.toBe('');
      // What stands for a key is judged as the key was.
      expect(said).not.toMatch(/[1-9]\d* differ/);
      expect(tracesOf(keys, said)).toEqual([]);
    }
    expect(await tracesInFolder(keys, again)).toEqual([]);
  });

  it('when the target refuses it, with every key on the command line', async () => {
    const output = join(folder, 'refused');
    const others = { keys: [{ key: 'another_key_altogether', perMinute: 100_000, perDay: 100_000 }] };
    const given = [
      `--api-key=${key}`,
      `--other-api-key=${otherKey}`,
      `--observe-ban=${bannedKey}`,
      '--limits=minute',
    ];
    const { ended, commandLine } = await judge(
      combineOptions(others, echoing),
      [...given, `--output=${output}`, '--report=all'],
      {},
    );
    expect(ended.code).toBe(3);
    expect(tracesIn(ended)).toEqual([]);
    expect(tracesOf(keys, commandLine)).toEqual([]);
    expect(await tracesInFolder(keys, output)).toEqual([]);
  });

  it('when a load is sent to a target that repeats it', async () => {
    const output = join(folder, 'load');
    const service = await serveReference(combineOptions(known, echoing));
    const target = [`--base-url=${service.baseUrl}`, `--api-key=${key}`, '--plan=business'];
    const options = ['--duration=1s', '--rate=20/s', `--output=${output}`];
    const { ended } = start('load', [...target, ...options], { folder });
    const program = await ended.finally(() => void service.close());
    expect(program.stdout).toContain('evenly spaced');
    expect(tracesIn(program)).toEqual([]);
    expect(await tracesInFolder(keys, output)).toEqual([]);
  });

  it('when nothing listens', async () => {
    const output = join(folder, 'dead');
    const program = start(
      'conformance',
      [`--base-url=http://127.0.0.1:${closedPort}/v1`, `--output=${output}`, '--report=all'],
      { folder, environment: { PETSTORE_API_KEY: key } },
    );
    const ended = await program.ended;
    expect(ended.code).toBe(3);
    expect(tracesIn(ended)).toEqual([]);
    expect(await tracesInFolder(keys, output)).toEqual([]);
  });

  it.each([
    ['in the place of the address', [`--base-url=${key}`]],
    [
      'in the address, which is rehearsed',
      [`--base-url=http://127.0.0.1/${encodeURIComponent(key)}/v1`, '--dry-run', '--only=AUTH-01'],
    ],
  ])('when it stands %s', async (_, args) => {
    const ended = await start('conformance', args, {
      folder,
      environment: { STAGING_API_KEY: key, PETSTORE_API_KEY: key },
    }).ended;
    expect(`${ended.stdout}${ended.stderr}`).not.toBe('');
    expect(tracesIn(ended)).toEqual([]);
  });
});
