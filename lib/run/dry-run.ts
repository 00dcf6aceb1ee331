import { systemClock } from '../http/clock/clock.js';
import { serveReference } from '../reference/serve.js';
import { run } from './conformance.js';
import { limitsAhead } from './limits.js';
import { selectionOf } from './selection.js';
import type { Settings } from './settings.js';

/** What a run would send, how long it waits because of the plan's limit per minute, and an estimate of the limits. */
export type DryRun = Awaited<ReturnType<typeof dryRun>>;

/** A limit that no run reaches. */
const unlimited = 1_000_000;

/**
 * Runs the suite against the embedded reference service with an empty store, and counts: nothing is sent to the target. A
 * target that holds animals already, or checks categories, needs a few requests fewer or more.
 */
export async function dryRun(settings: Settings) {
  const { target } = settings;
  const apiKey = 'dry-run_9vKq3LxT7w';
  const plan = { ...target.plan, perMinute: unlimited, perDay: unlimited };
  // Categories, seeds and selection are those of the run; the key and the address are not.
  const service = await serveReference({ keys: [{ ...plan, key: apiKey }] });
  const own = { otherApiKey: undefined, ca: undefined, apiKey, baseUrl: service.baseUrl, plan };
  const ofDryRun = { directory: undefined, limits: 'none', description: undefined } as const;
  // Nothing shows late in this service.
  const clock = { ...systemClock, sleep: () => Promise.resolve() };
  let withKey = 0;
  const exchange = ({ caller }: { caller?: string | undefined }): void => {
    if (caller !== undefined) withKey += 1;
  };
  try {
    const used = { ...settings, ...ofDryRun, clock, target: { ...target, ...own } };
    const { sent, byOperation } = (await run(used, { listener: { exchange } })).requests;
    const { requests, minutes } = limitsAhead(settings, selectionOf(settings).ids);
    const waits = Math.floor(Math.max(0, withKey - 1) / target.plan.perMinute) * 60_000;
    return { sent, byOperation, waits, limits: { requests, minutes } };
  } finally {
    await service.close();
  }
}
