import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { programOptions } from '../lib/options/run-options.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { runRecordSchema } from '../lib/evidence/record/record.js';

/**
 * The package as others get it: packed, installed in a folder of its own, and run there. Slow, and so one round for all.
 */

const project = fileURLToPath(new URL('..', import.meta.url));
const { key } = referenceKeys.business;

const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8');
/** What stands behind a word at the beginning of a line. */
const dockerSteps = (wanted: string): string[] =>
  [...dockerfile.matchAll(/^([A-Z]+) (.*)$/gm)].flatMap(([, word, rest = '']) =>
    word === wanted ? rest : [],
  );
const [pattern = '', to = ''] = (dockerSteps('COPY')[0] ?? '').split(' ');
const copied = { source: new RegExp(`^${pattern.replaceAll('.', '\\.').replace('*', '.*')}$`), to };

/** What of the action is tried here. */
const actionSchema = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().optional() })),
  outputs: z.record(z.string(), z.unknown()),
  runs: z.object({ steps: z.array(z.object({ id: z.string().optional(), run: z.string().optional() })) }),
});

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

/** Runs a command as the documentation shows it, on a service of its own: another's limit may be used up. */
async function shell(command: string, more: Record<string, string> = {}): Promise<Ended> {
  const own = await serveReference();
  onTestFinished(() => own.close());
  return start('bash', ['-e', '-c', command], folder, { PETSTORE_BASE_URL: own.baseUrl, ...more });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-package-'));
  service = await serveReference();
  // It is built already, and other tests are using it.
  await npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], project);
  const tarball = readdirSync(folder).find((name) => copied.source.test(name)) ?? '';
  renameSync(join(folder, tarball), join(folder, copied.to));
  // It is installed as the container does it.
  for (const step of dockerSteps('RUN')) {
    const { code, stderr } = await start('sh', ['-e', '-c', step], folder);
    if (code !== 0) throw new Error(`${step} failed with ${code}: ${stderr}`);
  }
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
      'dist/sbom.cdx.json',
      'dist/lib/index.d.ts',
      'dist/reports/vitest/conformance-tests.js',
      'reports/templates/vitest.js',
    ]),
  );
  expect(
    files.filter((name) => /\.test\b|\/testing\/|\/hostile\/|\.tsx?$/.test(name.replace(/\.d\.ts$/, ''))),
  ).toEqual([]);
});

test('scanners see the versions of the libraries that are bundled', () => {
  const list = JSON.parse(readFileSync(join(installed(), 'dist', 'sbom.cdx.json'), 'utf8')) as {
    components: { name: string; version: string }[];
  };
  const names = list.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['autocannon', 'undici', 'ajv']));
  // Zod is a dependency, and vitest is the user's.
  expect(names).not.toContain('vitest');
});

test('the text of its licence goes with each library', () => {
  const texts = readFileSync(join(installed(), 'dist', 'LICENSES.txt'), 'utf8').split(
    `\n${'-'.repeat(80)}\n`,
  );
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts) expect(text.length).toBeGreaterThan(400);
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

test('in an empty folder the commands of the pages on CI judge a service, compare and verify', async () => {
  const pages = ['github', 'gitlab', 'jenkins'].map((name) =>
    readFileSync(join(project, 'docs', 'ci', `${name}.md`), 'utf8'),
  );
  const shown = pages.flatMap((page) => page.match(/npx --yes petstore-conformance@[^'\n]*/g) ?? []);
  const commands = [...new Set(shown)].map((one) =>
    one.replace(/--yes petstore-conformance@\S+/, '--no-install petstore-conformance'),
  );
  const [judges = 'false', ...others] = commands.filter((one) => !one.includes(' report '));
  expect(others).toEqual([]);
  const ended = await shell(judges);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining(' CONFORMANT ') });
  const run = join(folder, 'conformance');
  const record = runRecordSchema.parse(JSON.parse(readFileSync(join(run, 'report.json'), 'utf8')));
  expect(record.verdict).toBe('conformant');
  expect(readdirSync(run)).toEqual(
    expect.arrayContaining(['exchanges.jsonl', 'junit.xml', 'manifest.json', 'report.html']),
  );
  for (const main of ['conformance-of-main', 'main/conformance'])
    cpSync(run, join(folder, main), { recursive: true });
  // What npx starts; npx itself takes half a second.
  const reading = commands
    .filter((one) => one.includes(' report '))
    .map((one) => one.replace('npx --no-install ', './node_modules/.bin/'));
  expect(reading.length).toBeGreaterThan(1);
  for (const one of reading)
    expect([one, await shell(one)]).toEqual([one, expect.objectContaining({ code: 0 })]);
});

test('the container leaves no tarball behind, has no root, and starts what it installs', async () => {
  expect(validate(dockerfile)).toEqual([]);
  expect(dockerSteps('USER')).toEqual(['node']);
  expect(existsSync(join(folder, copied.to))).toBe(false);
  const [program = ''] = z.array(z.string()).parse(JSON.parse(dockerSteps('ENTRYPOINT')[0] ?? ''));
  const path = (dockerSteps('ENV')[0] ?? '').replace('PATH="/suite', folder).replace(/:.*/, '');
  expect(await start(join(path, program), ['--version'], folder)).toMatchObject({ code: 0 });
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
  test.each([
    ['Vitest', 'vitest.test.mjs', 'npx vitest run vitest.test.mjs'],
    ['Node', 'node.test.mjs', 'node --test node.test.mjs'],
  ])('the example for %s passes for a service that conforms', async (_, file, command) => {
    // As installed, in no time.
    if (file.startsWith('vitest'))
      symlinkSync(join(project, 'node_modules', 'vitest'), join(folder, 'node_modules', 'vitest'));
    cpSync(join(project, 'docs', 'examples', file), join(folder, file));
    expect(readFileSync(join(folder, file), 'utf8')).toContain(command);
    expect(await shell(command)).toMatchObject({ code: 0 });
  });

  test('the example for Jest is that for Node, but for what each of them needs', () => {
    const [jest, node] = ['jest', 'node'].map((name) =>
      readFileSync(join(project, 'docs', 'examples', `${name}.test.mjs`), 'utf8')
        .replaceAll(/^(?:\/\/|import .* 'node:test').*\n/gm, '')
        .replace('}, 120_000);', '});'),
    );
    expect(jest).toBe(node);
  });

  test('the action runs, and tells later steps how it went', async () => {
    const action = actionSchema.parse(parseYaml(readFileSync(join(project, 'action.yml'), 'utf8')));
    const judge = action.runs.steps.find(({ id }) => id === 'judge');
    const inputs = {
      ...Object.fromEntries(
        Object.entries(action.inputs).map(([name, { default: usual = '' }]) => [name, usual]),
      ),
      package: 'petstore-conformance',
      'base-url': service.baseUrl,
      plan: 'business',
      only: 'AUTH, LIST-01',
      strict: 'true',
      output: 'of the action',
    };
    const output = join(folder, 'github-output');
    const ended = await shell(judge?.run ?? 'false', {
      INPUTS: JSON.stringify(inputs),
      GITHUB_ACTION_PATH: project,
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
