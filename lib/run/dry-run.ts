import type { Exchange } from '../evidence/exchange.js';
import { SkippingClock } from '../http/clock/skipping-clock.js';
import { serveReference } from '../reference/serve.js';
import { requirementIds } from '../specification/catalogue.js';
import { run } from './conformance.js';
import type { LimitsAhead } from './limits-ahead.js';
import { selectionOf } from './selection.js';
import type { Settings } from './settings.js';

/** How many requests a run sends, by what they are for. */
interface Requests {
  readonly purpose: string;
  readonly requests: number;
  readonly creates: number;
}

/** What a run would send, in the order of the catalogue, preparations first. */
export interface DryRun extends Omit<Requests, 'purpose'> {
  readonly byPurpose: readonly Requests[];
  /** Milliseconds that the run waits because of the plan's limit per minute. */
  readonly waits: number;
  /** What trying the limits comes to, as estimated; undefined if none is tried. */
  readonly limits: LimitsAhead | undefined;
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
  const exchanges: Exchange[] = [];
  const { baseUrl } = service;
  const own = { otherApiKey: undefined, ca: undefined, apiKey, baseUrl };
  try {
    const began = clock.now();
    const record = await run(
      {
        ...settings,
        directory: undefined,
        clock,
        limits: 'none',
        description: undefined,
        environment: {},
        target: { ...target, ...own },
      },
      { listener: { exchange: (exchange) => exchanges.push(exchange) } },
    );
    const order = (purpose: string): number => (requirementIds as readonly string[]).indexOf(purpose);
    const purposes = [...new Set(exchanges.map(({ purpose }) => purpose))].sort(
      (a, b) => order(a) - order(b),
    );
    return {
      ...counted(exchanges),
      byPurpose: purposes.map((purpose) => ({
        purpose,
        ...counted(exchanges.filter((exchange) => exchange.purpose === purpose)),
      })),
      waits: Math.min(record.requests.waitedMs, clock.now() - began),
      limits: await limitsOf(settings),
    };
  } finally {
    await service.close();
  }
}

function counted(exchanges: readonly Exchange[]): Omit<Requests, 'purpose'> {
  const creates = exchanges.filter(({ operation }) => operation === 'createPet').length;
  return { requests: exchanges.length, creates };
}

/** Imported when it is needed: it brings what sends load with it. */
async function limitsOf(settings: Settings): Promise<DryRun['limits']> {
  if (settings.limits === 'none' || !settings.target.planGiven) return undefined;
  const { limitsAhead, partsOf } = await import('./limits-ahead.js');
  const { ids } = selectionOf(settings);
  const parts = partsOf(settings, ids);
  return parts.minute || parts.day ? limitsAhead(settings, parts) : undefined;
}
