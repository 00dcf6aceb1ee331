import { commandOf } from './command-text.js';
import { factsOf, flagOf, isSwitch, type Options } from './options-schema.js';
import { UsageProblem } from './usage-problem.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Ways to start a script with npm; `npm publish --dry-run` gives its options to npm alone. */
const startsAScript = /^(?:test|start|stop|restart|run|run-script|exec)$/;

/** Settings of an .npmrc that have the name of an option: a certificate, the version of Electron, a time for downloads. */
const ofAnNpmrc = /^(?:ca=.*-----BEGIN|target=v?\d+\.\d|timeout=\d+$)/s;

/**
 * npm keeps options without `--` before them for itself: they never arrive, and stand in the environment as
 * `npm_config_base_url`. The command would do something else than what was asked for, and might call it a success.
 * @throws UsageProblem with the right command, without keys.
 */
export function refuseOptionsKeptByNpm(
  options: Options,
  typed: Readonly<Record<string, unknown>>,
  operands: readonly string[],
  environment: Environment,
): void {
  const kept = keptByNpm(options, typed, environment);
  const names = Object.keys(kept);
  if (names.length === 0) return;
  const flags = names.map((name) => `--${flagOf(options, name)}`);
  const right = commandOf([invocation(environment), ...operands].join(' '), options, { ...typed, ...kept });
  throw new UsageProblem(
    `npm kept ${flags.join(', ')} for itself: options must stand behind " -- ". Use: ${right}`,
  );
}

function keptByNpm(
  options: Options,
  typed: Readonly<Record<string, unknown>>,
  environment: Environment,
): Record<string, unknown> {
  // yarn and pnpm pass every option on, and leave settings of theirs under the same names.
  const isNpm = environment['npm_config_user_agent']?.startsWith('npm/') === true;
  if (!isNpm || !startsAScript.test(environment['npm_command'] ?? '')) return {};
  return Object.fromEntries(
    Object.keys(options).flatMap((name) => {
      const flag = flagOf(options, name);
      const value = environment[`npm_config_${flag.replaceAll('-', '_').toLowerCase()}`] ?? '';
      if (flag === 'yes' || value === '' || typed[name] !== undefined || ofAnNpmrc.test(`${flag}=${value}`))
        return [];
      // After `--profile quick` without `=`, npm takes the option for a switch.
      const { mayBeBare } = factsOf(options, name);
      const isAlone = isSwitch(options, name) || mayBeBare === true;
      const given = value !== 'true' ? value.replace(/(?<=:\/\/)[^/]*@/, '') : isAlone || '…';
      return [[name, given] as const];
    }),
  );
}

/** What was called, with the `--` that was missing. */
function invocation({ npm_command: command, npm_lifecycle_event: script }: Environment): string {
  if (command === 'exec') return 'npx petstore-conformance';
  return script === 'test' ? 'npm test --' : `npm run ${script} --`;
}
