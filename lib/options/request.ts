import { randomInt } from 'node:crypto';
import { systemClock } from '../http/clock/clock.js';
import { shortestKey } from '../evidence/redaction.js';
import { refuse } from '../explain/usage-problem.js';
import { withReference } from '../run/reference-target.js';
import { selectionOf } from '../run/selection.js';
import type { Settings } from '../run/settings.js';
import { commandOf, invocationOf } from './command-line.js';
import { redactFromMessages } from './command-redaction.js';
import { checkOptions, flagOf, type Options, type OptionValues, type Typed } from './option.js';
import { targetOptions, type commandLineOptions } from './run-options.js';
import { chosenTarget, readSources, reference, saidOf, variableOf, type Sources } from './sources.js';
import { targetOf, type NameOf, type Target } from './target.js';

/** What a run or a load is asked to do, wherever its options come from. */
export interface Request<Values> {
  readonly values: Values;
  /** Undefined for the embedded reference service. */
  readonly target: Target | undefined;
  readonly nameOf: NameOf;
  /** The command as the record shows it, without keys. */
  readonly command: string;
}

type RunRequest = Request<Partial<OptionValues<typeof commandLineOptions>>>;

/**
 * Reads options from the command line, then from the variables of its target, then from the settings of the folder.
 * @param command the name of the command, for the record
 * @param read what the folder and the environment say, if that was read
 * @throws UsageProblem for a value that is not valid, and a target that is not configured
 */
export async function readOptions<const Some extends Options>(
  command: string,
  options: Some,
  typed: Typed,
  read?: Sources,
): Promise<Request<OptionValues<Some>>> {
  const sources = read ?? (await readSources());
  const name = chosenTarget(typed, sources);
  const said = saidOf(name, options, typed, sources);
  const nameOf: NameOf = (option) => {
    const isConfigurable =
      name !== reference && option in targetOptions && (name !== undefined || option === 'apiKey');
    const usual = isConfigurable ? variableOf(name ?? 'petstore', option) : flagOf(options, option);
    return said.get(option)?.name ?? usual;
  };
  const given = Object.fromEntries(Array.from(said, ([option, { value }]) => [option, value]));
  const values = checkOptions(options, given, ([option = '']) => nameOf(option));
  return {
    values,
    target: await targetOf(name?.toLowerCase() ?? 'target', values, nameOf, sources.values),
    nameOf,
    command: commandOf(invocationOf(command), options, typed),
  };
}

/**
 * Checks what the options mean together, before anything is sent, and makes the settings of the run.
 * @throws UsageProblem with one line that says what to do.
 */
export function settingsOf(request: RunRequest): Omit<Settings, 'target'> {
  const { values, target, nameOf, command } = request;
  const { profile = 'standard', limits = 'none', only = [], except = [], strict = false } = values;
  const { seed = randomInt(2 ** 31), output: directory, resume, description } = values;
  const { ids, reasons } = selectionOf({ only, except, limits, description });
  refuse(
    limits !== 'none' &&
      target?.production !== undefined &&
      values.allowLoad !== true &&
      `limits are not tested on ${target.production}: add --allow-load if you mean it`,
    // Such a run would show nothing.
    ids.size === 0 &&
      `nothing is left to judge: ${[...reasons.values()].toSorted().at(-1)?.replace('not selected: ', '')}`,
    values.observeBanKey !== undefined &&
      limits === 'none' &&
      `${nameOf('observeBanKey')} needs ${nameOf('limits')}: minute or day`,
    resume !== undefined && limits !== 'day' && `${nameOf('resume')} needs ${nameOf('limits')}: day`,
  );
  return {
    ...values,
    profile,
    limits,
    except,
    strict,
    seed,
    directory,
    command,
    // A resumed run judges the day alone.
    only: resume === undefined ? only : ['LIMIT-10'],
    clock: systemClock,
  };
}

/**
 * Uses the target of a request; the embedded reference service is started and stopped around the use. A short key may be part
 * of any word, so that neither a record can be kept free of it nor an echo of it be found. A key that stands for two callers
 * would be accused of what the other one does.
 * @throws UsageProblem for a key that is too short, unless the user accepts it, and for one that is given twice.
 */
export async function withTarget<Result>(
  { target, values, nameOf }: RunRequest,
  use: (target: Target) => Promise<Result>,
): Promise<Result> {
  const names = new Map<string, string>();
  for (const [key, name] of [
    [target?.apiKey, target?.optionNames?.apiKey ?? nameOf('apiKey')],
    [values.observeBanKey, nameOf('observeBanKey')],
    [target?.otherApiKey, nameOf('otherApiKey')],
  ] as const) {
    if (key === undefined) continue;
    redactFromMessages(key);
    const twin = names.get(key);
    refuse(
      key.length < shortestKey &&
        values.acceptShortKey !== true &&
        `${name} has ${key.length} characters: a key of fewer than ${shortestKey} can't be told from other text, and can't be kept out of what is written; use a longer one, or add ${nameOf('acceptShortKey')}`,
      twin !== undefined && `${name} and ${twin} hold the same key: ${name} needs a key of its own`,
    );
    names.set(key, name);
  }
  return target ? use(target) : withReference(values, use);
}
