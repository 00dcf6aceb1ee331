import type { Algorithm } from './counter.js';
import { fixedWindowAligned } from './fixedWindowAligned.js';
import { fixedWindowFromFirstRequest } from './fixedWindowFromFirstRequest.js';
import { slidingCounter } from './slidingCounter.js';
import { slidingLog } from './slidingLog.js';
import { tokenBucket } from './tokenBucket.js';

export const algorithms = {
  'fixed-window-aligned': fixedWindowAligned,
  'fixed-window-from-first-request': fixedWindowFromFirstRequest,
  'sliding-log': slidingLog,
  'sliding-counter': slidingCounter,
  'token-bucket': tokenBucket,
} as const satisfies Record<string, Algorithm>;

export type AlgorithmName = keyof typeof algorithms;
