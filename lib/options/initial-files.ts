import { stringify } from 'yaml';
import type { PlanName } from '../specification/plan.js';
import { variableOf } from './environment.js';
import { settingsName } from './settings-file.js';

/** What `init` knows of the service and of the folder. */
interface Surroundings {
  readonly baseUrl: string;
  readonly plan: PlanName;
  /** The command that starts the service; none if it runs already. */
  readonly start: string | undefined;
  /** Of the suite. */
  readonly version: string;
  /** The folder has a package.json, whose dependencies a workflow must install. */
  readonly isPackage: boolean;
}

/** The one target of a new repository, and the variable of its key. */
const target = 'petstore';
const key = variableOf(target, 'apiKey');

/** The files that a repository begins with, by their paths. */
export function initialFiles(known: Surroundings): Readonly<Record<string, string>> {
  return {
    [settingsName]: settingsText(known),
    '.env.example': environmentText,
    '.github/workflows/petstore-conformance.yml': workflowText(known),
  };
}

function settingsText({ baseUrl, plan, start }: Surroundings): string {
  const own = { baseUrl, plan, ...(start ? { start } : {}), wait: '30s' };
  return `# yaml-language-server: $schema=./node_modules/petstore-conformance/dist/config.schema.json
# What every run of petstore-conformance uses here. Options of the command line and variables of the environment win.
# Keys never stand in this file: ${key} is set in the environment or in .env.
${stringify({ target, targets: { [target]: own } })}`;
}

/** What the settings file can't hold, or what differs from one machine to another. */
const environmentText = `# Copy this file to .env, and keep .env out of git. Variables of the environment win.
# The key that every request carries.
${key}=
# A second key, for LIMIT-08.
#${variableOf(target, 'otherApiKey')}=
# The address of the service, if it is not that of ${settingsName}.
#${variableOf(target, 'baseUrl')}=
`;

function workflowText({ start, version, isPackage }: Surroundings): string {
  const install = start !== undefined && isPackage ? '\n      - run: npm ci' : '';
  return `# Judges the service by the specification at each push. Add the key as a secret named ${key}.
name: Pet Store conformance
on: [push, pull_request]
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22${install}
      - run: npx --yes petstore-conformance@${version}
        env:
          ${key}: \${{ secrets.${key} }}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: conformance
          path: reports/runs
`;
}
