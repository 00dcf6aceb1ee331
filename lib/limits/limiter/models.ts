import { fixedWindow } from './fixed-window-states.js';
import type { LimiterModel, Quota } from './limiter-model.js';
import { slidingCounter } from './sliding-counter-states.js';
import { slidingLog } from './sliding-log-states.js';
import { tokenBucket } from './token-bucket-states.js';

/** A model whose states only itself looks into. */
export type AnyModel = LimiterModel<unknown>;

export const algorithmNames = [
  'fixed window aligned to the clock',
  'fixed window from the first request',
  'sliding log',
  'sliding counter',
  'token bucket',
] as const;
export type AlgorithmName = (typeof algorithmNames)[number];

/** The limiter of an algorithm with these limits. */
export const models: Record<AlgorithmName, (quota: Quota) => AnyModel> = {
  'fixed window aligned to the clock': fixedWindow('aligned'),
  'fixed window from the first request': fixedWindow('first request'),
  'sliding log': slidingLog,
  'sliding counter': slidingCounter,
  'token bucket': tokenBucket,
};

/** Whether all of a window comes back at once. */
export function isFixedWindow(name: AlgorithmName): boolean {
  return name.startsWith('fixed');
}
