import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

// What `action.yml` runs: the package with its inputs as options. It stands alone, as nothing is installed beside it.

/** Inputs that are no options. Keys stay in the environment. */
const beside = new Set(['api-key', 'other-api-key', 'package', 'artifact']);
const settingsName = 'petstore-conformance.config.yaml';

/**
 * The options of the command line that inputs stand for. What is empty or `false` is not given; several lines are one value.
 *
 * @param {Readonly<Record<string, string>>} inputs
 * @returns {string[]}
 */
function optionsOf(inputs) {
  return Object.entries(inputs).flatMap(([name, given]) => {
    const value = given.trim();
    if (beside.has(name) || value === '' || value === 'false') return [];
    return value === 'true' ? `--${name}` : `--${name}=${value}`;
  });
}

/**
 * Why a job can't mean what its inputs say: a variable that is not set is an empty input, and would be a self-check.
 *
 * @param {Readonly<Record<string, string>>} inputs
 * @param {string} folder of the job, where its settings would stand
 * @returns {string | undefined}
 */
function problemIn(inputs, folder) {
  const isNamed = ['base-url', 'target'].some((name) => inputs[name]?.trim());
  if (isNamed || existsSync(join(folder, settingsName))) return undefined;
  return `Nothing says which service to judge: base-url and target are empty, and there is no ${settingsName}. Is a variable of the workflow not set? (target: reference judges the embedded service.)`;
}

/** The command that runs a package: npm's program beside this Node, as Windows has none that starts without a shell. */
function npxBeside(node) {
  const libraries = [join(dirname(node), 'node_modules'), join(dirname(node), '..', 'lib', 'node_modules')];
  const program = libraries.map((folder) => join(folder, 'npm', 'bin', 'npx-cli.js')).find(existsSync);
  return program === undefined ? ['npx'] : [node, program];
}

/** @param {readonly string[]} npx the command that runs a package */
function main(npx) {
  const { INPUTS = '{}', ...env } = process.env;
  const inputs = JSON.parse(INPUTS);
  const fail = (problem) => {
    console.log(`::error title=Pet Store conformance::${problem}`);
    return 2;
  };
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 18))
    return fail(
      `Node ${process.versions.node} is too old: put actions/setup-node with 20.18 or later before.`,
    );
  const problem = problemIn(inputs, process.cwd());
  if (problem !== undefined) return fail(problem);
  const [program = 'npx', ...beginning] = npx;
  const args = [...beginning, '--yes', inputs.package, ...optionsOf(inputs)];
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env });
  return error
    ? fail(`npx can't be started: ${error.message}. Put actions/setup-node before.`)
    : (status ?? 2);
}

const [, , ...given] = process.argv;
process.exitCode = main(given.length > 0 ? given : npxBeside(process.execPath));
