import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { initialFiles } from './initial-files.js';

const workflow = z.object({
  permissions: z.object({ contents: z.literal('read') }),
  jobs: z.object({
    conformance: z.object({
      'timeout-minutes': z.number(),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  }),
});

/** The commands of the workflow that a folder with these files gets, one after the other. */
function commandsBeside(files: readonly string[], isInstalled = false, start?: string) {
  const known = { baseUrl: 'http://localhost:8080/v1', plan: 'free', version: '1.2.3' } as const;
  const written = initialFiles({ ...known, start, files, isInstalled });
  const { steps } = workflow.parse(parse(written['.github/workflows/petstore-conformance.yml'] ?? '')).jobs
    .conformance;
  for (const uses of steps.flatMap((step) => step.uses ?? []))
    expect(uses).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/);
  return steps.flatMap(({ run }) => run ?? []);
}

const suite = 'npx --yes petstore-conformance@1.2.3';

it.each([
  [
    ['package.json', 'package-lock.json'],
    ['npm ci', suite],
  ],
  [
    ['pyproject.toml', 'uv.lock'],
    ['pipx run uv sync --locked', suite],
  ],
  [['requirements.txt'], ['pip install -r requirements.txt', suite]],
  [
    ['go.mod', 'go.sum'],
    ['go mod download', suite],
  ],
  [['main.c'], [suite]],
])('the workflow beside %j installs the service first, by its lock file', (files, expected) => {
  expect(commandsBeside(files, false, 'run it')).toEqual(expected);
});

it('the workflow runs the suite that the lock file has', () => {
  expect(commandsBeside(['package-lock.json'], true)).toEqual(['npm ci', 'npx petstore-conformance']);
});

it('the workflow installs nothing for a service that runs elsewhere', () => {
  expect(commandsBeside(['package-lock.json'])).toEqual([suite]);
});
