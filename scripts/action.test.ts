import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { commandLineOptions } from '../lib/options/run-options.js';
import { packageFile, suiteName, suiteVersion } from '../lib/run/suite-name.js';
import { flagOf } from '../lib/options/option.js';

const text = readFileSync(packageFile('action.yml'), 'utf8');
const script = fileURLToPath(packageFile('action.mjs'));
const action = z
  .object({
    inputs: z.record(z.string(), z.object({ default: z.string().optional() })),
    runs: z.object({ steps: z.array(z.object({ run: z.string().optional(), uses: z.string().optional() })) }),
  })
  .parse(parse(text));

/** Options that mean nothing in a job. */
const ofATerminal = new Set(
  'again watch resume dry-run help version api-key-file api-key-command observe-ban'.split(' '),
);

it('the action has the options of the command line as inputs', () => {
  const flags = Object.keys(commandLineOptions).map((name) => flagOf(commandLineOptions, name).slice(2));
  const expected = [...flags.filter((flag) => !ofATerminal.has(flag)), 'package', 'artifact'];
  expect(Object.keys(action.inputs).toSorted()).toEqual(expected.toSorted());
});

it('the action and the pages on CI run this version', () => {
  expect(action.inputs['package']?.default).toBe(`${suiteName}@${suiteVersion}`);
  for (const name of ['github', 'gitlab', 'jenkins']) {
    const page = readFileSync(packageFile(`docs/ci/${name}.md`), 'utf8');
    expect(new Set(page.match(/petstore-conformance@[\w.]+/g))).toEqual(
      new Set([
        `${suiteName}@${suiteVersion}`,
        ...(name === 'github' ? [`${suiteName}@v${suiteVersion}`] : []),
      ]),
    );
  }
});

it('pins the actions that it uses by commit, and leaves the Node of the job alone', () => {
  const used = action.runs.steps.flatMap(({ uses }) => uses ?? []);
  for (const uses of used) expect(uses).toMatch(/^actions\/upload-artifact@[\da-f]{40}$/);
});

describe('the script of the action', () => {
  const folder = mkdtempSync(join(tmpdir(), 'action-'));
  const program = join(folder, 'npx.mjs');
  writeFileSync(
    program,
    'console.log(JSON.stringify([process.argv.slice(2), process.env.INPUTS ?? "none"])); process.exitCode = 3;',
  );
  /** Runs it as the step does, with a program in the place of npx's that prints its arguments. */
  function run(inputs: Readonly<Record<string, string>>, cwd = folder) {
    const [step] = action.runs.steps;
    expect(step?.run).toBe('node "$GITHUB_ACTION_PATH/action.mjs"');
    return spawnSync(process.execPath, [script, process.execPath, program], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, INPUTS: JSON.stringify({ package: 'p@1', ...inputs }) },
    });
  }

  it('hands the inputs to the package as options, and ends as it does', () => {
    const { stdout, status } = run({
      'base-url': 'http://localhost:8080/v1',
      start: 'cd service\npython3 main.py "a b" $PORT\n',
      strict: 'true',
      'read-only': 'false',
      plan: '',
      'api-key': 'secret',
    });
    expect(JSON.parse(stdout)).toEqual([
      [
        '--yes',
        'p@1',
        '--base-url=http://localhost:8080/v1',
        '--start=cd service\npython3 main.py "a b" $PORT',
        '--strict',
      ],
      'none',
    ]);
    expect(status).toBe(3);
  });

  it.each([{}, { 'base-url': '' }, { 'base-url': ' ', target: '' }])(
    'refuses a job that names no service: %o',
    (inputs) => {
      const { stdout, status } = run(inputs);
      expect(stdout).toMatch(
        /^::error [^\n]*Nothing says which service to judge: base-url and target are empty/,
      );
      expect(status).toBe(2);
    },
  );

  it('needs no address beside a settings file', () => {
    const own = mkdtempSync(join(tmpdir(), 'action-'));
    writeFileSync(join(own, 'petstore-conformance.config.yaml'), 'target: petstore\n');
    expect(run({}, own).status).toBe(3);
  });

  it('judges the reference service if it is asked to', () => {
    expect(run({ target: 'reference' }).stdout).toContain('"--target=reference"');
  });

  it('says so if there is no npx', () => {
    const env = { ...process.env, INPUTS: '{"package":"p@1","target":"reference"}' };
    const { stdout, status } = spawnSync(process.execPath, [script, '/nowhere/npx'], {
      encoding: 'utf8',
      env,
    });
    expect([status, stdout]).toEqual([
      2,
      expect.stringMatching(/^::error [^\n]*npx can't be started: .*ENOENT/),
    ]);
  });

  it('stands alone, without the libraries of the project', () => {
    const alone = mkdtempSync(join(tmpdir(), 'action-'));
    copyFileSync(script, join(alone, 'action.mjs'));
    const env = { ...process.env, INPUTS: '{}' };
    const { stdout } = spawnSync(process.execPath, [join(alone, 'action.mjs')], {
      cwd: alone,
      encoding: 'utf8',
      env,
    });
    expect(stdout).toContain('Nothing says which service to judge');
  });
});
