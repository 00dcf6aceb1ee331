import { fixedWindow } from './fixed-window-states.js';
import type { LimiterModel, Quota } from './limiter-model.js';
import { slidingCounter } from './sliding-counter-states.js';
import { slidingLog } from './sliding-log-states.js';
import { tokenBucket } from './token-bucket-states.js';
import { twoLimits } from './two-limits.js';

export const algorithmNames = [
  'fixed window, aligned to the clock',
  'fixed window, from the first request',
  'sliding log',
  'sliding counter',
  'token bucket',
] as const;
export type AlgorithmName = (typeof algorithmNames)[number];

/** A model whose states only itself looks into. */
export type AnyModel = LimiterModel<unknown>;

const models: Record<AlgorithmName, (quota: Quota) => unknown> = {
  'fixed window, aligned to the clock': fixedWindow('aligned'),
  'fixed window, from the first request': fixedWindow('first request'),
  'sliding log': slidingLog,
  'sliding counter': slidingCounter,
  'token bucket': tokenBucket,
};

export function modelOf(
  name: AlgorithmName,
  quota: Quota,
  second?: { readonly limit: number; readonly windowMs: number },
): AnyModel {
  const model = models[name](quota) as AnyModel;
  return second ? twoLimits(model, quota, second) : model;
}

/** Whether all of a window comes back at once. */
export function isFixedWindow(name: AlgorithmName): boolean {
  return name.startsWith('fixed');
}

/** What a report calls an algorithm with a limit. */
export const algorithmNouns = {
  'fixed window, aligned to the clock': 'fixed window aligned to the clock',
  'fixed window, from the first request': 'fixed window from the first request',
  'sliding log': 'sliding log',
  'sliding counter': 'sliding counter',
  'token bucket': 'token bucket',
} as const satisfies Record<AlgorithmName, string>;
