import { parseArgs } from 'node:util';
import { didYouMean } from '../usage/nearest-name.js';
import { wholeNumberOf } from '../usage/numbers.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { isLoopback } from '../http/connection/tls.js';
import type { Target } from '../target/target.js';
import { isProduction, type TargetOptions } from '../target/read-target.js';
import { mixOf, type Mix } from './mix.js';
import { durationOf, thresholdNames, thresholdOf, type Threshold } from './thresholds.js';

const switches = ['read-only', 'allow-writes', 'allow-load', 'insecure', 'help'] as const;
const texts = [
  'target',
  'base-url',
  'api-key',
  'plan',
  'per-minute',
  'per-day',
  'ca',
  'duration',
  'rate',
  'mix',
  'connections',
  'output',
  'seed',
  ...thresholdNames,
] as const;

type SwitchName = (typeof switches)[number];
type TextName = (typeof texts)[number];

/** A load's command line, checked as far as it can be without knowing the target. */
export interface LoadLine {
  readonly help: boolean;
  readonly target: TargetOptions;
  readonly allowLoad: boolean;
  readonly durationMs: number;
  /** Arrivals a second; `auto`: nine tenths of what the plan grants. */
  readonly ratePerSecond: number | 'auto';
  readonly mix: Mix | undefined;
  readonly connections: number;
  readonly thresholds: readonly Threshold[];
  readonly output: string | undefined;
  readonly seed: number | undefined;
}

/**
 * Reads the command line of `npm run load`.
 * @throws UsageProblem that says what to do
 */
export function loadLine(argv: readonly string[]): LoadLine {
  const known: readonly string[] = [...switches, ...texts];
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries([
      ...switches.map((name) => [name, { type: 'boolean' as const }]),
      ...texts.map((name) => [name, { type: 'string' as const }]),
    ]),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const on = new Set<SwitchName>();
  const said = new Map<TextName, string>();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional')
      throw new UsageProblem(`unexpected argument ${token.value}: options begin with --, see --help`);
    const { name, value } = token;
    if (isSwitch(name)) on.add(name);
    else if (isText(name)) {
      if (value === undefined || value === '') throw new UsageProblem(`--${name} needs a value, see --help`);
      if (said.has(name)) throw new UsageProblem(`--${name} is given twice`);
      said.set(name, value);
    } else throw new UsageProblem(`unknown option ${token.rawName}.${didYouMean(name, known)}`);
  }
  const text = (name: TextName): string | undefined => said.get(name);
  const mix = text('mix');
  const seed = text('seed');
  return {
    help: on.has('help'),
    target: {
      target: text('target'),
      baseUrl: text('base-url'),
      apiKey: text('api-key'),
      plan: text('plan'),
      perMinute: text('per-minute'),
      perDay: text('per-day'),
      readOnly: on.has('read-only'),
      allowWrites: on.has('allow-writes'),
      ca: text('ca'),
      insecure: on.has('insecure'),
    },
    allowLoad: on.has('allow-load'),
    durationMs: durationIn(text('duration') ?? '30s'),
    ratePerSecond: rateOf(text('rate') ?? 'auto'),
    mix: mix === undefined ? undefined : mixOf(mix),
    connections: wholeNumberOf('--connections', text('connections') ?? '50', 1, 1_000),
    thresholds: thresholdNames.flatMap((name) => {
      const bound = text(name);
      return bound === undefined ? [] : [thresholdOf(name, bound)];
    }),
    output: text('output'),
    seed: seed === undefined ? undefined : wholeNumberOf('--seed', seed, 0, 4_294_967_295),
  };
}

function isSwitch(name: string): name is SwitchName {
  return (switches as readonly string[]).includes(name);
}

function isText(name: string): name is TextName {
  return (texts as readonly string[]).includes(name);
}

function durationIn(text: string): number {
  const milliseconds = durationOf(text);
  if (milliseconds !== undefined && milliseconds >= 1_000 && milliseconds <= 7 * 86_400_000)
    return milliseconds;
  throw new UsageProblem(
    `--duration is to be a time from 1s to 168h (30s, 5m, 2h), not ${JSON.stringify(text)}`,
  );
}

function rateOf(text: string): number | 'auto' {
  if (text === 'auto') return 'auto';
  const [, number, unit] = /^(\d+(?:\.\d+)?)\/(s|min|m)$/.exec(text) ?? [];
  const rate = Number(number) / (unit === 's' ? 1 : 60);
  if (number !== undefined && rate > 0 && rate <= 10_000) return rate;
  throw new UsageProblem(
    `--rate is to be auto, or arrivals a second or a minute (10/s, 55/min), not ${JSON.stringify(text)}`,
  );
}

/** What a load sends, once the target is known. */
export interface LoadPlan {
  readonly ratePerSecond: number;
  readonly mix: Mix;
}

/** Of what the plan grants: room for what others send, and for windows that do not begin when ours do. */
const autoShare = 0.9;

/**
 * Holds what was asked against the target and its plan: a target that is not this machine gets no more than its plan.
 * @throws UsageProblem
 */
export function loadPlan(line: LoadLine, target: Target): LoadPlan {
  const { plan, readOnly, name } = target;
  if (isProduction(name) && !line.allowLoad) {
    throw new UsageProblem('a target named production gets load only with --allow-load');
  }
  const granted = plan.perMinute / 60;
  const ratePerSecond = line.ratePerSecond === 'auto' ? granted * autoShare : line.ratePerSecond;
  const mix = line.mix ?? { listPets: 8, getPet: 1, ...(readOnly ? {} : { createPet: 1 }) };
  if (readOnly && (mix.createPet ?? 0) > 0)
    throw new UsageProblem('--mix creates, and the target is read-only (--allow-writes)');
  if (isLoopback(new URL(target.baseUrl).hostname)) return { ratePerSecond, mix };
  if (ratePerSecond > granted) {
    throw new UsageProblem(
      `${ratePerSecond.toFixed(2)}/s is more than the plan ${plan.name} grants: ${plan.perMinute} a minute (--rate=auto stays below it)`,
    );
  }
  const count = Math.floor((ratePerSecond * line.durationMs) / 1000);
  if (count > plan.perDay) {
    throw new UsageProblem(
      `${count} requests are more than the plan ${plan.name} grants in a day: ${plan.perDay} (a shorter --duration)`,
    );
  }
  return { ratePerSecond, mix };
}
