import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageFile, suiteName, suiteVersion } from '../lib/run/suite-name.js';
import { commandsOf } from './init.js';

const suite = `npx --yes ${suiteName}@${suiteVersion}`;

it.each([
  [['package.json', 'package-lock.json'], 'npm ci'],
  [['pyproject.toml', 'uv.lock'], 'pipx run uv sync --locked'],
  [['requirements.txt'], 'pip install -r requirements.txt'],
  [['go.mod', 'go.sum'], 'go mod download'],
  [['main.c'], undefined],
])('the workflow beside %j installs the service first, by its lock file', (files, install) => {
  expect(commandsOf(files, false, 'run it')).toEqual({ install, suite });
});

it('the workflow runs the suite that the lock file has', () => {
  expect(commandsOf(['package-lock.json'], true, undefined)).toEqual({
    install: 'npm ci',
    suite: 'npx petstore-conformance',
  });
});

it('the workflow installs nothing for a service that runs elsewhere, and pins what it uses', () => {
  expect(commandsOf(['package-lock.json'], false, undefined)).toEqual({ install: undefined, suite });
  const workflow = readFileSync(packageFile('docs/init/workflow.yml'), 'utf8');
  for (const [, uses] of workflow.matchAll(/uses: (\S+)/g))
    expect(uses).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/);
});
