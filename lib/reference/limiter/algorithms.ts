import type { Algorithm } from './counter.js';
import { fixedWindowAligned } from './fixed-window-clock.js';
import { fixedWindowFromFirstRequest } from './fixed-window-request.js';
import { slidingCounter } from './sliding-counter.js';
import { slidingLog } from './sliding-log.js';
import { tokenBucket } from './token-bucket.js';

export const algorithms = {
  'fixed-window-aligned': fixedWindowAligned,
  'fixed-window-from-first-request': fixedWindowFromFirstRequest,
  'sliding-log': slidingLog,
  'sliding-counter': slidingCounter,
  'token-bucket': tokenBucket,
} as const satisfies Record<string, Algorithm>;

export type AlgorithmName = keyof typeof algorithms;
