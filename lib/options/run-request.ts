import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { systemClock } from '../http/clock/clock.js';
import { proxyFor } from '../http/connection/proxy.js';
import { shortestKey } from '../evidence/redaction.js';
import { withReference } from '../run/reference-target.js';
import { selectionOf } from '../run/selection.js';
import type { Settings } from '../run/settings.js';
import type { Environment } from './environment.js';
import type { Target } from './target.js';
import type { OptionValues } from './option.js';
import { refuse, UsageProblem } from '../explain/usage-problem.js';
import { isAddress, type outputOptions, type scopeOptions, type targetOptions } from './run-options.js';

type RunValues = OptionValues<
  Pick<typeof targetOptions, 'plan' | 'localAddress' | 'acceptShortKey'> &
    typeof scopeOptions &
    typeof outputOptions
> & {
  readonly allowLoad?: boolean | undefined;
  readonly bail?: number | undefined;
};

/** What a run or a load is asked to do, wherever its options come from. */
export interface Request<Values> {
  readonly values: Values;
  /** Undefined for the embedded reference service. */
  readonly target: Target | undefined;
  /** How the option is called that gives a value, or could. */
  readonly nameOf: (option: string) => string;
  /** The command as the record shows it, without keys. */
  readonly command: string;
  readonly environment: Environment;
}

type RunRequest = Request<RunValues>;

/**
 * Checks what the options mean together, before anything is sent, and makes the settings of the run. Relative paths start
 * at the folder that the process works in.
 * @throws UsageProblem with one line that says what to do.
 */
export function settingsOf(request: RunRequest): Omit<Settings, 'target'> {
  const { values, target, nameOf, command, environment } = request;
  const { profile = 'standard', limits = 'none', only = [], except = [], observeBanKey } = values;
  const { bail, rules, strictRules, strict = false, overwrite = false, seed = randomInt(2 ** 31) } = values;
  const [resume, output, description] = [values.resume, values.output, values.description].map((path) =>
    path === undefined || isAddress(path) ? path : resolve(path),
  );
  const { ids, reasons } = selectionOf({ only, except, limits, description });
  refuse(
    [
      limits !== 'none' && target?.production !== undefined && values.allowLoad !== true,
      `limits are not tested on ${target?.production}: add --allow-load if you mean it`,
    ],
    // Such a run would show nothing.
    [ids.size === 0, `nothing is left to judge: ${whyNothing([...reasons.values()], nameOf)}`],
    [
      observeBanKey !== undefined && limits === 'none',
      `${nameOf('observeBanKey')} needs ${nameOf('limits')}: minute or day`,
    ],
    [resume !== undefined && limits !== 'day', `${nameOf('resume')} needs ${nameOf('limits')}: day`],
  );
  const judged = { profile, limits, except, description, rules, strictRules, strict, bail, seed };
  return {
    ...judged,
    // A resumed run judges the day alone.
    only: resume === undefined ? only : ['LIMIT-10'],
    observeBanKey,
    resume,
    maxRequests: values.maxRequests,
    maxTime: values.maxTime,
    directory: output,
    overwrite,
    command,
    clock: systemClock,
    environment,
  };
}

/** What is missing for the requirements that were named, or that none was. */
function whyNothing(reasons: readonly string[], nameOf: RunRequest['nameOf']): string {
  const needed = new Set(reasons.flatMap((reason) => /^not selected: (.*)$/.exec(reason)?.[1] ?? []));
  return [...needed].join('; ') || `${nameOf('except')} leaves out all that ${nameOf('only')} names`;
}

/**
 * A short key may be part of any word, so that neither a record can be kept free of it nor an echo of it be found. A key
 * that stands for two callers would be accused of what the other one does.
 * @throws UsageProblem for a key that is too short, unless the user accepts it, and for one that is given twice.
 */
function checkKeys({ target, values, nameOf }: RunRequest): void {
  const given: ReadonlyArray<readonly [name: string, key: string | undefined]> = [
    [nameOf('otherApiKey'), target?.otherApiKey],
    [nameOf('observeBanKey'), values.observeBanKey],
    [target?.optionNames?.apiKey ?? nameOf('apiKey'), target?.apiKey],
  ];
  for (const [index, [name, key]] of given.entries()) {
    const [twin] = given.slice(index + 1).find(([, other]) => key !== undefined && other === key) ?? [];
    refuse(
      [
        key !== undefined && key.length < shortestKey && values.acceptShortKey !== true,
        `${name} has ${key?.length} characters: a key of fewer than ${shortestKey} can't be told from other text, and can't be kept out of what is written; use a longer one, or add ${nameOf('acceptShortKey')}`,
      ],
      [twin !== undefined, `${name} and ${twin} hold the same key: ${name} needs a key of its own`],
    );
  }
}

/** Uses the target of a request; the embedded reference service is started and stopped around the use. */
export async function withTarget<Result>(
  request: RunRequest,
  use: (target: Target) => Promise<Result>,
): Promise<Result> {
  const { target, values, nameOf, environment } = request;
  checkKeys(request);
  if (target && values.localAddress && proxyFor(new URL(target.baseUrl), environment))
    throw new UsageProblem(
      `${nameOf('localAddress')} has no effect through a proxy, whose address the target sees: name the target's host in NO_PROXY`,
    );
  return target ? use(target) : withReference(values, use);
}
