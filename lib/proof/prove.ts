import { SkippingClock } from '../http/clock/testing/skipping-clock.js';
import { timeOfWork } from '../http/clock/testing/time-of-work.js';
import type { RunRecord } from '../evidence/record/record.js';
import { combineOptions, type ReferenceOptions } from '../reference/options.js';
import { serveReference } from '../reference/serve.js';
import { run } from '../run/conformance.js';
import type { Listener, Settings } from '../run/settings.js';
import { classOf, isRequirementId, removalDate } from '../specification/catalogue.js';
import { plans } from '../specification/plan.js';

/**
 * A moment well inside a minute, before the removal date: no window turns while a run of seconds goes on. Eleven hours have
 * whole numbers of windows of 45, 55, 60 and 90 seconds, so that each begins at the same moment in each proof.
 */
const insideAMinute = Math.floor(Date.now() / 39_600_000) * 39_600_000 + 5_000;

/** A second key, for what is counted per caller. */
const otherKey = { key: 'pets_other_Vh3NsJ8yGf5PaXeU', perMinute: 300, perDay: 10_000 };

export interface ProofOptions {
  readonly settings?: Partial<Omit<Settings, 'target'>>;
  readonly target?: Partial<Settings['target']>;
  /** Makes another base address of the service's. */
  readonly address?: (baseUrl: string) => string;
  /** The key that the service knows and the suite sends. */
  readonly key?: string;
  /** Milliseconds by which the clock of the service is ahead. */
  readonly ahead?: number;
  /** Starts the service. By default the reference service as it is. */
  readonly serve?: (
    options: ReferenceOptions,
  ) => Promise<{ readonly baseUrl: string; close(): Promise<void> }>;
  readonly listener?: Listener;
  readonly signal?: AbortSignal;
}

/** A service, and how the suite is run against it. */
export interface Proof {
  readonly options: ReferenceOptions;
  readonly proof?: ProofOptions;
}

/** Serves the reference service with these options; the suite can be run against it as a user's command would, again and again. */
export async function serveProof(options: ReferenceOptions, proof: ProofOptions = {}) {
  const { target = {}, serve = serveReference } = proof;
  // If the service's clock is past the removal date, so is that of the suite.
  const later = options.now !== undefined && options.now() >= removalDate;
  const clock = new SkippingClock(later ? options.now() : insideAMinute, timeOfWork());
  // A service whose clock is wrong is as wrong after a wait.
  const ahead = proof.ahead ?? (later || options.now === undefined ? 0 : options.now() - Date.now());
  const { plan = plans.business, otherApiKey } = target;
  const apiKey = proof.key ?? 'pets_proof_5hVq2TzR8wLx';
  const keys = [
    { key: apiKey, perMinute: plan.perMinute, perDay: plan.perDay },
    ...(otherApiKey === undefined ? [] : [{ ...otherKey, key: otherApiKey }]),
  ];
  const service = await serve(combineOptions(options, { now: () => clock.now() + ahead, keys }));
  const usual: Settings = {
    target: {
      name: 'reference',
      baseUrl: proof.address?.(service.baseUrl) ?? service.baseUrl,
      apiKey,
      plan,
      planGiven: true,
      consistencyMs: 2_000,
      deadlineMs: 2_000,
      readOnly: false,
      ...target,
    },
    profile: 'standard',
    limits: 'none',
    only: [],
    except: [],
    strict: false,
    seed: 1,
    command: 'proof',
    clock,
    ...proof.settings,
  };
  return {
    /** @param settings what differs for this run from the settings of the proof */
    run(settings?: ProofOptions['settings']): Promise<RunRecord> {
      const { listener, signal } = proof;
      return run({ ...usual, ...settings }, { ...(listener && { listener }), ...(signal && { signal }) });
    },
    close: () => service.close(),
  };
}

/** Runs the suite once against the reference service with these options. */
export async function proveAgainst(options: ReferenceOptions, proof: ProofOptions = {}): Promise<RunRecord> {
  const served = await serveProof(options, proof);
  try {
    return await served.run();
  } finally {
    await served.close();
  }
}

/** The limits of the minute, and what is said of the headers, on the Free plan. */
export const limitSettings = {
  settings: { limits: 'minute', only: ['RATE', 'LIMIT'] },
  target: { plan: plans.free, otherApiKey: otherKey.key },
} as const satisfies ProofOptions;

/** A day of a plan that is small enough for a proof. */
export const daySettings = {
  settings: { limits: 'day', only: ['LIMIT-10'] },
  target: { plan: { name: 'enterprise', perMinute: 60, perDay: 200 } },
} as const satisfies ProofOptions;

/** The ids of a record that turned: what failed, and what warned. */
export function turnedIn(record: RunRecord): string[] {
  return record.requirements
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id }) => id);
}

/**
 * The ids that a run did not judge: of the limits if it tried them, otherwise of the functional ones. GET-05 applies from
 * December 2030 on, and is left out; so is what the quick profile has no room for.
 */
export function openIn({ requirements, run }: RunRecord): string[] {
  const ofLimits = run.limits !== 'none';
  const isWhole = !ofLimits && run.profile !== 'quick';
  return requirements
    .filter(({ id }) => isRequirementId(id) && classOf(id) === (ofLimits ? 'limits' : 'functional'))
    .filter(({ id, verdict, selected }) => {
      if (verdict === 'not-tested') return isWhole || selected === true;
      return verdict === 'inconclusive' || (verdict === 'not-applicable' && !ofLimits && id !== 'GET-05');
    })
    .map(({ id }) => id);
}
