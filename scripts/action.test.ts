import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { commandLineOptions } from '../lib/options/command-line-options.js';
import { packageFile, suiteName, suiteVersion } from '../lib/run/suite-name.js';
import { flagOf } from '../lib/options/option.js';

const action = z
  .object({ inputs: z.record(z.string(), z.object({ default: z.string().optional() })) })
  .parse(parse(readFileSync(packageFile('action.yml'), 'utf8')));

/** Options that mean nothing in a job. */
const ofATerminal = new Set(
  'again watch resume dry-run help version api-key-file api-key-command observe-ban'.split(' '),
);

it('the action has the options of the command line as inputs', () => {
  const flags = Object.keys(commandLineOptions).map((name) => flagOf(commandLineOptions, name));
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
