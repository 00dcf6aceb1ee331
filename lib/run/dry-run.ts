import { SkippingClock } from '../http/clock/skipping-clock.js';
import type { RunRecord } from '../evidence/record/record.js';
import { serveReference } from '../reference/serve.js';
import { run } from './conformance.js';
import { limitsAhead, type LimitsAhead } from './limits.js';
import { selectionOf } from './selection.js';
import type { Settings } from './settings.js';

/** What a run would send. */
export interface DryRun extends Pick<RunRecord['requests'], 'sent' | 'byOperation'> {
  /** Milliseconds that the run waits because of the plan's limit per minute. */
  readonly waits: number;
  /** What trying the limits comes to, as estimated. */
  readonly limits: Pick<LimitsAhead, 'requests' | 'minutes'>;
}

/**
 * Runs the suite against the embedded reference service with an empty store, and counts: nothing is sent to the target. A
 * target that holds animals already, or checks categories, needs a few requests fewer or more.
 */
export async function dryRun(settings: Settings): Promise<DryRun> {
  const clock = new SkippingClock();
  const { target } = settings;
  const apiKey = 'dry-run_9vKq3LxT7w';
  const { perMinute, perDay } = target.plan;
  // Categories, seeds and selection are those of the run; the key and the address are not.
  const service = await serveReference({
    now: clock.now,
    keys: [{ key: apiKey, perMinute, perDay: Math.max(perDay, 1_000_000) }],
    limiter: { algorithm: 'fixed-window-from-first-request' },
  });
  const own = { otherApiKey: undefined, ca: undefined, apiKey, baseUrl: service.baseUrl };
  try {
    const began = clock.now();
    const { requests } = await run({
      ...settings,
      directory: undefined,
      clock,
      limits: 'none',
      description: undefined,
      environment: {},
      target: { ...target, ...own },
    });
    const waits = Math.min(requests.waitedMs, clock.now() - began);
    return { ...requests, waits, limits: limitsAhead(settings, selectionOf(settings).ids) };
  } finally {
    await service.close();
  }
}
