import { SkippingClock } from '../http/clock/skipping-clock.js';
import { serveReference } from '../reference/serve.js';
import { run } from './conformance.js';
import { limitsAhead } from './limits.js';
import { selectionOf } from './selection.js';
import type { Settings } from './settings.js';

/** What a run would send, how long it waits because of the plan's limit per minute, and an estimate of the limits. */
export type DryRun = Awaited<ReturnType<typeof dryRun>>;

/**
 * Runs the suite against the embedded reference service with an empty store, and counts: nothing is sent to the target. A
 * target that holds animals already, or checks categories, needs a few requests fewer or more.
 */
export async function dryRun(settings: Settings) {
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
    const { requests: ofRun } = await run({
      ...settings,
      directory: undefined,
      clock,
      limits: 'none',
      description: undefined,
      target: { ...target, ...own },
    });
    const { sent, byOperation, waitedMs } = ofRun;
    const { requests, minutes } = limitsAhead(settings, selectionOf(settings).ids);
    const waits = Math.min(waitedMs, clock.now() - began);
    return { sent, byOperation, waits, limits: { requests, minutes } };
  } finally {
    await service.close();
  }
}
