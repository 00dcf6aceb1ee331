import { z } from 'zod';
import { isLoopback } from '../http/connection/connector.js';
import { refuse } from '../explain/usage-problem.js';
import { permissions, startOptions, outputOptions, scopeOptions, targetOptions } from './run-options.js';
import { invocationOf, type CommandDescription } from './command-line.js';
import { durationOf, group, option, readAs, time, wholeNumber, type OptionValues } from './option.js';
import type { Target } from './target.js';

const latencyBound = readAs(
  (text) => (durationOf(text) === undefined ? undefined : text),
  'must be a time (250ms, 1.5s)',
);
const countBound = z
  .string()
  .regex(/^\d+(?:\.\d+%|%|)$/, 'must be a number of requests or a share (0, 0.1%)');

/** Reads `10/s` and `55/min` as requests per second; undefined for other texts, and for more than 10,000. */
function rateOf(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\/(s|min|m)$/.exec(text) ?? [];
  const perSecond = Number(number) / (unit === 's' ? 1 : 60);
  return perSecond > 0 && perSecond <= 10_000 ? perSecond : undefined;
}

/**
 * Reads `2/5`, one of N parts of a load, which N machines send, at most 1,000; undefined for other texts. Request i of the
 * whole load, from 0, belongs to share (i mod N) + 1 and keeps its planned moment.
 */
function shareOf(text: string): { readonly number: number; readonly of: number } | undefined {
  const [, number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  return number >= 1 && number <= of && of <= 1_000 ? { number, of } : undefined;
}

const { otherApiKey: _, ...ofTarget } = targetOptions;
const { readOnly, seed } = scopeOptions;

/** Every option of `npm run load`. */
export const loadOptions = {
  ...startOptions,
  ...ofTarget,
  ...group('The load:', {
    duration: option(time('1s', '168h'), '30s', 'how long: 30s, 5m, 2h'),
    rate: option(
      readAs(
        (text) => (text === 'auto' ? text : rateOf(text)),
        'must be auto, or requests per second or minute (10/s, 55/min)',
      ),
      'auto',
      'evenly spaced: 10/s, 55/min; auto: 0.9 of the plan',
    ),
    connections: option(wholeNumber(1, 1_000), '50', 'most requests under way at once'),
    begin: option(
      // Epoch milliseconds.
      z.iso.datetime('must be a time in UTC, in ISO 8601 (2026-11-23T21:00:00Z)').transform(Date.parse),
      'TIME',
      'when the load begins, in UTC: 2026-11-23T21:00:00Z',
    ),
    share: option(
      readAs(shareOf, 'must be a share and how many there are, up to 1000 (2/5: the second of five)'),
      '2/5',
      'send the second of five shares; needs --begin',
    ),
    readOnly,
    seed,
    ...permissions,
  }),
  /** A load that exceeds one of these fails. */
  ...group('Bounds:', {
    p50: option(latencyBound, '100ms', 'highest median latency, from the planned moment'),
    p90: option(latencyBound, '150ms', 'highest 90th percentile'),
    p99: option(latencyBound, '250ms', 'highest 99th percentile'),
    p999: option(latencyBound, '1s', 'highest 99.9th percentile'),
    errors: option(countBound, '0', 'most errors: a number, or a share (0.1%)'),
    refused: option(countBound, '0.1%', 'most 429 responses'),
  }),
  ...outputOptions,
};
export type LoadValues = OptionValues<typeof loadOptions>;

export const loadCommand: CommandDescription<typeof loadOptions> = {
  name: 'load',
  options: loadOptions,
  summary: `A steady load under the plan's limit.
Without a target: the embedded reference service.
From many machines: each sends a --share from the same --begin, and
${invocationOf('load merge')} DIR… makes one run of the folders.`,
  closing: `Exit: 0 every bound kept, 1 one missed, 2 usage, 3 target lost, or too few
requests to tell of a percentile (95 % confidence), 130 interrupted`,
};

/** What a load sends, once the target is known. */
export type LoadPlan = ReturnType<typeof loadPlan>;

/** Of the plan's limit; the rest is for other clients, and for windows that begin at another time than ours. */
const autoShare = 0.9;

/**
 * Compares the options with the target and its plan: a target that is not on loopback gets no more than its plan allows.
 * @param now epoch milliseconds
 * @throws UsageProblem
 */
export function loadPlan(values: LoadValues, target: Target, now: number) {
  const { plan, production, baseUrl } = target;
  const { duration: durationMs = 30_000, rate = 'auto', begin, share } = values;
  const allowed = plan.perMinute / 60;
  const ratePerSecond = rate === 'auto' ? allowed * autoShare : rate;
  const requests = Math.max(1, Math.floor((ratePerSecond * durationMs) / 1_000));
  const isFar = !isLoopback(new URL(baseUrl).hostname);
  const timeOf = (moment: number): string => new Date(moment).toISOString();
  refuse(
    production !== undefined && values.allowLoad !== true && `${production} gets load only with --allow-load`,
    share !== undefined &&
      begin === undefined &&
      '--share needs --begin=TIME: all shares of a load begin at the same time',
    begin !== undefined &&
      begin <= now &&
      `--begin=${timeOf(begin)} is over, it is ${timeOf(now)}: give a time at which every share is ready`,
    isFar &&
      ratePerSecond > allowed &&
      `${ratePerSecond.toFixed(2)} requests per second are more than the plan ${plan.name} allows, ${plan.perMinute} per minute: use --rate=auto`,
    isFar &&
      requests > plan.perDay &&
      `${requests} requests are more than the plan ${plan.name} allows, ${plan.perDay} per day: use a shorter --duration`,
  );
  // The rate and the requests are those of the whole load.
  return { ratePerSecond, durationMs, requests, begin, share };
}
