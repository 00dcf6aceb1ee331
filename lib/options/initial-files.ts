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
  /** The names of the files in the folder. */
  readonly files: readonly string[];
  /** The suite is one of the packages that the folder's lock file has. */
  readonly isInstalled: boolean;
}

/** How a service is installed, by the file that says with what: lock files first. */
const installs: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm ci',
  'pnpm-lock.yaml': 'npx --yes pnpm install --frozen-lockfile',
  'yarn.lock': 'yarn install --frozen-lockfile',
  'package.json': 'npm install',
  'uv.lock': 'pipx run uv sync --locked',
  'poetry.lock': 'pipx run poetry install',
  'requirements.txt': 'pip install -r requirements.txt',
  'pyproject.toml': 'pip install .',
  'go.sum': 'go mod download',
  'Cargo.lock': 'cargo build --locked',
  'Gemfile.lock': 'bundle install',
  'composer.lock': 'composer install',
  'pom.xml': 'mvn --batch-mode package -DskipTests',
  gradlew: './gradlew assemble',
};

/** The one target of a new repository, and the variable of its key. */
const target = 'petstore';
const key = variableOf(target, 'apiKey');

/** The files that a repository begins with, by their paths. */
export function initialFiles(known: Surroundings): Readonly<Record<string, string>> {
  return {
    [settingsName]: settingsText(known),
    '.env.example': environmentText,
    '.gitignore': ignored.map((line) => `${line}\n`).join(''),
    '.github/workflows/petstore-conformance.yml': workflowText(known),
  };
}

/** What never belongs in a repository: keys, and what runs leave behind. */
export const ignored = ['.env', 'reports/runs/'];

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

function workflowText({ start, version, files, isInstalled }: Surroundings): string {
  const [, install] = Object.entries(installs).find(([name]) => files.includes(name)) ?? [];
  const isNeeded = install !== undefined && (start !== undefined || isInstalled);
  return `# Judges the service by the specification at each push. Add the key as a secret named ${key}.
name: Pet Store conformance
on: [push, pull_request]
permissions:
  contents: read
jobs:
  conformance:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 22${isNeeded ? `\n      - run: ${install}` : ''}
      - run: npx ${isInstalled ? 'petstore-conformance' : `--yes petstore-conformance@${version}`}
        env:
          ${key}: \${{ secrets.${key} }}
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with:
          name: conformance
          path: reports/runs
`;
}
