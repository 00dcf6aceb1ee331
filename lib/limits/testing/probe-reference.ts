import { credentialsFor } from '../../http/exchange/credential.js';
import type { Exchange } from '../../http/exchange/exchange.js';
import { redactionOf } from '../../http/redaction/redaction.js';
import type { ReferenceOptions } from '../../reference/options.js';
import { serveReference, type ReferenceService } from '../../reference/serve.js';
import type { Budget, ProbeOptions } from '../probe/probe-options.js';
import { probeMinute, type Probed } from '../probe/two-windows.js';
import { SkippingClock } from '../../http/clock/skipping-clock.js';

/** The keys in tests: one to be measured, and one beside it. */
const key = 'pets_measured_Qm7RzT2xWb9KdLcH';
const otherKey = 'pets_other_Vh3NsJ8yGf5PaXeU';

export interface ReferenceSetting {
  readonly perMinute?: number;
  readonly perDay?: number;
  /** Milliseconds since the epoch at which the probes begin: their place within the minute. */
  readonly begin?: number;
  /** Milliseconds by which the service's clock is ahead. */
  readonly ahead?: number;
  readonly readOnly?: boolean;
  /** Without a second key. */
  readonly alone?: boolean;
  readonly signal?: AbortSignal;
  /** The restraint that targets beyond this machine are treated with. */
  readonly treatAsRemote?: boolean;
  /** Requests that may be sent as a whole. */
  readonly maximum?: number;
  /** Done before the probes begin. */
  readonly before?: (options: ProbeOptions) => Promise<void>;
  /** Told of each exchange, with its number. */
  readonly exchanged?: (number: number, service: ReferenceService) => void;
  readonly repeatsWanted?: (
    exchanges: readonly Exchange[],
    options: ProbeOptions,
  ) => ReturnType<ProbeOptions['repeatsWanted']>;
}

/** Does something with a reference service made with these options, in leaps over every wait. */
export async function withReference<Result>(
  reference: ReferenceOptions,
  setting: ReferenceSetting,
  perform: (options: ProbeOptions, exchanges: readonly Exchange[]) => Promise<Result>,
): Promise<Result> {
  const { perMinute = 60, perDay = 100_000, ahead = 0 } = setting;
  const clock = new SkippingClock(setting.begin);
  const quota = { perMinute, perDay };
  const service = await serveReference({
    ...reference,
    keys: [
      { key, ...quota },
      { key: otherKey, perMinute: 300, perDay: 10_000 },
    ],
    now: () => Math.floor(clock.now() + ahead),
  });
  const exchanges: Exchange[] = [];
  const credentials = credentialsFor(key);
  let names = 0;
  const options: ProbeOptions = {
    target: { baseUrl: service.baseUrl, timeoutMs: 5_000 },
    plan: { name: 'enterprise', ...quota },
    credential: credentials.valid,
    unknownCredential: credentials.unknown('pets_nobody_AAAAAAAAAAAAAAAA'),
    ...(setting.alone
      ? {}
      : { otherCredential: { ...credentialsFor(otherKey, 'PETSTORE_OTHER_API_KEY').valid, kind: 'other' } }),
    readOnly: setting.readOnly ?? false,
    newPet: (status) => {
      names += 1;
      return JSON.stringify({ name: `limit ${names}`, categoryId: 1, status });
    },
    rarestStatus: 'pending',
    redact: redactionOf(credentials.secrets),
    exchanges: () => exchanges,
    repeatsWanted: () => setting.repeatsWanted?.(exchanges, options) ?? new Set(),
    record: (exchange) => {
      const recorded = { id: `e${exchanges.length + 1}`, ...exchange };
      exchanges.push(recorded);
      setting.exchanged?.(exchanges.length, service);
      return recorded;
    },
    progress: () => undefined,
    clock,
    signal: setting.signal ?? new AbortController().signal,
    userAgent: 'petstore-conformance/test',
    ...(setting.maximum === undefined ? {} : { budget: budgetOf(setting.maximum, () => exchanges.length) }),
    ...(setting.treatAsRemote ? { treatAsRemote: true } : {}),
  };
  try {
    await setting.before?.(options);
    return await perform(options, exchanges);
  } finally {
    await service.close();
  }
}

function budgetOf(maximum: number, sent: () => number): Budget {
  return {
    reserve: (requests) => Math.max(0, Math.min(requests, maximum - sent())),
    release: () => undefined,
    spent: 'the budget is spent',
  };
}

/** Probes the limits of a reference service made with these options. */
export async function probeReference(
  reference: ReferenceOptions,
  setting: ReferenceSetting = {},
): Promise<Probed & { readonly exchanges: readonly Exchange[] }> {
  return withReference(reference, setting, async (options, exchanges) => ({
    ...(await probeMinute(options)),
    exchanges,
  }));
}
