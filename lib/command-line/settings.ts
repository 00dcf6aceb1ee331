import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { profiles } from '../session/probe.js';
import { systemClock } from '../http/clock/clock.js';
import { classesOf, select, type SelectionOptions } from '../run/selection.js';
import type { Settings } from '../run/settings.js';
import type { Target } from '../target/target.js';
import { planNames } from '../specification/plans.js';
import { referencePlanKeys, type AskedReference } from '../run/embedded.js';
import { planKeys, planList, withKeyOfPlan } from '../target/plan-keys.js';
import { isProduction, resolveTarget } from '../target/read-target.js';
import type { Environment } from '../target/environment.js';
import { oneOf, wholeNumberOf } from '../usage/numbers.js';
import type { OptionName } from './options.js';
import { requirementList, type CommandLine } from './parse.js';
import { UsageProblem } from '../usage/usage-problem.js';

const limitChoices = ['none', 'minute', 'day'] as const;

/** What a command line and an environment ask for; the target is missing where it is the embedded reference service. */
export interface Request {
  readonly target: Target | undefined;
  /** How the embedded reference service is asked, where it is the target. */
  readonly reference: AskedReference | undefined;
  readonly settings: Omit<Settings, 'target'>;
  readonly dryRun: boolean;
  readonly waivers: string | undefined;
  readonly reports: string | undefined;
}

/**
 * Everything that the user asked for, checked before anything is sent.
 * @throws UsageProblem with one line that says what to do.
 */
export function readRequest(line: CommandLine, environment: Environment, folder: string): Request {
  const text = (name: OptionName): string | undefined => {
    const value = line.values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const on = (name: OptionName): boolean => line.values[name] === true;
  if (on('read-only') && on('allow-writes'))
    throw new UsageProblem('--read-only and --allow-writes contradict each other');
  const named = text('plans');
  const names = named === undefined ? undefined : planList(named);
  const target = resolveTarget(
    {
      target: text('target'),
      baseUrl: text('base-url'),
      apiKey: text('api-key'),
      otherApiKey: text('other-api-key'),
      plan: text('plan'),
      perMinute: text('per-minute'),
      perDay: text('per-day'),
      readOnly: on('read-only'),
      allowWrites: on('allow-writes'),
      ca: text('ca'),
      insecure: on('insecure'),
    },
    names === undefined ? environment : withKeyOfPlan(text('target'), names, environment),
  );
  const limits = oneOf('--limits', text('limits') ?? 'none', limitChoices);
  if (limits !== 'none' && target && isProduction(target.name) && !on('allow-load')) {
    throw new UsageProblem(
      'limits are not tried on a target named production: say --allow-load if you mean it',
    );
  }
  const only = requirementList('only', text('only'));
  const except = requirementList('except', text('except'));
  const description = descriptionOf(text('description'), folder);
  checkSelection({ only, except, classes: classesOf({ limits, description }) });
  const seed = text('seed');
  const budget = text('max-requests');
  const name = target?.name ?? 'reference';
  const plan = text('plan');
  if (names && limits === 'none') throw new UsageProblem('--plans goes with --limits=minute or --limits=day');
  const banKey = text('observe-ban');
  if (banKey !== undefined && limits === 'none')
    throw new UsageProblem('--observe-ban goes with --limits=minute or --limits=day');
  const resume = text('resume');
  if (resume !== undefined && limits !== 'day') throw new UsageProblem('--resume goes with --limits=day');
  return {
    target,
    reference: target
      ? undefined
      : {
          plan: plan === undefined ? names && 'beside' : oneOf('--plan', plan, planNames),
          readOnly: on('read-only'),
        },
    dryRun: on('dry-run'),
    waivers: text('waivers'),
    reports: text('report'),
    settings: {
      profile: oneOf('--profile', text('profile') ?? 'standard', profiles),
      limits,
      planKeys:
        names &&
        (target ? planKeys(text('target') ?? 'petstore', names, environment) : referencePlanKeys(names)),
      banKey,
      resume: resume === undefined ? undefined : resolve(folder, resume),
      only,
      except,
      strict: on('strict'),
      seed: seed === undefined ? randomInt(2 ** 31) : wholeNumberOf('--seed', seed, 0, 2 ** 31 - 1),
      maximumRequests:
        budget === undefined ? undefined : wholeNumberOf('--max-requests', budget, 1, 10_000_000),
      description,
      descriptionMayLeaveHost: on('allow-other-hosts'),
      directory: resolve(
        folder,
        resume ?? text('output') ?? join(folder, 'reports', 'runs', `${timestamp()}-${folderName(name)}`),
      ),
      command: commandOf(line),
      clock: systemClock,
      environment: environment.values,
    },
  };
}

/** @throws UsageProblem for a file that is not there. An address is tried when the run begins. */
function descriptionOf(source: string | undefined, folder: string): string | undefined {
  if (source === undefined || (/^https?:\/\//i.test(source) && URL.canParse(source))) return source;
  if (/^[a-z]{2,}:\/\//i.test(source))
    throw new UsageProblem(`--description is to be a file, or an address over http or https, not ${source}`);
  const file = resolve(folder, source);
  if (existsSync(file)) return file;
  throw new UsageProblem(`--description: there is no file ${file}`);
}

/** The run's folder is named by the time of its start: `2026-11-21T08-30-05`. */
function timestamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-');
}

/** The name of a target is the user's, and may hold what a path gives a meaning to. */
function folderName(target: string): string {
  return target.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-');
}

/** @throws UsageProblem where nothing is left to judge: such a run would show nothing. */
function checkSelection(options: SelectionOptions): void {
  const { ids, reasons } = select(options);
  if (ids.size > 0) return;
  const needed = new Set(
    [...reasons.values()].flatMap((reason) => /^not selected: (.*)$/.exec(reason)?.[1] ?? []),
  );
  const why = needed.size > 0 ? [...needed].join('; ') : '--except leaves out all that --only names';
  throw new UsageProblem(`nothing is left to judge: ${why}`);
}

const secretOptions: ReadonlySet<string> = new Set(['api-key', 'other-api-key', 'observe-ban']);

/** The command as the record shows it: without keys, and as a shell takes it. */
function commandOf({ values, vitest }: CommandLine): string {
  const own = Object.entries(values).map(([name, value]) => {
    if (value === true) return `--${name}`;
    return `--${name}=${secretOptions.has(name) ? '***' : shellWord(value)}`;
  });
  return ['petstore-conformance', ...own, ...vitest.map(shellWord)].join(' ');
}

/** In quotes where a shell would read more than the word. */
function shellWord(text: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
