import { isLoopback } from '../http/connection/tls.js';
import { namedTarget, permissions, serviceOptions } from '../options/command-line-options.js';
import { outputOption, scopeOptions, targetDetails, targetOptions } from '../options/run-options.js';
import type { Target } from '../target/target.js';
import { optionLines } from '../usage/command-line.js';
import { onOff, option, readAs, time, wholeNumber, type OptionValues } from '../usage/options-schema.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { mixOf, type Mix } from './load-operations.js';
import { expectedThreshold, thresholdOf, type ThresholdName } from './thresholds.js';

/** Requests per second. */
function rate(text: string): number | 'auto' | undefined {
  if (text === 'auto') return 'auto';
  const [, number, unit] = /^(\d+(?:\.\d+)?)\/(s|min|m)$/.exec(text) ?? [];
  const perSecond = Number(number) / (unit === 's' ? 1 : 60);
  return perSecond > 0 && perSecond <= 10_000 ? perSecond : undefined;
}

function threshold(name: ThresholdName, value: string, help: string) {
  const schema = readAs((text) => thresholdOf(name, text), `must be ${expectedThreshold(name)}`);
  return option(schema, { value, help });
}

const { otherApiKey: _, ...ofTarget } = targetOptions;
const { readOnly, seed } = scopeOptions;

const ofLoad = {
  duration: option(time('1s', '168h'), {
    value: '30s',
    help: 'how long: 30s, 5m, 2h',
  }),
  rate: option(readAs(rate, 'must be auto, or requests per second or minute (10/s, 55/min)'), {
    value: 'auto',
    help: 'evenly spaced: 10/s, 55/min; auto: 0.9 of the plan',
  }),
  mix: option(readAs(mixOf, 'must be operations with their shares (listPets:8,createPet:1,getPet:1)'), {
    value: 'NAME:N,…',
    help: 'shares: listPets:8,createPet:1,getPet:1',
  }),
  connections: option(wholeNumber(1, 1_000), { value: '50', help: 'most requests under way at once' }),
};

/** A load that exceeds one of these fails. */
const thresholds = {
  p50: threshold('p50', '100ms', 'highest median latency, from the planned moment'),
  p90: threshold('p90', '150ms', 'highest 90th percentile'),
  p99: threshold('p99', '250ms', 'highest 99th percentile'),
  p999: threshold('p999', '1s', 'highest 99.9th percentile'),
  max: threshold('max', '2s', 'highest latency'),
  errors: threshold('errors', '0', 'most errors: a number, or a share (0.1%)'),
  refused: threshold('refused', '0.1%', 'most 429 responses'),
  goodput: threshold('goodput', '9.5/s', 'fewest successful responses per second'),
};

/** Every option of `npm run load`. */
export const loadOptions = {
  ...namedTarget,
  ...ofTarget,
  ...targetDetails,
  ...serviceOptions,
  ...ofLoad,
  ...thresholds,
  readOnly,
  ...permissions,
  ...outputOption,
  seed,
  help: onOff({ help: 'this text', short: 'h' }),
};
export type LoadValues = OptionValues<typeof loadOptions>;

export function loadHelp(invocation: string): string {
  return `${invocation} [options]: a steady load under the plan's limit.
Without a target: the embedded reference service.
From many machines: ${invocation} plan | part | merge (each has --help).

${optionLines(loadOptions)}

Exit: 0 every bound kept, 1 one missed, 2 usage, 3 target lost, or too few
requests to tell of a percentile (95 % confidence), 130 interrupted
`;
}

/** What a load sends, once the target is known. */
export interface LoadPlan {
  /** Requests per second. */
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly mix: Mix;
}

/** Of the plan's limit; the rest is for other clients, and for windows that begin at another time than ours. */
const autoShare = 0.9;

/**
 * Compares the options with the target and its plan: a target that is not on loopback gets no more than its plan allows.
 * @throws UsageProblem
 */
export function loadPlan(values: LoadValues, { plan, readOnly, production, baseUrl }: Target): LoadPlan {
  if (production !== undefined && values.allowLoad !== true)
    throw new UsageProblem(`${production} gets load only with --allow-load`);
  const { duration: durationMs = 30_000, rate: wanted = 'auto' } = values;
  const allowed = plan.perMinute / 60;
  const ratePerSecond = wanted === 'auto' ? allowed * autoShare : wanted;
  const mix = values.mix ?? { listPets: 8, getPet: 1, ...(readOnly ? {} : { createPet: 1 }) };
  if (readOnly && (mix.createPet ?? 0) > 0)
    throw new UsageProblem('--mix has creates, but the target is read-only: leave createPet out of it');
  if (isLoopback(new URL(baseUrl).hostname)) return { ratePerSecond, durationMs, mix };
  if (ratePerSecond > allowed)
    throw new UsageProblem(
      `${ratePerSecond.toFixed(2)} requests per second are more than the plan ${plan.name} allows, ${plan.perMinute} per minute: use --rate=auto`,
    );
  const count = Math.floor((ratePerSecond * durationMs) / 1000);
  if (count > plan.perDay)
    throw new UsageProblem(
      `${count} requests are more than the plan ${plan.name} allows, ${plan.perDay} per day: use a shorter --duration`,
    );
  return { ratePerSecond, durationMs, mix };
}
