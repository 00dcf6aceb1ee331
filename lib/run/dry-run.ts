import type { Exchange } from '../http/exchange/exchange.js';
import { SkippingClock } from '../http/clock/skipping-clock.js';
import { serveReference } from '../reference/serve.js';
import { requirementIds } from '../specification/catalogue.js';
import type { PlanName } from '../specification/plan.js';
import { run } from './conformance.js';
import type { LimitsAhead } from './limits-ahead.js';
import { classesOf, select } from './selection.js';
import type { Settings } from './settings.js';

/** What a run would ask, in the order of the catalogue, preparations first. */
export interface DryRun {
  readonly byPurpose: ReadonlyArray<{
    readonly purpose: string;
    readonly requests: number;
    readonly creates: number;
  }>;
  readonly requests: number;
  readonly creates: number;
  /** Milliseconds that the plan's limit for a minute makes it last. */
  readonly waits: number;
  /** What trying the limits comes to, for each plan; they are not rehearsed. */
  readonly limits: ReadonlyArray<Pick<LimitsAhead, 'requests' | 'minutes'> & { readonly plan: PlanName }>;
}

/**
 * Rehearses a run against the embedded reference service with an empty store, and counts: nothing is sent to the
 * target. A target that holds animals already, or knows its categories, needs a few requests fewer or more.
 */
export async function dryRun(settings: Settings): Promise<DryRun> {
  const clock = new SkippingClock();
  const { target } = settings;
  const key = {
    key: 'dry-run_9vKq3LxT7w',
    perMinute: target.plan.perMinute,
    perDay: Math.max(target.plan.perDay, 1_000_000),
  };
  // Categories, seeds and selection are those of the run; the key and the address are not.
  const service = await serveReference({
    now: clock.now,
    keys: [key],
    limiter: { algorithm: 'fixed-window-from-first-request' },
  });
  const exchanges: Exchange[] = [];
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
        target: {
          ...target,
          baseUrl: service.baseUrl,
          apiKey: key.key,
          otherApiKey: undefined,
          ca: undefined,
          insecure: undefined,
        },
      },
      { listener: { exchange: (exchange) => exchanges.push(exchange) } },
    );
    return {
      ...counted(exchanges),
      waits: Math.min(record.requests.waitedMs, clock.now() - began),
      limits: await limitsOf(settings),
    };
  } finally {
    await service.close();
  }
}

/** Loaded on demand, with what sends load. */
async function limitsOf(settings: Settings): Promise<DryRun['limits']> {
  const { planKeys, target } = settings;
  if (settings.limits === 'none' || (planKeys === undefined && !target.planGiven)) return [];
  const { limitsAhead, partsOf } = await import('./limits-ahead.js');
  const { ids } = select({ only: settings.only, except: settings.except, classes: classesOf(settings) });
  const parts = partsOf(settings, ids);
  if (!parts.minute && !parts.day) return [];
  return limitsAhead(settings, parts).map(({ key, requests, minutes }) => ({
    plan: key.plan.name,
    requests,
    minutes,
  }));
}

function counted(exchanges: readonly Exchange[]): Omit<DryRun, 'waits' | 'limits'> {
  const order = (purpose: string): number => (requirementIds as readonly string[]).indexOf(purpose);
  const purposes = [...new Set(exchanges.map(({ purpose }) => purpose))].sort((a, b) => order(a) - order(b));
  const creates = (of: readonly Exchange[]): number =>
    of.filter(({ operation }) => operation === 'createPet').length;
  return {
    byPurpose: purposes.map((purpose) => {
      const own = exchanges.filter((exchange) => exchange.purpose === purpose);
      return { purpose, requests: own.length, creates: creates(own) };
    }),
    requests: exchanges.length,
    creates: creates(exchanges),
  };
}
