import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { programOptions } from '../lib/options/run-options.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { runRecordSchema } from '../lib/record/record.js';

/**
 * The package as others get it: packed, installed in a folder of its own, and run there. Slow, and so one round for all:
 * first the folder holds the package alone, then Vitest and a configuration that is not ours.
 */

const project = fileURLToPath(new URL('..', import.meta.url));
const { key } = referenceKeys.business;

/** What of the action is tried here. */
const actionSchema = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().optional() })),
  outputs: z.record(z.string(), z.unknown()),
  runs: z.object({ steps: z.array(z.object({ id: z.string().optional(), run: z.string().optional() })) }),
});

/** Jest is no dependency of the project: it is installed once for all, in a folder that the next self-test finds. */
const jestVersion = '30.5.2';
let jest: Promise<string>;
async function installJest(): Promise<string> {
  const own = join(project, 'node_modules', '.cache', `jest-${jestVersion}`);
  const modules = join(own, 'node_modules');
  // npm writes it last, when everything is there.
  if (!existsSync(join(modules, '.package-lock.json'))) {
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'package.json'), '{}');
    await npm(['install', '--prefix', own, ...quietly, `jest@${jestVersion}`], folder);
  }
  return join(modules, 'jest');
}
const quietly = ['--prefer-offline', '--no-audit', '--no-fund'];

let folder: string;
let service: ReferenceService;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What npm and Vitest tell the processes that they start; a person's shell knows nothing of it. */
const ofOurCaller =
  /^(npm_(package|lifecycle|command|config_local_prefix)|INIT_CWD|VITEST|NODE_ENV|NODE_OPTIONS|GITHUB_)/;

async function start(
  program: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !ofOurCaller.test(name));
  const env = { ...Object.fromEntries(inherited), PETSTORE_API_KEY: key, ...more };
  try {
    return { code: 0, ...(await promisify(execFile)(program, [...args], { cwd, env })) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return {
      code: typeof code === 'number' ? code : -1,
      stdout,
      stderr: stderr === '' ? String(error) : stderr,
    };
  }
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  const { code, stderr } = await start('npm', args, cwd);
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed with ${code}: ${stderr}`);
}

async function install(what: string): Promise<void> {
  await npm(['install', ...quietly, what], folder);
}

async function npx(...args: readonly string[]): Promise<Ended> {
  return start('npx', ['--no-install', 'petstore-conformance', ...args], folder);
}

/** What npx starts; npx itself takes half a second, and is tried once. */
async function command(...args: readonly string[]): Promise<Ended> {
  return start(join(folder, 'node_modules', '.bin', 'petstore-conformance'), args, folder);
}

const judging = (output: string): string[] => [
  `--base-url=${service.baseUrl}`,
  '--plan=business',
  `--output=${output}`,
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-package-'));
  service = await serveReference();
  jest = installJest();
  // It is built already, and other tests are using it.
  await npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], project);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  await install(`./${tarball}`);
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const installed = (): string => join(folder, 'node_modules', 'petstore-conformance');

test('the package holds what is run and what is read, and none of the project’s own tests', () => {
  const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'dist/openapi.json',
      'dist/config.schema.json',
      'dist/report.schema.json',
      'dist/lib/index.d.ts',
      'dist/reports/vitest/conformance-tests.js',
    ]),
  );
  expect(
    files.filter((name) => /\.test\b|\/testing\/|\/hostile\/|\.tsx?$/.test(name.replace(/\.d\.ts$/, ''))),
  ).toEqual([]);
});

test('an installation takes less than 40 MB', () => {
  const modules = join(folder, 'node_modules');
  const sizes = readdirSync(modules, { recursive: true, encoding: 'utf8' }).map(
    (name) => lstatSync(join(modules, name)).size,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000_000);
});

test('the types of the package say what each option means', () => {
  const types = readFileSync(join(installed(), 'dist', 'lib', 'options', 'run-options.d.ts'), 'utf8');
  const documented = new Set([...types.matchAll(/\*\/\n {4}(\w+): z\./g)].map(([, name]) => name));
  expect(Object.keys(programOptions).filter((name) => !documented.has(name))).toEqual([]);
});

test('installed in an empty folder, npx petstore-conformance judges a service', async () => {
  const ended = await npx(...judging('first'));
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('CONFORMANT') });
  const record = runRecordSchema.parse(
    JSON.parse(readFileSync(join(folder, 'first', 'report.json'), 'utf8')),
  );
  expect(record.verdict).toBe('conformant');
  expect(readdirSync(join(folder, 'first'))).toEqual(
    expect.arrayContaining(['exchanges.jsonl', 'manifest.json', 'report.html', 'report.json']),
  );
  expect(await command('report', 'verify', 'first')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Proved:'),
  });
});

test('a program imports the run, the schema and the interface description', async () => {
  const program = `
    import { catalogue, runConformance, runRecordSchema } from 'petstore-conformance';
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    const record = await runConformance({ only: ['AUTH-01'] });
    console.log(JSON.stringify({
      verdict: runRecordSchema.parse(record).verdict,
      rows: record.requirements.length === catalogue.length,
      openapi: require('petstore-conformance/openapi.json').info.version,
      schema: require('petstore-conformance/report.schema.json').type,
    }));`;
  writeFileSync(join(folder, 'program.mjs'), program);
  const ended = await start(process.execPath, ['program.mjs'], folder);
  expect(ended.stderr).toBe('');
  expect(JSON.parse(ended.stdout)).toEqual({
    verdict: 'partial',
    rows: true,
    openapi: '1.0.0',
    schema: 'object',
  });
});

test('the types of the package hold in a strict program', async () => {
  const program = `
    import { exitCode, runConformance, type RunConformanceOptions, type RunRecord } from 'petstore-conformance';
    const options: RunConformanceOptions = { only: ['AUTH'], profile: 'quick', signal: new AbortController().signal };
    const record: RunRecord = await runConformance(options);
    export const code: 0 | 1 | 3 = exitCode(record);`;
  writeFileSync(join(folder, 'program.mts'), program);
  const compiler = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--types', ''];
  const ended = await start(process.execPath, [compiler, ...options, 'program.mts'], folder);
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
});

describe('what the documentation shows', () => {
  /** A service for each test: the limit of another one's key may be used up. */
  async function shell(command: string, more: Record<string, string> = {}): Promise<Ended> {
    const own = await serveReference();
    onTestFinished(() => own.close());
    return start('bash', ['-e', '-c', command], folder, { PETSTORE_BASE_URL: own.baseUrl, ...more });
  }

  test.each([
    ['Vitest', 'vitest.test.mjs', 'npx vitest run vitest.test.mjs'],
    ['Node', 'node.test.mjs', 'node --test node.test.mjs'],
    [
      'Jest',
      'jest.test.mjs',
      "node --experimental-vm-modules node_modules/jest/bin/jest.js --testMatch='**/jest.test.mjs'",
    ],
  ])('the example for %s passes for a service that conforms', async (_, file, command) => {
    rmSync(join(folder, 'vitest.config.ts'), { force: true });
    if (file.startsWith('jest')) symlinkSync(await jest, join(folder, 'node_modules', 'jest'));
    cpSync(join(project, 'docs', 'examples', file), join(folder, file));
    expect(readFileSync(join(folder, file), 'utf8')).toContain(command);
    expect(await shell(command)).toMatchObject({ code: 0 });
  });

  test('the commands of the pages on CI run', async () => {
    const pages = ['github', 'gitlab', 'jenkins'].map((name) =>
      readFileSync(join(project, 'docs', 'ci', `${name}.md`), 'utf8'),
    );
    const commands = [
      ...new Set(pages.flatMap((page) => page.match(/npx --yes petstore-conformance@[^'\n]*/g) ?? [])),
    ];
    expect(commands.length).toBeGreaterThan(2);
    cpSync(join(folder, 'first'), join(folder, 'conformance-of-main'), { recursive: true });
    // A run first: the other commands read it.
    for (const command of commands.toSorted(
      (one, other) => Number(/ report /.test(one)) - Number(/ report /.test(other)),
    )) {
      const isRun = !/ report /.test(command);
      if (isRun) rmSync(join(folder, 'conformance'), { recursive: true, force: true });
      // npx itself takes half a second, and is tried above.
      const installedOne = command.replace(
        /npx --yes petstore-conformance@\S+/,
        './node_modules/.bin/petstore-conformance',
      );
      expect([command, await shell(installedOne)]).toEqual([command, expect.objectContaining({ code: 0 })]);
    }
  });

  test('the action runs, and tells later steps how it went', async () => {
    const action = actionSchema.parse(parseYaml(readFileSync(join(project, 'action.yml'), 'utf8')));
    const judge = action.runs.steps.find(({ id }) => id === 'judge');
    const inputs = {
      ...Object.fromEntries(
        Object.entries(action.inputs).map(([name, { default: usual = '' }]) => [name, usual]),
      ),
      'base-url': service.baseUrl,
      plan: 'business',
      only: 'AUTH, LIST-01',
      strict: 'true',
      output: 'of the action',
    };
    const output = join(folder, 'github-output');
    const ended = await shell(judge?.run ?? 'false', {
      INPUTS: JSON.stringify(inputs),
      PACKAGE: 'petstore-conformance',
      GITHUB_ACTIONS: 'true',
      GITHUB_OUTPUT: output,
    });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('PARTIAL') });
    const outputs = Object.fromEntries(
      readFileSync(output, 'utf8')
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    expect(Object.keys(action.outputs).toSorted()).toEqual(Object.keys(outputs).toSorted());
    expect(outputs).toMatchObject({ verdict: 'partial', failed: '', report: join(folder, 'of the action') });
    expect(readdirSync(join(folder, 'of the action'))).toEqual(
      expect.arrayContaining(['report.html', 'junit.xml']),
    );
  });
});
